#include "engine/decode/call_text.h"

#include "engine/base/mem.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"
#include "tests/unit/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ONES UINT64_MAX

static struct syscalls *syscalls;

static void setup(void)
{
	syscalls = syscalls_load(NULL);
}

static void teardown(void)
{
	syscalls_free(syscalls);
}

static const struct {
	struct call call;
	const char *text, *result;
} cases[] = {
	{ { .state = CALL_DONE, .nr = SYS_read, .args = { 3, 0x7ffd12345678, 4096 }, .ret = 832 },
	  "read(3, 0x7ffd12345678, 4096)",
	  "832" },
	{ { .state = CALL_DONE,
	    .nr = SYS_openat,
	    .args = { (uint32_t)AT_FDCWD, 0x55aa, 0x80000, 9 },
	    .ret = -ENOENT },
	  "openat(AT_FDCWD, 0x55aa, O_RDONLY|O_CLOEXEC)",
	  "-1 ENOENT (No such file or directory)" },
	{ { .state = CALL_DONE,
	    .nr = SYS_openat,
	    .args = { 5, 0x55aa, O_CREAT | O_WRONLY, 0644 },
	    .ret = 4 },
	  "openat(5, 0x55aa, O_WRONLY|O_CREAT, 0644)",
	  "4" },
	/* The kernel ignores the upper half of the register. */
	{ { .state = CALL_DONE, .nr = SYS_close, .args = { 0xdeadbeef00000003 }, .ret = 0 },
	  "close(3)",
	  "0" },
	{ { .state = CALL_DONE,
	    .nr = SYS_mmap,
	    .args = { 0, 8192, 3, 0x22, 0xffffffff, 0 },
	    .ret = 0x7f1234567000 },
	  "mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0)",
	  "0x7f1234567000" },
	{ { .state = CALL_DONE, .nr = SYS_mmap, .args = { 0 }, .ret = -ENOMEM },
	  "mmap(NULL, 0, PROT_NONE, MAP_FILE, 0, 0)",
	  "-1 ENOMEM (Cannot allocate memory)" },
	{ { .state = CALL_DONE, .nr = SYS_brk, .args = { 0 }, .ret = 0x5555 },
	  "brk(NULL)",
	  "0x5555" },
	{ { .state = CALL_DONE, .nr = SYS_kill, .args = { (uint32_t)-7, SIGTERM }, .ret = -ESRCH },
	  "kill(-7, SIGTERM)",
	  "-1 ESRCH (No such process)" },
	{ { .state = CALL_DONE, .nr = SYS_kill, .args = { 1, 64 }, .ret = 0 },
	  "kill(1, SIGRT_32)",
	  "0" },
	{ { .state = CALL_DONE, .nr = SYS_kill, .args = { 1, 65 }, .ret = 0 }, "kill(1, 65)", "0" },
	{ { .state = CALL_DONE, .nr = SYS_lseek, .args = { 3, ONES - 4, 1 }, .ret = 4294967296 },
	  "lseek(3, -5, SEEK_CUR)",
	  "4294967296" },
	{ { .state = CALL_DONE, .nr = SYS_fchown, .args = { 3, ONES, 4294967294 }, .ret = 0 },
	  "fchown(3, -1, 4294967294)",
	  "0" },
	{ { .state = CALL_DONE, .nr = SYS_umask, .args = { 022 }, .ret = 0 }, "umask(022)", "000" },
	{ { .state = CALL_DONE, .nr = SYS_nanosleep, .args = { 0x10, 0 }, .ret = -516 },
	  "nanosleep(0x10, NULL)",
	  "? ERESTART_RESTARTBLOCK (Interrupted by signal)" },
	{ { .state = CALL_DONE, .nr = SYS_getrusage, .args = { (uint32_t)-2, 16 }, .ret = -EINVAL },
	  "getrusage(RUSAGE_BOTH, 0x10)",
	  "-1 EINVAL (Invalid argument)" },
	{ { .state = CALL_DONE, .nr = SYS_fcntl, .args = { 0, 12, 16 }, .ret = -EINVAL },
	  "fcntl(0, F_GETLK64, 0x10)",
	  "-1 EINVAL (Invalid argument)" },
	{ { .state = CALL_DONE, .nr = SYS_fcntl, .args = { 0, 17, 0 }, .ret = -EFAULT },
	  "fcntl(0, F_GETOWNER_UIDS, 0)",
	  "-1 EFAULT (Bad address)" },
	/* The kernel uses only 32 bits of the arguments of these calls. */
	{ { .state = CALL_DONE,
	    .nr = SYS_prctl,
	    .args = { 62, ONES << 32 | 1, ONES << 32 | 2, ONES << 32 | 1, 0 },
	    .ret = -EINVAL },
	  "prctl(PR_SCHED_CORE, PR_SCHED_CORE_CREATE, 2, 0x1 /* PIDTYPE_TGID */, NULL)",
	  "-1 EINVAL (Invalid argument)" },
	{ { .state = CALL_DONE, .nr = SYS_rt_sigreturn, .args = { 0, 5 }, .ret = 1 },
	  "rt_sigreturn()",
	  "1" },
	{ { .state = CALL_DONE, .nr = SYS_pause, .ret = -514 },
	  "pause()",
	  "? ERESTARTNOHAND (To be restarted if no handler)" },
	{ { .state = CALL_DONE, .nr = SYS_read, .args = { 1, 2, 3 }, .ret = -524 },
	  "read(1, 0x2, 3)",
	  "-1 ENOTSUPP (Unknown error 524)" },
	{ { .state = CALL_DONE, .nr = SYS_read, .args = { 1, 2, 3 }, .ret = -4000 },
	  "read(1, 0x2, 3)",
	  "-1 (errno 4000)" },
	{ { .state = CALL_DONE, .nr = SYS_read, .args = { 1, 2, ONES }, .ret = -4096 },
	  "read(1, 0x2, 18446744073709551615)",
	  "-4096" },
	{ { .state = CALL_IN_FLIGHT, .nr = SYS_read, .args = { 1, 2, 3 } },
	  "read(1, 0x2, 3)",
	  "?" },
	{ { .state = CALL_ENDED, .nr = SYS_exit_group, .args = { 1 } }, "exit_group(1)", "?" },
	{ { .state = CALL_ORPHAN, .nr = SYS_read, .ret = 5 }, "read(?)", "5" },
	{ { .state = CALL_DONE, .nr = 400, .args = { 0, 1, 2, 3, 4, 0xff }, .ret = -ENOSYS },
	  "syscall_0x190(0, 0x1, 0x2, 0x3, 0x4, 0xff)",
	  "-1 ENOSYS (Function not implemented)" },
	{ { .state = CALL_DONE, .nr = 5000, .args = { 0 }, .ret = -ENOSYS },
	  "syscall_0x1388(0, 0, 0, 0, 0, 0)",
	  "-1 ENOSYS (Function not implemented)" },
	/* Sources clamp the number: the real one can be higher, or negative. */
	{ { .state = CALL_DONE, .nr = UINT16_MAX, .args = { 0 }, .ret = -ENOSYS },
	  "syscall_0xffff+(0, 0, 0, 0, 0, 0)",
	  "-1 ENOSYS (Function not implemented)" },
	{ { .state = CALL_DONE, .nr = SYS_futex, .args = { 0x1000, 129, 1, 9, 9, 9 }, .ret = 1 },
	  "futex(0x1000, FUTEX_WAKE_PRIVATE, 1)",
	  "1" },
	{ { .state = CALL_DONE, .nr = SYS_futex, .args = { 0x1000, 128, 2, 0, 9, 9 }, .ret = 0 },
	  "futex(0x1000, FUTEX_WAIT_PRIVATE, 2, NULL)",
	  "0" },
	{ { .state = CALL_DONE, .nr = SYS_fcntl, .args = { 1, F_GETFL, 77 }, .ret = 2 },
	  "fcntl(1, F_GETFL)",
	  "0x2 (flags O_RDWR)" },
};

static void text_of(struct str *out, const struct call *call)
{
	str_clear(out);
	call_text(out, syscalls, call, NULL);
}

START_TEST(calls_read_as_strace_writes_them)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct str out = STR_INIT;

		text_of(&out, &cases[i].call);
		ck_assert_msg(!strcmp(out.data, cases[i].text), "%s instead of %s", out.data,
			      cases[i].text);
		str_clear(&out);
		call_text_result(&out, syscalls, &cases[i].call, NULL);
		ck_assert_msg(!strcmp(out.data, cases[i].result), "%s = %s instead of %s",
			      cases[i].text, out.data, cases[i].result);
		str_release(&out);
	}
}
END_TEST

START_TEST(arguments_have_names_on_demand)
{
	struct call_text_options options = { .arg_names = true };
	struct str out = STR_INIT;

	call_text(&out, syscalls, &cases[0].call, &options);
	ck_assert_str_eq(out.data, "read(fd=3, buf=0x7ffd12345678, count=4096)");
	str_clear(&out);
	call_text_arg(&out, syscalls, &cases[1].call, 0, NULL);
	ck_assert_str_eq(out.data, "AT_FDCWD");
	ck_assert_uint_eq(call_text_arg_count(syscalls, &cases[1].call), 3);
	str_release(&out);
}
END_TEST

/* Calls that are made under strace: the lines of strace and stxtop must be equal. */
static const struct {
	long nr;
	uint64_t args[SYSCALL_ARGS];
} real[] = {
	{ SYS_close, { ONES } },
	{ SYS_close, { 99 } },
	{ SYS_read, { 99, 0x1000, 4096 } },
	{ SYS_read, { ONES, 0, 0 } },
	{ SYS_write, { 99, 0, 0 } },
	{ SYS_pread64, { 99, 0x10, 4096, 7 } },
	{ SYS_dup, { 98 } },
	{ SYS_dup2, { 98, 99 } },
	{ SYS_dup3, { 98, 98, 0 } },
	{ SYS_unlink, { 0 } },
	{ SYS_unlink, { 0x10 } },
	{ SYS_mkdir, { 0, 0755 } },
	{ SYS_mkdir, { 0x10, 0 } },
	{ SYS_mkdir, { 0x10, 7 } },
	{ SYS_mkdirat, { (uint32_t)AT_FDCWD, 0, 07777 } },
	{ SYS_mkdirat, { 99, 0, 0700 } },
	{ SYS_chmod, { 0, 0644 } },
	{ SYS_fchmod, { 99, 04755 } },
	{ SYS_fchown, { 99, ONES, 1000 } },
	{ SYS_kill, { 0x7fffffff, 0 } },
	{ SYS_kill, { 0x7fffffff, SIGUSR1 } },
	{ SYS_tgkill, { 0x7fffffff, 0x7ffffffe, 34 } },
	{ SYS_tkill, { 0x7fffffff, 32 } },
	{ SYS_setresuid, { ONES, ONES, ONES } },
	{ SYS_ftruncate, { 99, 5 } },
	{ SYS_munmap, { 1, 4096 } },
	{ SYS_nanosleep, { 0, 0 } },
	{ SYS_epoll_create, { 0 } },
	{ SYS_listen, { 99, 128 } },
	{ SYS_umask, { 027 } },
	{ SYS_umask, { 022 } },
	{ SYS_getpgid, { 0x7fffffff } },
	{ SYS_fsync, { 99 } },
	{ SYS_fdatasync, { 99 } },
	{ SYS_timerfd_gettime, { 99, 0 } },
	{ SYS_sched_yield, { 0 } },
	{ SYS_getpid, { 0 } },
	{ SYS_getuid, { 0 } },
	{ SYS_gettid, { 0 } },
	{ SYS_brk, { 0 } },
	{ SYS_chdir, { 0 } },
	{ SYS_readlink, { 0, 0, 64 } },
	{ SYS_symlink, { 0, 0x20 } },
	{ SYS_sethostname, { 0, 65 } },
	{ SYS_getcwd, { 0, 4096 } },
	{ SYS_pipe, { 0 } },
	{ SYS_alarm, { 0 } },
	{ SYS_fallocate, { 99, 0, 5, 10 } },
	{ SYS_set_robust_list, { 0, 1 } },
	{ SYS_futex, { 0, 129, 1 } },
};

/* Wait until the parent has attached strace, then make the calls. Does not return. */
static void make_calls(int go, int64_t *results)
{
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(1);
	for (size_t i = 0; i < COUNT(real); i++) {
		const uint64_t *a = real[i].args;
		long ret = syscall(real[i].nr, a[0], a[1], a[2], a[3], a[4], a[5]);
		results[i] = ret == -1 ? -errno : ret;
	}
	_exit(0);
}

static bool is_traced(pid_t pid)
{
	char path[64], line[128];
	int tracer = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "TracerPid: %d", &tracer) == 1)
			break;
	if (status)
		fclose(status);
	return tracer != 0;
}

/* Run strace on the process of make_calls(); false: strace cannot attach. */
static bool trace_calls(const char *output, int64_t *results)
{
	int go[2], status, waited_ms = 0;
	pid_t caller, tracer;
	char pid_text[16];

	ck_assert(!pipe2(go, O_CLOEXEC));
	caller = fork();
	if (!caller)
		make_calls(go[0], results);
	snprintf(pid_text, sizeof(pid_text), "%d", (int)caller);
	tracer = fork();
	if (!tracer) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(null, 2);
		execlp("strace", "strace", "-qq", "-e", "signal=none", "-o", output, "-p", pid_text,
		       (char *)NULL);
		_exit(127);
	}
	while (!is_traced(caller) && waited_ms < 5000 && waitpid(tracer, &status, WNOHANG) == 0) {
		poll(NULL, 0, 5);
		waited_ms += 5;
	}
	if (!is_traced(caller)) {
		kill(caller, SIGKILL);
		kill(tracer, SIGKILL);
		waitpid(caller, NULL, 0);
		waitpid(tracer, NULL, 0);
		return false;
	}
	ck_assert_int_eq(write(go[1], "g", 1), 1);
	waitpid(caller, &status, 0);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	waitpid(tracer, NULL, 0);
	return true;
}

/* Remove the blanks with which strace pads a call: "close(3)     = 0". */
static void squeeze(char *line)
{
	char *equals = strstr(line, " = "), *end = equals;

	line[strcspn(line, "\n")] = '\0';
	if (!equals)
		return;
	while (end > line && end[-1] == ' ')
		end--;
	memmove(end, equals, strlen(equals) + 1);
}

START_TEST(lines_are_those_of_strace)
{
	char output[TEMPORARY_PATH_MAX], line[512];
	int64_t *results = mmap(NULL, sizeof(*results) * COUNT(real), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = temporary_file(output, "call-text");
	size_t at = 0;
	FILE *lines;

	ck_assert(fd >= 0 && results != MAP_FAILED);
	if (!trace_calls(output, results)) {
		unlink(output);
		test_skip("lines_are_those_of_strace: strace cannot trace here");
	}
	lines = fdopen(fd, "r");
	while (fgets(line, sizeof(line), lines) && at < COUNT(real)) {
		struct call call = { .state = CALL_DONE,
				     .nr = (uint16_t)real[at].nr,
				     .ret = results[at] };
		struct str out = STR_INIT;

		squeeze(line);
		/* The first lines show the read() that waited for strace. */
		if (!at && strncmp(line, "close(", 6) != 0)
			continue;
		memcpy(call.args, real[at].args, sizeof(call.args));
		call_text(&out, syscalls, &call, NULL);
		str_add(&out, " = ");
		call_text_result(&out, syscalls, &call, NULL);
		ck_assert_msg(!strcmp(out.data, line), "%s instead of %s", out.data, line);
		str_release(&out);
		at++;
	}
	fclose(lines);
	unlink(output);
	ck_assert_uint_eq(at, COUNT(real));
}
END_TEST

Suite *suite_call_text(void);
Suite *suite_call_text(void)
{
	Suite *suite = suite_create("call_text");
	TCase *tests = tcase_create("call_text");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 30);
	tcase_add_test(tests, calls_read_as_strace_writes_them);
	tcase_add_test(tests, arguments_have_names_on_demand);
	tcase_add_test(tests, lines_are_those_of_strace);
	suite_add_tcase(suite, tests);
	return suite;
}
