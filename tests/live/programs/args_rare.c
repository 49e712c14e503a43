/*
 * args_rare - rare calls, for states of queues, registers of a child, keys, rings and requests to
 * devices. Calls to a missing device fail, but tracers show their arguments.
 */
#include <asm/ldt.h>
#include <elf.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/fsmap.h>
#include <linux/if_tun.h>
#include <linux/input.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/loop.h>
#include <linux/nsfs.h>
#include <linux/openat2.h>
#include <linux/random.h>
#include <linux/rtc.h>
#include <linux/sockios.h>
#include <linux/userfaultfd.h>
#include <linux/vt.h>
#include <linux/watchdog.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/quota.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

union semun_value {
	int val;
	void *pointer;
};

static void queues(void)
{
	unsigned short values[3] = { 1, 2, 3 };
	struct semid_ds sems;
	struct shmid_ds segment;
	struct msqid_ds queue;
	struct seminfo limits;
	struct shm_info used;
	struct shminfo shm_limits;
	struct msginfo msg_limits;
	struct sembuf two[2] = { { 0, -1, IPC_NOWAIT }, { 1, 2, SEM_UNDO } };
	struct timespec soon = { 0, 1000 };
	int sem, shm, msg;

	unshare(CLONE_NEWIPC);
	sem = semget(0x1234, 3, IPC_CREAT | IPC_EXCL | 0640);
	shm = shmget(0x1235, 8192, IPC_CREAT | 0600);
	msg = msgget(0x1236, IPC_CREAT | 0666);
	semctl(sem, 0, SETALL, (union semun_value){ .pointer = values });
	semctl(sem, 0, GETALL, (union semun_value){ .pointer = values });
	semctl(sem, 1, SETVAL, (union semun_value){ .val = 9 });
	semctl(sem, 1, GETPID);
	semctl(sem, 1, GETNCNT);
	semctl(sem, 0, IPC_STAT, (union semun_value){ .pointer = &sems });
	sems.sem_perm.mode = 0600;
	semctl(sem, 0, IPC_SET, (union semun_value){ .pointer = &sems });
	semctl(0, 0, SEM_STAT, (union semun_value){ .pointer = &sems });
	semctl(0, 0, IPC_INFO, (union semun_value){ .pointer = &limits });
	semctl(0, 0, SEM_INFO, (union semun_value){ .pointer = &limits });
	semctl(-1, 0, IPC_STAT, (union semun_value){ .pointer = &sems });
	semtimedop(sem, two, 2, &soon);
	semop(sem, two + 1, 1);
	shmctl(shm, IPC_STAT, &segment);
	segment.shm_perm.mode = 0644;
	shmctl(shm, IPC_SET, &segment);
	shmctl(0, SHM_STAT, &segment);
	shmctl(0, SHM_INFO, (struct shmid_ds *)&used);
	shmctl(0, IPC_INFO, (struct shmid_ds *)&shm_limits);
	shmctl(shm, SHM_LOCK, NULL);
	msgctl(msg, IPC_STAT, &queue);
	queue.msg_qbytes = 1000;
	msgctl(msg, IPC_SET, &queue);
	msgctl(0, MSG_STAT, &queue);
	msgctl(0, IPC_INFO, (struct msqid_ds *)&msg_limits);
	msgctl(0, MSG_INFO, (struct msqid_ds *)&msg_limits);
	msgctl(msg, IPC_RMID, NULL);
	shmctl(shm, IPC_RMID, NULL);
	semctl(sem, 0, IPC_RMID);
}

/* Trace a process that does not exist: under strace, a real child already has a tracer. */
static void child(void)
{
	struct user_regs_struct regs;
	struct user_fpregs_struct floats;
	struct iovec set = { &regs, sizeof(regs) };
	struct __ptrace_peeksiginfo_args peek = { 0, 0, 2 };
	struct __ptrace_syscall_info info;
	siginfo_t infos[2];
	unsigned long message;
	uint64_t mask;
	pid_t pid = 0x7fffffff;

	memset(&regs, 0x11, sizeof(regs));
	memset(&floats, 0x22, sizeof(floats));
	memset(infos, 0, sizeof(infos));
	infos[0].si_signo = SIGSEGV;
	infos[0].si_code = SEGV_MAPERR;
	infos[0].si_addr = &regs;
	message = mask = 0x402;
	ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
	ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	ptrace(PTRACE_SETREGS, pid, NULL, &regs);
	ptrace(PTRACE_GETFPREGS, pid, NULL, &floats);
	ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &set);
	ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &set);
	set.iov_base = &floats;
	set.iov_len = 16;
	ptrace(PTRACE_GETREGSET, pid, NT_FPREGSET, &set);
	syscall(SYS_ptrace, PTRACE_PEEKUSER, pid, offsetof(struct user, regs.rip), &message);
	syscall(SYS_ptrace, PTRACE_PEEKDATA, pid, regs.rsp, &message);
	syscall(SYS_ptrace, PTRACE_POKEDATA, pid, regs.rsp, message);
	ptrace(PTRACE_SETFPREGS, pid, NULL, &floats);
	ptrace(PTRACE_GETSIGINFO, pid, NULL, &infos[0]);
	ptrace(PTRACE_SETSIGINFO, pid, NULL, &infos[0]);
	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &message);
	ptrace(PTRACE_GETSIGMASK, pid, 8, &mask);
	ptrace(PTRACE_SETSIGMASK, pid, 8, &mask);
	ptrace(PTRACE_PEEKSIGINFO, pid, &peek, infos);
	ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info);
	ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC);
	ptrace(PTRACE_LISTEN, pid, NULL, NULL);
	ptrace(PTRACE_CONT, pid, NULL, SIGINT);
}

static void rings(void)
{
	struct io_uring_params params = { .flags = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP,
					  .cq_entries = 64,
					  .sq_thread_idle = 3 };
	struct {
		struct io_uring_probe probe;
		struct io_uring_probe_op ops[4];
	} probe;
	struct io_uring_restriction restriction = { .opcode = IORING_RESTRICTION_SQE_OP };
	int ring, fds[2] = { 0, -1 }, event = 1;
	struct iovec buffers[2] = { { &params, 64 }, { fds, 4 } };
	struct io_uring_files_update update = { .offset = 1, .fds = (uintptr_t)fds };
	struct io_uring_rsrc_update ends[2] = { { .offset = -1u }, { .offset = -1u } };
	struct io_uring_rsrc_register files = { .nr = 2, .data = (uintptr_t)fds };
	uint32_t limits[2] = { 0, 0 };
	uint64_t mask = 4;

	ring = (int)syscall(SYS_io_uring_setup, 4, &params);
	memset(&probe, 0, sizeof(probe));
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_PROBE, &probe, 4);
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_EVENTFD, &event, 1);
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES, fds, 2);
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES_UPDATE, &update, 1);
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, buffers, 2);
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_RESTRICTIONS, &restriction, 1);
	syscall(SYS_io_uring_register, ring, IORING_UNREGISTER_FILES, NULL, 0);
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES2, &files, sizeof(files));
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_IOWQ_AFF, &mask, 8);
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_IOWQ_MAX_WORKERS, limits, 2);
	ends[0].data = (uint64_t)ring;
	syscall(SYS_io_uring_register, ring, IORING_REGISTER_RING_FDS, ends, 1);
	ends[0].data = 0;
	syscall(SYS_io_uring_register, ring, IORING_UNREGISTER_RING_FDS, ends, 1);
	syscall(SYS_io_uring_enter, ring, 0, 0, IORING_ENTER_GETEVENTS, &mask, 8);
	close(ring);
}

static void keys(void)
{
	struct keyctl_dh_params dh = { { 1 }, 2, 3 };
	struct iovec parts[2] = { { "pay", 3 }, { "load", 4 } };
	struct keyctl_pkey_params params = { .key_id = 1, .in_len = 3, .out_len = 4 };
	struct keyctl_pkey_query query;
	char text[128];
	int ring = (int)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, "stxtop");
	int key = (int)syscall(SYS_add_key, "user", "stxtop:rare", "payload\1", 8,
			       KEY_SPEC_SESSION_KEYRING);

	(void)ring;
	syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
	syscall(SYS_keyctl, KEYCTL_DESCRIBE, key, text, sizeof(text));
	syscall(SYS_keyctl, KEYCTL_UPDATE, key, "new", 3);
	syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof(text));
	syscall(SYS_keyctl, KEYCTL_SETPERM, key, 0x3f010000);
	syscall(SYS_keyctl, KEYCTL_CHOWN, key, 0, -1);
	syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", "stxtop:rare", 0);
	syscall(SYS_keyctl, KEYCTL_LINK, key, KEY_SPEC_SESSION_KEYRING);
	syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, 100);
	syscall(SYS_keyctl, KEYCTL_GET_SECURITY, key, text, sizeof(text));
	syscall(SYS_keyctl, KEYCTL_INSTANTIATE_IOV, key, parts, 2, KEY_SPEC_SESSION_KEYRING);
	syscall(SYS_keyctl, KEYCTL_REJECT, key, 10, 126, 0);
	syscall(SYS_keyctl, KEYCTL_DH_COMPUTE, &dh, text, sizeof(text), NULL);
	syscall(SYS_keyctl, KEYCTL_PKEY_QUERY, key, 0, "enc=pkcs1", &query);
	syscall(SYS_keyctl, KEYCTL_PKEY_ENCRYPT, &params, "enc=pkcs1", "plain", text);
	syscall(SYS_keyctl, KEYCTL_RESTRICT_KEYRING, KEY_SPEC_PROCESS_KEYRING, "none", "nothing");
	syscall(SYS_keyctl, KEYCTL_MOVE, key, KEY_SPEC_SESSION_KEYRING, -1, KEYCTL_MOVE_EXCL);
	syscall(SYS_keyctl, KEYCTL_CAPABILITIES, text, sizeof(text));
	syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_SESSION_KEYRING);
	syscall(SYS_keyctl, KEYCTL_CLEAR, KEY_SPEC_SESSION_KEYRING);
	syscall(SYS_request_key, "user", "stxtop:none", NULL, KEY_SPEC_SESSION_KEYRING);
}

static void file_requests(void)
{
	struct {
		struct fiemap map;
		struct fiemap_extent extents[2];
	} map = { { .fm_length = ~0ull, .fm_flags = FIEMAP_FLAG_SYNC, .fm_extent_count = 2 },
		  { { 0 } } };
	struct file_clone_range clone = { 1, 2, 3, 4 };
	struct {
		struct file_dedupe_range range;
		struct file_dedupe_range_info info;
	} dedupe = { { .src_length = 4096, .dest_count = 1 }, { .dest_fd = 1 } };
	struct fstrim_range trim = { 0, ~0ull, 4096 };
	struct fsxattr attributes;
	char label[256];
	long flags;
	int fd = open("rare", O_RDWR | O_CREAT | O_TRUNC, 0600), number, self;

	write(fd, label, sizeof(label));
	ioctl(fd, FS_IOC_FIEMAP, &map);
	ioctl(fd, FS_IOC_GETFLAGS, &flags);
	ioctl(fd, FS_IOC_SETFLAGS, &flags);
	ioctl(fd, FS_IOC_FSGETXATTR, &attributes);
	ioctl(fd, FS_IOC_GETFSLABEL, label);
	ioctl(fd, FICLONE, fd);
	ioctl(fd, FICLONERANGE, &clone);
	ioctl(fd, FIDEDUPERANGE, &dedupe);
	ioctl(-1, FITRIM, &trim);
	ioctl(fd, FIGETBSZ, &number);
	ioctl(fd, FIOCLEX);
	ioctl(fd, FIONBIO, &number);
	ioctl(fd, BLKGETSIZE64, &flags);
	ioctl(fd, BLKSSZGET, &number);
	ioctl(fd, BLKRRPART);
	ioctl(fd, BLKDISCARD, &clone);
	self = open("/proc/self/ns/mnt", O_RDONLY);
	ioctl(self, NS_GET_NSTYPE);
	ioctl(self, NS_GET_USERNS);
	ioctl(self, NS_GET_OWNER_UID, &number);
	close(self);
	close(fd);
}

static void device_requests(void)
{
	struct termios2_like {
		unsigned words[11];
	} wide;
	struct termios terminal;
	struct winsize size = { 24, 80, 0, 0 };
	struct ifreq interface = { .ifr_name = "lo" };
	struct ifconf list = { .ifc_len = 80, .ifc_buf = (char *)&wide };
	struct rtc_time clock;
	struct rtc_wkalrm alarm;
	struct input_id id;
	struct input_absinfo axis;
	struct loop_info64 loop;
	struct loop_config config;
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_range range = { 4096, 4096 };
	struct vt_stat console;
	struct watchdog_info dog;
	struct {
		int entropy, size;
		uint32_t pool[2];
	} random = { 8, 8, { 1, 2 } };
	char name[64];
	int number = 1, fd = open("/dev/ptmx", O_RDWR | O_NOCTTY), random_fd, fault, tun;
	int net = socket(AF_INET, SOCK_DGRAM, 0);

	ioctl(fd, TCGETS, &terminal);
	ioctl(fd, TCSETSW, &terminal);
	ioctl(fd, _IOR('T', 0x2a, struct termios2_like), &wide);
	ioctl(fd, TIOCSWINSZ, &size);
	ioctl(fd, TIOCGWINSZ, &size);
	ioctl(fd, TIOCGPTN, &number);
	ioctl(fd, TIOCSPTLCK, &number);
	ioctl(fd, TIOCGPGRP, &number);
	ioctl(fd, TIOCOUTQ, &number);
	ioctl(fd, TIOCSTI, "x");
	ioctl(fd, TCFLSH, TCIOFLUSH);
	ioctl(fd, TCXONC, TCOON);
	ioctl(fd, TIOCMGET, &number);
	ioctl(fd, TIOCEXCL);
	ioctl(fd, TIOCGPTPEER, O_RDWR | O_NOCTTY);
	close(fd);
	random_fd = open("/dev/urandom", O_RDONLY);
	ioctl(random_fd, RNDGETENTCNT, &number);
	ioctl(-1, RNDADDENTROPY, &random);
	close(random_fd);
	ioctl(net, SIOCGIFCONF, &list);
	ioctl(net, SIOCGIFFLAGS, &interface);
	ioctl(net, SIOCGIFNETMASK, &interface);
	ioctl(net, SIOCGIFTXQLEN, &interface);
	ioctl(net, SIOCGIFNAME, &interface);
	ioctl(net, SIOCGSTAMP, &size);
	ioctl(net, SIOCOUTQ, &number);
	close(net);
	fault = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	ioctl(fault, UFFDIO_API, &api);
	ioctl(fault, UFFDIO_WAKE, &range);
	ioctl(fault, UFFDIO_UNREGISTER, &range);
	close(fault);
	tun = open("/dev/null", O_RDWR);
	ioctl(tun, TUNSETIFF, &interface);
	ioctl(tun, RTC_RD_TIME, &clock);
	ioctl(tun, RTC_SET_TIME, &clock);
	ioctl(tun, RTC_WKALM_RD, &alarm);
	ioctl(tun, RTC_IRQP_READ, &number);
	ioctl(tun, EVIOCGID, &id);
	ioctl(tun, EVIOCGNAME(sizeof(name)), name);
	ioctl(tun, EVIOCGBIT(EV_KEY, sizeof(name)), name);
	ioctl(tun, EVIOCGABS(ABS_X), &axis);
	ioctl(tun, EVIOCGRAB, 1);
	ioctl(tun, LOOP_GET_STATUS64, &loop);
	ioctl(tun, LOOP_SET_FD, 3);
	memset(&config, 0, sizeof(config));
	config.fd = 7;
	ioctl(tun, LOOP_CONFIGURE, &config);
	ioctl(tun, LOOP_CTL_GET_FREE);
	ioctl(tun, VT_GETSTATE, &console);
	ioctl(tun, VT_ACTIVATE, 3);
	ioctl(tun, WDIOC_GETSUPPORT, &dog);
	ioctl(tun, WDIOC_KEEPALIVE, 0);
	ioctl(tun, _IOWR('x', 7, uint64_t), &range);
	close(tun);
}

static void other(void)
{
	struct user_desc segment = {
		.entry_number = 1, .base_addr = 4096, .limit = 5, .seg_32bit = 1, .useable = 1
	};
	struct dqblk quota;
	struct {
		uint64_t words[14];
	} quota_info;
	char text[256];

	syscall(SYS_modify_ldt, 0, text, 16);
	syscall(SYS_modify_ldt, 1, &segment, sizeof(segment));
	syscall(SYS_set_thread_area, &segment);
	quotactl(QCMD(Q_GETQUOTA, USRQUOTA), "/dev/none", 0, (char *)&quota);
	quotactl(QCMD(Q_SETQUOTA, GRPQUOTA), "/dev/none", 5, (char *)&quota);
	quotactl(QCMD(Q_GETINFO, USRQUOTA), "/dev/none", 0, (char *)&quota_info);
	quotactl(QCMD(Q_QUOTAON, USRQUOTA), "/dev/none", 2, "/aquota.user");
	quotactl(QCMD(Q_SYNC, USRQUOTA), NULL, 0, NULL);
	syscall(SYS_quotactl_fd, -1, QCMD(Q_GETFMT, USRQUOTA), 0, &quota);
	syscall(SYS_syslog, 10, NULL, 0);
	syscall(SYS_sysfs, 2, 0, text);
	syscall(SYS_sysfs, 3);
	syscall(SYS_ustat, 0x801, text);
	syscall(SYS_init_module, "not one", 7, "a=b");
	syscall(SYS_finit_module, -1, "a=b", 1);
	syscall(SYS_delete_module, "no_such_module", O_NONBLOCK);
	syscall(SYS_acct, "/no/such/file");
	syscall(SYS_swapon, "/no/such/file", 0x8003);
	syscall(SYS_pivot_root, "/no/new", "/no/old");
	syscall(SYS_lookup_dcookie, 5L, text, 256);
	syscall(SYS_kexec_load, 0, 0, NULL, 0);
	syscall(SYS_landlock_add_rule, -1, 1, text, 0);
	syscall(SYS_process_mrelease, -1, 0);
	syscall(SYS_mount_setattr, -1, "", 0x1000, text, 32);
	syscall(SYS_memfd_secret, O_CLOEXEC);
}

int main(void)
{
	queues();
	child();
	rings();
	keys();
	file_requests();
	device_requests();
	other();
	return 0;
}
