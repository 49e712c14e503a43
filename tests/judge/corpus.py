"""What is run to be compared: ordinary programs, and some of our own for what those leave out."""

import shutil

FILES = ("cp /etc/passwd a; mv a b; ln -s b c; sort c > s; wc s; rm b c; mkdir d; "
         "touch -d 2001-02-03 d/e; chmod 640 d/e; chown 1:2 d/e; stat d/e; df d; find d; "
         "rmdir d 2>&1; dd if=/dev/zero of=z count=2 conv=fsync status=none; "
         "truncate -s 99 z; sync z; mknod p p; mkfifo q; head -c 8 z; tail -n 1 z; id; uname; "
         "ls -l . d; grep -c root /etc/passwd; sed -i s/root/boot/ s; cmp s z; du -s .")
PYTHON = ("import os,socket,threading,signal,time,subprocess,tempfile\n"
          "a,b=socket.socketpair();a.send(b'x\\0y');b.recv(9)\n"
          "s=socket.create_server(('127.0.0.1',0));c=socket.create_connection("
          "s.getsockname());d,_=s.accept();c.sendall(b'hello');d.recv(5)\n"
          "s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1)\n"
          "t=threading.Thread(target=time.sleep,args=(0.01,));t.start();t.join()\n"
          "signal.signal(signal.SIGUSR1,lambda *a:None);os.kill(os.getpid(),10)\n"
          "subprocess.run(['true']);open(tempfile.mktemp(),'w').close()\n")
GIT = ("export GIT_AUTHOR_DATE=@1000000000 GIT_COMMITTER_DATE=@1000000000; git init -q r; cd r; "
       "echo text > f; touch -d @1 f; git add f; git -c user.name=a -c user.email=b "
       "commit -q -m m; git log --oneline; git status --short")
MOUNTS = ("mkdir m; mount -t tmpfs -o size=64k none m; touch m/f; mount --bind m /mnt; "
          "mount -o remount,ro m; umount /mnt; umount m")

# The first word of each is looked up; what is not installed is left out by name.
PROGRAMS = [
    ["ls", "-laR", "/usr/share/doc/bash", "/etc/apt"],
    ["sh", "-c", FILES],
    ["tar", "cf", "x.tar", "/usr/share/doc/bash"],
    ["python3", "-c", PYTHON],
    ["perl", "-e", "opendir(D,'/etc');readdir D;print -s '/etc/passwd';sleep 0"],
    ["git", "--version"],
    ["sqlite3", "x.db", "create table t(a);insert into t values(1);select * from t;"],
    ["openssl", "dgst", "/etc/passwd"],
    ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "k"],
    ["unshare", "-m", "sh", "-c", MOUNTS],
    ["free"],
    ["nice", "-n", "3", "timeout", "5", "true"],
]
# Programs of ours: threads, timers, signals, memory; sockets; a call and more of each family;
# what hardly any program asks for.
OWN = ["judged_work", "judged_net", "args_families", "args_rare"]


def installed(say):
    """The programs that are there; say() is told of each other one."""
    programs = []
    for program in PROGRAMS:
        if shutil.which(program[0]):
            programs.append(["sh", "-c", GIT] if program[0] == "git" else program)
        else:
            say(program[0])
    return programs
