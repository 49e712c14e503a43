#include "engine/decode/call_text.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static const char *const signal_names[] = {
	"0",	    "SIGHUP",  "SIGINT",  "SIGQUIT",   "SIGILL",    "SIGTRAP", "SIGABRT",
	"SIGBUS",   "SIGFPE",  "SIGKILL", "SIGUSR1",   "SIGSEGV",   "SIGUSR2", "SIGPIPE",
	"SIGALRM",  "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",
	"SIGTTIN",  "SIGTTOU", "SIGURG",  "SIGXCPU",   "SIGXFSZ",   "SIGVTALRM", "SIGPROF",
	"SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS",    "SIGRTMIN",
};

static void add_signal(struct str *out, int64_t number)
{
	const int64_t names = sizeof(signal_names) / sizeof(signal_names[0]);

	if (number >= 0 && number < names) {
		str_add(out, signal_names[number]);
	} else if (number >= names && number <= 64) {
		str_addn(out, "SIGRT_", 6);
		str_addd(out, number - (names - 1));
	} else {
		str_addd(out, number);
	}
}

/* At least three digits, as %#03o: 000, 007, 0644. */
static void add_mode(struct str *out, uint64_t mode)
{
	char digits[24];
	size_t at = sizeof(digits);

	while (mode) {
		digits[--at] = (char)('0' + (mode & 7));
		mode >>= 3;
	}
	do
		digits[--at] = '0';
	while (sizeof(digits) - at < 3);
	str_addn(out, digits + at, sizeof(digits) - at);
}

static void add_pointer(struct str *out, uint64_t value)
{
	if (value)
		str_addx(out, value);
	else
		str_addn(out, "NULL", 4);
}

static void add_value(struct str *out, uint64_t value, unsigned kind, unsigned bytes)
{
	int64_t number = (int64_t)value;

	/* A register is wider than most arguments; its upper half is nobody's. */
	if (bytes == 4) {
		value = (uint32_t)value;
		number = (int32_t)value;
	} else if (bytes == 2) {
		value = (uint16_t)value;
		number = (int16_t)value;
	}
	switch ((enum arg_kind)kind) {
	case ARG_INT:
	case ARG_FD:
	case ARG_PID:
		str_addd(out, number);
		return;
	case ARG_UNSIGNED:
	case ARG_SIZE:
		str_addu(out, value);
		return;
	case ARG_DIR_FD:
		if (number == AT_FDCWD)
			str_addn(out, "AT_FDCWD", 8);
		else
			str_addd(out, number);
		return;
	case ARG_ID:
		if (number == -1)
			str_addn(out, "-1", 2);
		else
			str_addu(out, value);
		return;
	case ARG_POINTER:
	case ARG_PATH:
	case ARG_STRING:
		add_pointer(out, value);
		return;
	case ARG_MODE:
		add_mode(out, value);
		return;
	case ARG_SIGNAL:
		add_signal(out, number);
		return;
	case ARG_HEX:
	case ARG_NONE:
		break;
	}
	str_addx(out, value);
}

static unsigned futex_arg_count(uint64_t op)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_UNLOCK_PI:
	case FUTEX_TRYLOCK_PI:
		return 2;
	case FUTEX_WAKE:
	case FUTEX_FD:
		return 3;
	case FUTEX_WAIT:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return 4;
	case FUTEX_REQUEUE:
		return 5;
	default:
		return 6;
	}
}

static bool fcntl_has_arg(uint64_t command)
{
	switch ((uint32_t)command) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		return false;
	default:
		return true;
	}
}

static unsigned arg_count(const struct syscall_info *info, const struct call *call)
{
	bool creates;

	switch (call->nr) {
#ifdef SYS_open
	case SYS_open:
		creates = call->args[1] & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
		return creates ? info->arg_count : 2;
#endif
	case SYS_openat:
		creates = call->args[2] & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
		return creates ? info->arg_count : 3;
	case SYS_futex:
		return futex_arg_count(call->args[1]);
	case SYS_fcntl:
		return fcntl_has_arg(call->args[1]) ? info->arg_count : 2;
	case SYS_mremap:
		return call->args[3] & (MREMAP_FIXED | MREMAP_DONTUNMAP) ? info->arg_count : 4;
	default:
		return info->arg_count;
	}
}

unsigned call_text_arg_count(const struct syscalls *syscalls, const struct call *call)
{
	return arg_count(syscalls_info(syscalls, call->nr), call);
}

void call_text_arg(struct str *out, const struct syscalls *syscalls, const struct call *call,
		   unsigned index)
{
	const struct syscall_arg *arg = &syscalls_info(syscalls, call->nr)->args[index];

	if (index < SYSCALL_ARGS)
		add_value(out, call->args[index], arg->kind, arg->bytes);
}

void call_text(struct str *out, const struct syscalls *syscalls, const struct call *call,
	       const struct call_text_options *options)
{
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);
	unsigned count = arg_count(info, call);

	/* One growth for the whole line, so that the pieces only copy. */
	str_reserve(out, 256);
	if (call->nr >= SYSCALL_NR_MAX) {
		str_addn(out, "syscall_", 8);
		str_addu(out, call->nr);
	} else {
		str_add(out, info->name);
	}
	str_addc(out, '(');
	if (call->state == CALL_ORPHAN) {
		/* Its enter was not seen. */
		str_addn(out, "?)", 2);
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		const struct syscall_arg *arg = &info->args[i];
		if (i)
			str_addn(out, ", ", 2);
		if (options && options->arg_names) {
			str_add(out, arg->name);
			str_addc(out, '=');
		}
		add_value(out, call->args[i], arg->kind, arg->bytes);
	}
	str_addc(out, ')');
}

static void add_error(struct str *out, int number)
{
	const char *name = errno_name(number), *text = errno_text(number);

	if (!name) {
		str_addn(out, "-1 (errno ", 10);
		str_addd(out, number);
		str_addc(out, ')');
		return;
	}
	str_add(out, errno_is_restart(number) ? "? " : "-1 ");
	str_add(out, name);
	str_addn(out, " (", 2);
	if (text) {
		str_add(out, text);
	} else {
		str_add(out, "Unknown error ");
		str_addd(out, number);
	}
	str_addc(out, ')');
}

void call_text_result(struct str *out, const struct syscalls *syscalls, const struct call *call)
{
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);

	if (call->state != CALL_DONE && call->state != CALL_ORPHAN)
		str_addc(out, '?');
	else if (call_failed(call))
		add_error(out, (int)-call->ret);
	else if (info->result == ARG_POINTER)
		str_addx(out, (uint64_t)call->ret); /* an address of 0 is no failure: "0" */
	else
		add_value(out, (uint64_t)call->ret, info->result, 8);
}
