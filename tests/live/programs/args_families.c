/*
 * args_families - calls of each family with valid arguments, so that the kernel reads and fills in
 * their structs, sets, addresses and messages.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/landlock.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static void files(void)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	struct {
		struct file_handle h;
		char space[128];
	} handle = { .h = { .handle_bytes = 128 } };
	struct statx statx;
	char buffer[300] = "";
	int mount_id, fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0640), pipes[2];
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 5 };
	struct iovec out[2] = { { "hello\n\t\"\\\001\0019", 12 }, { "", 0 } };
	struct iovec in[3] = { { buffer, 4 }, { buffer + 10, 3 }, { buffer + 20, 99 } };
	struct timespec times[2] = { { 1000000000, 5 }, { 0, UTIME_OMIT } };
	off_t from = 2;

	writev(fd, out, 2);
	pwritev(fd, out, 2, 3);
	preadv(fd, in, 3, 0);
	lseek(fd, 0, SEEK_SET);
	readv(fd, in, 3);
	fcntl(fd, F_SETLK, &lock);
	fcntl(fd, F_GETLK, &lock);
	fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK);
	fcntl(fd, F_GETFL);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_GETFD);
	fcntl(fd, F_DUPFD_CLOEXEC, 50);
	fcntl(fd, F_GETOWN);
	fcntl(fd, F_SETLEASE, F_RDLCK);
	fcntl(fd, F_GETLEASE);
	syscall(SYS_openat2, AT_FDCWD, "f", &how, sizeof(how));
	syscall(SYS_statx, AT_FDCWD, "f", AT_SYMLINK_NOFOLLOW, STATX_ALL, &statx);
	name_to_handle_at(AT_FDCWD, "f", &handle.h, &mount_id, 0);
	fsetxattr(fd, "user.a", "value\n", 6, XATTR_CREATE);
	fgetxattr(fd, "user.a", buffer, sizeof(buffer));
	flistxattr(fd, buffer, sizeof(buffer));
	fremovexattr(fd, "user.a");
	utimensat(AT_FDCWD, "f", times, AT_SYMLINK_NOFOLLOW);
	utimensat(AT_FDCWD, "f", NULL, 0);
	fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 4096);
	posix_fadvise(fd, 0, 10, POSIX_FADV_WILLNEED);
	pipe2(pipes, O_NONBLOCK | O_CLOEXEC);
	fcntl(pipes[0], F_SETPIPE_SZ, 8192);
	write(pipes[1], buffer, 200);
	read(pipes[0], buffer, 32);
	read(pipes[0], buffer, 33);
	splice(pipes[0], NULL, fd, NULL, 10, SPLICE_F_MOVE);
	tee(pipes[0], pipes[1], 5, SPLICE_F_NONBLOCK);
	copy_file_range(fd, &from, fd, NULL, 2, 0);
	mknod("fifo", S_IFIFO | 0600, 0);
	mknod("null", S_IFCHR | 0600, 0x103);
	syscall(SYS_renameat2, AT_FDCWD, "fifo", AT_FDCWD, "null", 1);
	readlink("/proc/self/cwd", buffer, 3);
	access("f", R_OK | W_OK);
	ftruncate(fd, 10);
	close_range(40, 60, 0);
	memfd_create("name", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	fcntl(memfd_create("seals", MFD_ALLOW_SEALING), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
	inotify_add_watch(inotify_init1(IN_CLOEXEC), ".", IN_CREATE | IN_DELETE | IN_ONLYDIR);
	ioctl(fd, FIONREAD, &mount_id);
	ioctl(pipes[0], FIONREAD, &mount_id);
	ioctl(fd, TIOCGWINSZ, buffer);
	ioctl(fd, 0x80046601, &mount_id);
}

static void sockets(void)
{
	struct sockaddr_un name = { AF_UNIX, "sock" }, hidden = { AF_UNIX, "\0hidden" };
	struct sockaddr_in any = { .sin_family = AF_INET }, got;
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_nl link = { .nl_family = AF_NETLINK };
	socklen_t len = sizeof(got);
	struct linger linger = { 1, 7 };
	struct timeval second = { 1, 500 };
	struct ucred peer;
	int pair[2], one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	char control[128] = { 0 }, data[64], text[16] = "reno";
	struct iovec vector = { "payload", 7 }, into = { data, sizeof(data) };
	struct msghdr message = { .msg_iov = &vector,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = CMSG_SPACE(sizeof(int)) };
	struct msghdr received = { .msg_iov = &into,
				   .msg_iovlen = 1,
				   .msg_control = control,
				   .msg_controllen = sizeof(control),
				   .msg_name = &got,
				   .msg_namelen = sizeof(got) };
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
	struct mmsghdr many[2] = { { { .msg_iov = &vector, .msg_iovlen = 1 }, 0 },
				   { { .msg_iov = &vector, .msg_iovlen = 1 }, 0 } };
	struct mmsghdr more[2] = { { { .msg_iov = &into, .msg_iovlen = 1 }, 0 },
				   { { .msg_iov = &into, .msg_iovlen = 1 }, 0 } };
	struct ifreq request = { .ifr_name = "lo" };

	bind(fd, (struct sockaddr *)&any, sizeof(any));
	listen(fd, 5);
	getsockname(fd, (struct sockaddr *)&got, &len);
	len = 100;
	getpeername(fd, (struct sockaddr *)&got, &len);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second));
	setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
	setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, text, 4);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	len = sizeof(one);
	getsockopt(fd, SOL_SOCKET, SO_TYPE, &one, &len);
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &one, &len);
	getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &one, &len);
	len = sizeof(linger);
	getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &len);
	len = sizeof(text);
	getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, text, &len);
	len = sizeof(second);
	getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, &len);
	bind(socket(AF_UNIX, SOCK_DGRAM, 0), (struct sockaddr *)&name, sizeof(name));
	bind(socket(AF_UNIX, SOCK_DGRAM, 0), (struct sockaddr *)&hidden, 9);
	bind(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), (struct sockaddr *)&link, sizeof(link));
	connect(socket(AF_INET6, SOCK_DGRAM, 0), (struct sockaddr *)&six, sizeof(six));
	connect(fd, (struct sockaddr *)&any, 3);
	socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair);
	len = sizeof(peer);
	getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &peer, &len);
	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(rights), &one, sizeof(int));
	*(int *)CMSG_DATA(rights) = 1;
	sendmsg(pair[0], &message, MSG_NOSIGNAL);
	recvmsg(pair[1], &received, MSG_DONTWAIT);
	recvmsg(pair[1], &received, MSG_DONTWAIT);
	sendmmsg(pair[0], many, 2, 0);
	recvmmsg(pair[1], more, 2, MSG_DONTWAIT, NULL);
	sendto(pair[0], "abc", 3, MSG_DONTWAIT, NULL, 0);
	recvfrom(pair[1], data, sizeof(data), 0, NULL, NULL);
	shutdown(pair[0], SHUT_RDWR);
	ioctl(fd, SIOCGIFINDEX, &request);
	ioctl(fd, SIOCGIFFLAGS, &request);
	ioctl(fd, SIOCGIFADDR, &request);
	ioctl(fd, SIOCGIFHWADDR, &request);
	ioctl(fd, SIOCGIFMTU, &request);
}

static void waits(void)
{
	struct pollfd fds[3] = { { 0, POLLIN, 0 }, { 1, POLLOUT | POLLRDHUP, 0 }, { -1, 0, 0 } };
	struct epoll_event event = { EPOLLIN | EPOLLET, { .u64 = 0x100000007 } }, events[4];
	struct timespec soon = { 0, 1000 }, left;
	struct timeval tick = { 0, 1000 };
	struct itimerspec timer = { { 1, 0 }, { 2, 3 } }, old;
	struct itimerval interval = { { 0, 0 }, { 100, 5 } }, before;
	struct sigevent notify = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	int pipes[2], epoll = epoll_create1(EPOLL_CLOEXEC), word = 5;
	timer_t id;
	sigset_t set;
	fd_set in, out;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGRTMIN + 2);
	pipe(pipes);
	fds[0].fd = pipes[0];
	fds[1].fd = pipes[1];
	poll(fds, 3, 0);
	poll(fds, 1, 1);
	syscall(SYS_ppoll, fds, 3, &soon, &set, 8);
	epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[1], &event);
	event.events = EPOLLOUT;
	epoll_ctl(epoll, EPOLL_CTL_MOD, pipes[1], &event);
	epoll_wait(epoll, events, 4, 0);
	epoll_pwait(epoll, events, 4, 0, &set);
	epoll_ctl(epoll, EPOLL_CTL_DEL, pipes[1], NULL);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(pipes[0], &in);
	FD_SET(pipes[1], &out);
	select(pipes[1] + 1, &in, &out, NULL, &tick);
	FD_SET(pipes[0], &in);
	pselect(pipes[0] + 1, &in, NULL, NULL, &soon, &set);
	nanosleep(&soon, &left);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &soon, NULL);
	syscall(SYS_timer_create, CLOCK_MONOTONIC, &notify, &id);
	syscall(SYS_timer_settime, 0, TIMER_ABSTIME, &timer, &old);
	setitimer(ITIMER_REAL, &interval, &before);
	getitimer(ITIMER_REAL, &before);
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 4, &soon);
	syscall(SYS_futex, &word, FUTEX_WAIT, 5, &soon);
	syscall(SYS_futex, &word, FUTEX_WAKE_OP, 1, 1, &word, FUTEX_OP(FUTEX_OP_ADD, 1, 0, 3));
	syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 5, &soon, 0, 3);
	syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, 2, &word, 5);
}

static void handler(int signal)
{
	(void)signal;
}

static void signals(void)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART }, old;
	stack_t stack = { .ss_flags = SS_DISABLE }, was;
	struct timespec none = { 0, 0 };
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };
	sigset_t set;

	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, &old);
	sigaction(SIGUSR1, NULL, &old);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	info.si_pid = getpid();
	info.si_value.sival_int = 77;
	syscall(SYS_rt_sigqueueinfo, getpid(), SIGUSR1, &info);
	syscall(SYS_rt_sigpending, &set, 8);
	sigtimedwait(&set, &info, &none);
	sigtimedwait(&set, &info, &none);
	sigaltstack(&stack, &was);
	syscall(SYS_signalfd4, -1, &set, 8, SOCK_CLOEXEC);
}

static void children(void)
{
	struct rusage usage;
	siginfo_t info;
	int status;
	pid_t child = fork();

	if (!child)
		_exit(3);
	waitid(P_PID, child, &info, WEXITED | WNOWAIT);
	wait4(child, &status, 0, &usage);
	child = fork();
	if (!child)
		raise(SIGKILL);
	waitpid(child, &status, WUNTRACED | WCONTINUED);
	waitpid(-1, &status, WNOHANG);
}

static void limits(void)
{
	struct rlimit limit = { 4096, RLIM_INFINITY };
	struct sched_param parameter = { 0 };
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
		uint32_t min, max;
	} attr = { .size = 56 };
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];
	struct utsname name;
	struct rusage usage;
	cpu_set_t cpus;
	char thread[16] = "a\"name";

	setrlimit(RLIMIT_CORE, &limit);
	getrlimit(RLIMIT_NOFILE, &limit);
	prlimit(0, RLIMIT_STACK, NULL, &limit);
	getrusage(RUSAGE_SELF, &usage);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	sched_getscheduler(0);
	sched_getparam(0, &parameter);
	syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0);
	syscall(SYS_sched_setattr, 0, &attr, 0);
	syscall(SYS_capget, &header, data);
	syscall(SYS_capset, &header, data);
	syscall(SYS_ioprio_get, 1, 0);
	uname(&name);
	prctl(PR_SET_NAME, thread);
	prctl(PR_GET_NAME, thread);
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_GET_DUMPABLE);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_GET_PDEATHSIG, &parameter);
	prctl(PR_GET_SECUREBITS);
	prctl(PR_GET_TIMERSLACK);
	prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN);
	syscall(SYS_personality, 0xffffffff);
	getpriority(PRIO_PROCESS, 0);
	umask(077);
}

static void memory(void)
{
	char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned char resident[4];
	char from[4] = "abc", to[4];
	struct iovec local = { to, 3 }, remote = { from, 3 };

	map[0] = 1;
	mincore(map, 8192, resident);
	madvise(map, 4096, MADV_DONTNEED);
	msync(map, 4096, MS_ASYNC | MS_INVALIDATE);
	mprotect(map, 4096, PROT_NONE);
	mlock(map + 4096, 4096);
	mremap(map, 8192, 4096, MREMAP_MAYMOVE);
	process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	syscall(SYS_membarrier, 0, 0);
	syscall(SYS_move_pages, 0, 1, &map, NULL, resident, 2);
}

static void queues(void)
{
	struct sembuf op = { 0, 1, IPC_NOWAIT | SEM_UNDO };
	struct {
		long type;
		char text[8];
	} message = { 5, "message" };
	int sem, shm, queue;
	struct shmid_ds segment;
	struct msqid_ds state;

	unshare(CLONE_NEWIPC); /* a new namespace assigns the same ids in each run */
	sem = semget(IPC_PRIVATE, 2, IPC_CREAT | 0600);
	semop(sem, &op, 1);
	semctl(sem, 0, GETVAL);
	semctl(sem, 0, IPC_RMID);
	shm = shmget(IPC_PRIVATE, 100, IPC_CREAT | IPC_EXCL | 0640);
	shmctl(shm, IPC_STAT, &segment);
	shmdt(shmat(shm, NULL, SHM_RDONLY));
	shmctl(shm, IPC_RMID, NULL);
	queue = msgget(IPC_PRIVATE, 0600);
	msgsnd(queue, &message, 8, IPC_NOWAIT);
	msgrcv(queue, &message, 8, 5, MSG_NOERROR);
	msgctl(queue, IPC_STAT, &state);
	msgctl(queue, IPC_RMID, NULL);
}

static void kernel(void)
{
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 3
	};
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.disabled = 1,
					.sample_period = 1000,
					.sample_type = PERF_SAMPLE_IP };
	struct io_uring_params params = { .flags = IORING_SETUP_CLAMP };
	struct landlock_ruleset_attr rules = { .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE };
	struct seccomp_notif_sizes sizes;
	struct iocb block = { .aio_lio_opcode = IOCB_CMD_PREAD, .aio_nbytes = 4, .aio_buf = 0 };
	struct iocb *blocks[1] = { &block };
	aio_context_t context = 0;
	uint32_t action = SECCOMP_RET_ERRNO;
	int key;

	syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof(map));
	syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	syscall(SYS_io_uring_setup, 4, &params);
	syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
	syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes);
	syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
	syscall(SYS_io_setup, 8, &context);
	syscall(SYS_io_submit, context, 1, blocks);
	syscall(SYS_io_destroy, context);
	key = (int)syscall(SYS_add_key, "user", "stxtop-test", "payload", 7, -2);
	syscall(SYS_keyctl, 11, key, &params, 64);
	syscall(SYS_keyctl, 3, key);
	syscall(SYS_fsopen, "tmpfs", 1);
	syscall(SYS_mount, "none", "/nowhere", "tmpfs", 0x6, "size=4k");
	syscall(SYS_umount2, "/nowhere", 2);
	syscall(SYS_getrandom, &params, 4, 1);
	syscall(SYS_pidfd_open, getpid(), 0);
	syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 1);
}

int main(void)
{
	signal(SIGUSR1, SIG_IGN);
	files();
	sockets();
	waits();
	signals();
	children();
	limits();
	memory();
	queues();
	kernel();
	return 0;
}
