#include "engine/helper/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#define NOBODY 65534
#define HEAP_BYTES_MAX ((rlim_t)1 << 30)
#define FILES_MAX ((rlim_t)16) /* five are needed: a socket, three /dev/null, a received file */
/* Includes mapped files; a debug file may have gigabytes. */
#define SPACE_BYTES_MAX ((rlim_t)32 << 30)

void sandbox_close_all_but(int fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = 0; i < 3; i++)
		if (i != fd && null >= 0)
			dup2(null, i);
	if (fd > 3)
		syscall(SYS_close_range, 3, fd - 1, 0);
	if (syscall(SYS_close_range, fd < 3 ? 3 : fd + 1, ~0U, 0) == 0)
		return;
	/* Linux before 5.9 has no close_range(2). */
	for (int i = 3, max = (int)sysconf(_SC_OPEN_MAX); i < max && i < 65536; i++)
		if (i != fd)
			close(i);
}

static int drop_user(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { { 0 } };

	/*
	 * In a container this user may not exist. The process then retains its user but loses its
	 * capabilities. After sandbox_enter() it cannot open files, whatever its user is.
	 */
	if (geteuid() == 0 && setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
	    setresuid(NOBODY, NOBODY, NOBODY) < 0 && errno != EINVAL && errno != EPERM)
		return -errno;
	if (syscall(SYS_capset, &header, none) < 0)
		return -errno;
	return 0;
}

#ifndef SANITIZED

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define THIS_ARCH AUDIT_ARCH_RISCV64
#else
#error "the seccomp filter of this architecture is missing"
#endif

/* clang-format off */
static const int allowed[] = {
	SYS_read, SYS_pread64, SYS_fstat, SYS_lseek, SYS_close, SYS_recvmsg, SYS_sendmsg,
	SYS_munmap, SYS_mremap, SYS_brk, SYS_madvise, SYS_futex, SYS_clock_gettime,
	SYS_getrandom, SYS_sysinfo /* qsort(3) of glibc */, SYS_exit, SYS_exit_group,
	SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_mincore /* libunwind: locks, initialization */,
};
/* clang-format on */

/*
 * These fail with EACCES. libdw tries to open further files by itself, and skips them then.
 * libunwind creates a pipe to test addresses of its own process, which is not unwound here.
 */
static const int refused[] = {
#ifdef SYS_open
	SYS_open,
#endif
#ifdef SYS_readlink
	SYS_readlink,
#endif
#ifdef SYS_stat
	SYS_stat,     SYS_lstat,      SYS_access,
#endif
	SYS_openat,   SYS_readlinkat, SYS_faccessat, SYS_getcwd, SYS_pipe2,
};

/* Allowed for memory that is not executable: no new code runs here. */
static const int mapping[] = { SYS_mmap, SYS_mprotect };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define STATEMENT(...) (filter[len++] = (struct sock_filter)BPF_STMT(__VA_ARGS__))
#define JUMP(...) (filter[len++] = (struct sock_filter)BPF_JUMP(__VA_ARGS__))
#define LOAD(member) \
	STATEMENT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, member))

static int lock_calls(void)
{
	struct sock_filter
		filter[4 + 2 * (COUNT_OF(allowed) + COUNT_OF(refused)) + 5 * COUNT_OF(mapping) + 6];
	struct sock_fprog program = { .filter = filter };
	unsigned short len = 0;

	LOAD(arch);
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
	STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	LOAD(nr);
	for (size_t i = 0; i < COUNT_OF(allowed); i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
		STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	for (size_t i = 0; i < COUNT_OF(mapping); i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)mapping[i], 0, 4);
		LOAD(args[2]); /* lower 32 bits: the protection */
		JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1);
		STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
		STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	/* glibc calls it for fstat(3). Without AT_EMPTY_PATH, it can stat any path: refuse it. */
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_newfstatat, 0, 4);
	LOAD(args[3]);
	JUMP(BPF_JMP | BPF_JSET | BPF_K, AT_EMPTY_PATH, 0, 1);
	STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refused[i], 0, 1);
		STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
	}
	STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	program.len = len;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return -errno;
	return 0;
}

static void limit(int resource, rlim_t most)
{
	struct rlimit rlimit = { .rlim_cur = most, .rlim_max = most };

	/* Fails only if the limit is lower already. */
	setrlimit(resource, &rlimit);
}

static void limit_memory(void)
{
	limit(RLIMIT_AS, SPACE_BYTES_MAX);
	limit(RLIMIT_DATA, HEAP_BYTES_MAX);
	limit(RLIMIT_NOFILE, FILES_MAX);
}

#else

static int lock_calls(void)
{
	return 0;
}

static void limit_memory(void)
{
}

#endif

int sandbox_drop_privileges(void)
{
	struct rlimit none = { .rlim_cur = 0, .rlim_max = 0 };
	int code;

	setrlimit(RLIMIT_CORE, &none);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	code = drop_user();
	if (code)
		return code;
	/* Set it after the change of user, which clears it. */
	return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 ? -errno : 0;
}

int sandbox_enter(void)
{
	struct rlimit none = { .rlim_cur = 0, .rlim_max = 0 };
	int code;

	setrlimit(RLIMIT_FSIZE, &none);
	limit_memory();
	code = sandbox_drop_privileges();
	if (code)
		return code;
	/* The change of user resets the dumpable attribute too. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -errno;
	return lock_calls();
}
