/*
 * refuse - runs a command with the rights of a container or of an ordinary user.
 *
 *	refuse docker|noptrace|user COMMAND [ARG...]
 *
 * docker: root of a container with Docker's defaults: 14 capabilities, a seccomp filter, no
 * tracefs, /sys and /proc/sys read-only. noptrace: the same, without ptrace and process_vm_readv.
 * user: an ordinary user; tracefs is mounted for root only.
 *
 * The command runs in its own PID and mount namespaces; processes that it leaves behind are killed.
 * Needs root. The exit status is that of the command, 128 + N after signal N; 77: the sandbox
 * cannot be created here.
 */
#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT 77
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MOUNTS_MAX 256
/* An ordinary user that each Debian has and no test uses. */
#define USER "games"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

/* CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
#define NAMESPACES 0x7e020000

/*
 * Calls that Docker's seccomp profile denies unless the container has further capabilities:
 * https://docs.docker.com/engine/security/seccomp/
 */
/* clang-format off */
static const int refused[] = {
	SYS_acct, SYS_add_key, SYS_bpf, SYS_clock_adjtime, SYS_clock_settime, SYS_delete_module,
	SYS_fanotify_init, SYS_finit_module, SYS_fsconfig, SYS_fsmount, SYS_fsopen, SYS_fspick,
	SYS_get_mempolicy, SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register,
	SYS_io_uring_setup, SYS_kcmp, SYS_kexec_load, SYS_keyctl, SYS_lookup_dcookie, SYS_mbind,
	SYS_migrate_pages, SYS_mount, SYS_mount_setattr, SYS_move_mount, SYS_move_pages,
	SYS_nfsservctl, SYS_open_by_handle_at, SYS_open_tree, SYS_perf_event_open,
	SYS_pidfd_getfd, SYS_pivot_root, SYS_process_madvise, SYS_quotactl, SYS_quotactl_fd,
	SYS_reboot, SYS_request_key, SYS_set_mempolicy, SYS_setdomainname, SYS_sethostname,
	SYS_setns, SYS_settimeofday, SYS_swapoff, SYS_swapon, SYS_syslog, SYS_umount2,
	SYS_unshare, SYS_userfaultfd, SYS_vhangup,
#ifdef __x86_64__
	SYS__sysctl, SYS_create_module, SYS_get_kernel_syms, SYS_ioperm, SYS_iopl,
	SYS_query_module, SYS_sysfs, SYS_uselib, SYS_ustat,
#endif
};
/* clang-format on */

static const int looks[] = { SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace };

/* Execution domains that Docker permits: PER_LINUX, PER_LINUX32, each with UNAME26, and a query. */
static const unsigned int personalities[] = { 0, 8, 0x20000, 0x20008, 0xffffffff };

static const int capabilities[] = {
	CAP_CHOWN,   CAP_DAC_OVERRIDE, CAP_FSETID,           CAP_FOWNER,
	CAP_MKNOD,   CAP_NET_RAW,      CAP_SETGID,           CAP_SETUID,
	CAP_SETFCAP, CAP_SETPCAP,      CAP_NET_BIND_SERVICE, CAP_SYS_CHROOT,
	CAP_KILL,    CAP_AUDIT_WRITE,
};

static void __attribute__((noreturn, format(printf, 1, 2))) cannot(const char *format, ...)
{
	int code = errno;
	va_list args;

	va_start(args, format);
	fputs("refuse: ", stderr);
	vfprintf(stderr, format, args);
	fprintf(stderr, ": %s\n", strerror(code));
	va_end(args);
	_exit(CANNOT);
}

/* Return the paths of the mount points below `top`, in order of mounting. */
static size_t mounts_below(const char *top, char paths[][512])
{
	FILE *file = fopen("/proc/self/mounts", "re");
	char line[2048];
	size_t count = 0;

	if (!file)
		cannot("cannot read /proc/self/mounts");
	while (count < MOUNTS_MAX && fgets(line, sizeof(line), file)) {
		char path[512];

		if (sscanf(line, "%*s %511s", path) == 1 && !strncmp(path, top, strlen(top)) &&
		    (path[strlen(top)] == '/' || !path[strlen(top)]))
			memcpy(paths[count++], path, sizeof(path));
	}
	fclose(file);
	return count;
}

static void make_read_only(const char *path)
{
	if (mount(NULL, path, NULL,
		  MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC | MS_NODEV, NULL))
		cannot("cannot remount %s read-only", path);
}

static void hide(const char *path)
{
	if (!access(path, F_OK) && mount("/dev/null", path, NULL, MS_BIND, NULL))
		cannot("cannot hide %s", path);
}

/* Set up the mounts of a container: no tracefs, /sys and /proc/sys read-only, hidden files. */
static void close_container(void)
{
	static char paths[MOUNTS_MAX][512];
	size_t count = mounts_below("/sys/kernel", paths);

	while (count)
		if (umount2(paths[--count], MNT_DETACH) && errno != EINVAL)
			cannot("cannot unmount %s", paths[count]);
	count = mounts_below("/sys", paths);
	while (count)
		make_read_only(paths[--count]);
	if (mount("/proc/sys", "/proc/sys", NULL, MS_BIND, NULL))
		cannot("cannot bind-mount /proc/sys");
	make_read_only("/proc/sys");
	hide("/proc/kcore");
	hide("/proc/keys");
	hide("/proc/timer_list");
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	for (size_t i = 0; i < COUNT(capabilities); i++)
		data[capabilities[i] / 32].permitted |= 1U << capabilities[i] % 32;
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (!(data[cap / 32].permitted & 1U << cap % 32) &&
		    prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
			cannot("cannot drop capability %d", cap);
	for (int i = 0; i < 2; i++)
		data[i].effective = data[i].permitted;
	if (syscall(SYS_capset, &header, data))
		cannot("cannot drop capabilities");
}

struct filter {
	struct sock_filter steps[512];
	unsigned short len;
};

static void add(struct filter *filter, struct sock_filter step)
{
	filter->steps[filter->len++] = step;
}

static void load(struct filter *filter, size_t offset)
{
	add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (__u32)offset));
}

static void answer(struct filter *filter, __u32 what)
{
	add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

/* Skip the next `skip` steps unless the loaded value equals `value`. */
static void if_equal(struct filter *filter, __u32 value, __u8 skip)
{
	add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip));
}

static void refuse_calls(struct filter *filter, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if_equal(filter, (__u32)calls[i], 1);
		answer(filter, SECCOMP_RET_ERRNO | EPERM);
	}
}

/* Refuse calls with the errors of Docker: EPERM; ENOSYS for clone3, whose flags BPF cannot read. */
static void install_filter(bool no_looks)
{
	struct filter filter = { .len = 0 };
	struct sock_fprog program;

#ifdef OWN_ARCH
	load(&filter, offsetof(struct seccomp_data, arch));
	add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0));
	answer(&filter, SECCOMP_RET_ALLOW);
#endif
	load(&filter, offsetof(struct seccomp_data, nr));
	refuse_calls(&filter, refused, COUNT(refused));
	if (no_looks)
		refuse_calls(&filter, looks, COUNT(looks));
	if_equal(&filter, SYS_clone3, 1);
	answer(&filter, SECCOMP_RET_ERRNO | ENOSYS);
	if_equal(&filter, SYS_clone, 4);
	load(&filter, offsetof(struct seccomp_data, args[0]));
	add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1));
	answer(&filter, SECCOMP_RET_ERRNO | EPERM);
	answer(&filter, SECCOMP_RET_ALLOW);
	if_equal(&filter, SYS_personality, 2 + 2 * COUNT(personalities));
	load(&filter, offsetof(struct seccomp_data, args[0]));
	for (size_t i = 0; i < COUNT(personalities); i++) {
		if_equal(&filter, personalities[i], 1);
		answer(&filter, SECCOMP_RET_ALLOW);
	}
	answer(&filter, SECCOMP_RET_ERRNO | EPERM);
	answer(&filter, SECCOMP_RET_ALLOW);
	program = (struct sock_fprog){ .len = filter.len, .filter = filter.steps };
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
		cannot("cannot set a seccomp filter");
}

static void become_user(void)
{
	const struct passwd *user = getpwnam(USER);

	if (!user) {
		errno = ENOENT;
		cannot("no user %s", USER);
	}
	if (setgroups(0, NULL) || setgid(user->pw_gid) || setuid(user->pw_uid))
		cannot("cannot become user %s", USER);
	setenv("USER", USER, 1);
	setenv("LOGNAME", USER, 1);
}

static int as_shell(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Run as process 1 of the namespace: reap all processes, exit when the command exits. */
static int run_inside(const char *mode, char **argv)
{
	bool user = !strcmp(mode, "user");
	pid_t command, pid;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NOEXEC | MS_NODEV, NULL))
		cannot("cannot mount /proc");
	if (!user) {
		close_container();
		install_filter(!strcmp(mode, "noptrace"));
		drop_capabilities();
	}
	command = fork();
	if (command < 0)
		cannot("fork");
	if (!command) {
		sigset_t none;

		if (user)
			become_user();
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execvp(argv[0], argv);
		cannot("cannot execute %s", argv[0]);
	}
	while ((pid = wait(&status)) != command)
		if (pid < 0)
			cannot("wait");
	return as_shell(status);
}

int main(int argc, char **argv)
{
	sigset_t ends;
	pid_t inside;
	int status;

	if (argc < 3 ||
	    (strcmp(argv[1], "docker") && strcmp(argv[1], "noptrace") && strcmp(argv[1], "user"))) {
		fputs("usage: refuse docker|noptrace|user COMMAND [ARG...]\n", stderr);
		return 2;
	}
	/* Block signals to the process group here: they end the command, which cleans up. */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	if (unshare(CLONE_NEWNS | CLONE_NEWPID))
		cannot("cannot create namespaces");
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		cannot("cannot make the mounts private");
	inside = fork();
	if (inside < 0)
		cannot("fork");
	if (!inside)
		_exit(run_inside(argv[1], argv + 2));
	while (waitpid(inside, &status, 0) < 0)
		if (errno != EINTR)
			cannot("wait");
	return as_shell(status);
}
