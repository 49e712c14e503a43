"""Programs to compare: installed ones, and ones of this project for further system calls."""

import shutil

FILES = ("cp /etc/passwd a; mv a b; ln -s b c; sort c > s; wc s; rm b c; mkdir d; "
         "touch -d 2001-02-03 d/e; chmod 640 d/e; chown 1:2 d/e; stat d/e; df d; find d; "
         "rmdir d 2>&1; dd if=/dev/zero of=z count=2 conv=fsync status=none; "
         "truncate -s 99 z; sync z; mknod p p; mkfifo q; head -c 8 z; tail -n 1 z; id; uname; "
         "ls -l . d; grep -c root /etc/passwd; sed -i s/root/boot/ s; cmp s z; du -s .")
TAR = ("cp -r /usr/share/doc/bash d; tar cf x.tar d; tar tvf x.tar; mkdir e; tar xpf x.tar -C e; "
       "tar --delete -f x.tar d/copyright; tar rf x.tar d; ln d/copyright l; tar df x.tar")
PYTHON = ("import os,socket,threading,signal,time,subprocess,tempfile\n"
          "a,b=socket.socketpair();a.send(b'x\\0y');b.recv(9)\n"
          "s=socket.create_server(('127.0.0.1',0));c=socket.create_connection("
          "s.getsockname());d,_=s.accept();c.sendall(b'hello');d.recv(5)\n"
          "s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1)\n"
          "t=threading.Thread(target=time.sleep,args=(0.01,));t.start();t.join()\n"
          "signal.signal(signal.SIGUSR1,lambda *a:None);os.kill(os.getpid(),10)\n"
          "subprocess.run(['true']);n=tempfile.mktemp();open(n,'w').close();os.unlink(n)\n")
PERL = ("opendir(D,'/etc');my @n=sort readdir D;print -s '/etc/passwd';sleep 0;"
        "$SIG{USR1}=sub{$x++};kill 'USR1',$$;alarm 9;alarm 0;pipe(R,W);"
        "if(my $p=fork){close W;my @l=<R>;waitpid $p,0}else{print W \"child\\n\";exit 3}"
        "socketpair(A,B,1,1,0);syswrite A,\"a\\0b\";sysread B,$b,9;"
        "open(F,'+>','f')&&flock(F,2);print F 'x'x9000;seek F,5,0;truncate F,20;close F;"
        "utime 1,2,'f';rename 'f','g';chmod 0600,'g';symlink 'g','h';readlink 'h';unlink 'h';"
        "select(undef,undef,undef,0.01);system 'true';print `id -u`;")
# Files get old times: git re-reads a file that is as new as its index. For a new file, that would
# depend on when a second begins.
GIT = ("export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE=@1000000000 "
       "GIT_COMMITTER_DATE=@1000000000; git config --global user.name a; "
       "git config --global user.email b; for t in pack index grep; do "
       "git config --global $t.threads 1; done; "
       "git init -q r; cd r; echo text > f; touch -d @1 f; git add f; git commit -q -m m; "
       "git checkout -q -b side; echo more >> f; touch -d @2 f; git commit -q -a -m n; "
       "git checkout -q -; touch -d @3 f; echo other > g; touch -d @3 g; git add g; "
       "git commit -q -m o; git merge -q -m p side; touch -d @4 f g; git status --short; "
       "git tag t; git log --oneline; git diff --stat t~1; git show --stat; git blame f; "
       "git gc -q; git clone -q . ../s; cd ../s; touch -d @5 f g; git fsck; "
       "git grep -c text; git archive -o x.tar t; git rm -q f; git reset -q")
# The journal is mostly in memory, because pages of a journal file have random checksums.
SQL = ("create table t(a integer primary key, b text); insert into t values(0, 'first'); "
       "pragma journal_mode=memory; "
       "with recursive n(x) as (select 1 union all select x+1 from n where x<2000) "
       "insert into t select x, 'row '||x from n; create index i on t(b); "
       "begin; update t set b='changed' where a%7=0; delete from t where a>1500; commit; "
       "select count(*), max(b) from t; begin; delete from t; rollback; vacuum; "
       "attach 'y.db' as y; create table y.u as select * from t limit 9; pragma integrity_check; "
       "pragma journal_mode=wal; insert into t(b) values('last'); pragma wal_checkpoint;")
OPENSSL = ("openssl dgst -sha256 /etc/passwd; openssl genpkey -algorithm ed25519 -out k; "
           "openssl req -x509 -new -key k -subj /CN=a -set_serial 1 -out c; "
           "openssl x509 -in c -noout -subject; openssl enc -aes-128-cbc -pbkdf2 -k pass "
           "-S 0011223344556677 -in /etc/passwd -out e; openssl verify -CAfile c c; "
           "openssl speed -seconds 0 sha1 2>&1; openssl version -a; openssl ciphers")
SSH = ("ssh-keygen -q -t ed25519 -N '' -C a -f k; ssh-keygen -q -t ecdsa -N pass -C b -f l; "
       "ssh-keygen -y -f k; ssh-keygen -l -f k.pub; echo text > f; "
       "ssh-keygen -q -Y sign -f k -n file f; ssh-keygen -Y check-novalidate -n file "
       "-s f.sig < f; ssh-keygen -e -f k.pub; ssh -G -F none a")
MOUNTS = ("mkdir m; mount -t tmpfs -o size=64k none m; touch m/f; mount --bind m /mnt; "
          "mount -o remount,ro m; umount /mnt; umount m")


class Program(list):
    """A command line; .name is the program that must be installed."""

    def __init__(self, name, *argv, script=None):
        super().__init__(["sh", "-c", script] if script else [name, *argv])
        self.name = name


# A program that is not installed is skipped.
PROGRAMS = [
    Program("ls", "-laR", "/usr/share/doc/bash", "/etc/apt"),
    Program("sh", script=FILES),
    Program("tar", script=TAR),
    Program("python3", "-c", PYTHON),
    Program("perl", "-e", PERL),
    Program("git", script=GIT),
    Program("sqlite3", "x.db", SQL),
    Program("openssl", script=OPENSSL),
    Program("ssh-keygen", script=SSH),
    Program("unshare", "-m", "sh", "-c", MOUNTS),
    Program("free"),
    Program("nice", "-n", "3", "timeout", "5", "true"),
]
# Programs of this project: threads, timers, signals, memory; sockets; each family; rare calls.
OWN = ["judged_work", "judged_net", "args_families", "args_rare"]


def installed(say):
    """Return the installed programs; call say() with the name of each missing one."""
    programs = []
    for program in PROGRAMS:
        if shutil.which(program.name):
            programs.append(program)
        else:
            say(program.name)
    return programs
