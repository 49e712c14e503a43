/* Signals: sets, actions, stacks, payloads. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <stddef.h>
#include <string.h>

#define SIGNALS 64
#define SIGSET_BYTES 8

/* Append "INT", "RTMIN", "RT_3", as in signal sets. */
static void add_short_signal(struct printer *p, unsigned number)
{
	size_t before = p->out->len;

	show_signal(p, number, NULL);
	if (p->out->len > before + 3 && !strncmp(p->out->data + before, "SIG", 3)) {
		memmove(p->out->data + before, p->out->data + before + 3, p->out->len - before - 3);
		str_cut(p->out, p->out->len - 3);
	}
}

void print_sigset(struct printer *p, uint64_t bits)
{
	bool any = false;

	/* Choose the shorter form: the signals of the set, or those missing in it. */
	if (__builtin_popcountll(bits) >= SIGNALS * 2 / 3) {
		PUT(p, "~");
		bits = ~bits;
	}
	PUT(p, "[");
	for (unsigned signal = 1; signal <= SIGNALS; signal++) {
		if (!(bits >> (signal - 1) & 1))
			continue;
		if (any)
			PUT(p, " ");
		any = true;
		add_short_signal(p, signal);
	}
	PUT(p, "]");
}

void show_sigset(struct printer *p, uint64_t value, const void *data)
{
	const struct sigset_arg *set = data;
	uint64_t bits = 0, bytes = p->call->args[set->size_arg];

	if (bytes != SIGSET_BYTES || !printer_read(p, value, &bits, SIGSET_BYTES))
		show_pointer(p, value, NULL);
	else
		print_sigset(p, bits);
}

static const struct sigset_arg size_at[] = { { 0 }, { 1 }, { 2 }, { 3 }, { 4 }, { 5 } };

/* struct sigaction of the kernel, which differs from that of libc. */
struct kernel_sigaction {
	uint64_t handler;
	uint64_t flags;
	uint64_t restorer;
	uint64_t mask;
};

#define RESTORER 0x04000000u

static void show_sigaction(struct printer *p, uint64_t value, const void *data)
{
	struct kernel_sigaction action;

	(void)data;
	if (!printer_read(p, value, &action, sizeof(action))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{sa_handler=");
	if (action.handler == 0)
		PUT(p, "SIG_DFL");
	else if (action.handler == 1)
		PUT(p, "SIG_IGN");
	else if (action.handler == UINT64_MAX)
		PUT(p, "SIG_ERR");
	else
		str_addx(p->out, action.handler);
	PUT(p, ", sa_mask=");
	print_sigset(p, action.mask);
	PUT(p, ", sa_flags=");
	show_flags_long(p, action.flags, &sigaction_flags);
	if (action.flags & RESTORER) {
		PUT(p, ", sa_restorer=");
		show_pointer(p, action.restorer, NULL);
	}
	PUT(p, "}");
}

struct kernel_stack {
	uint64_t ss_sp;
	int32_t ss_flags;
	uint64_t ss_size;
};

static void show_stack(struct printer *p, uint64_t value, const void *data)
{
	struct kernel_stack stack;

	(void)data;
	if (!printer_read(p, value, &stack, sizeof(stack))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{ss_sp=");
	show_pointer(p, stack.ss_sp, NULL);
	PUT(p, ", ss_flags=");
	show_flags(p, (uint32_t)stack.ss_flags, &sigaltstack_flags);
	PUT(p, ", ss_size=");
	str_addu(p->out, stack.ss_size);
	PUT(p, "}");
}

/* The call has no arguments. A source that knows the stack pointer stores it as args[0]. */
static unsigned sigreturn_count(const struct call *call)
{
	return call->args[0] ? 1 : 0;
}

static void show_signal_frame(struct printer *p, uint64_t value, const void *data)
{
	uint64_t bits;

	(void)data;
	value += SIGNAL_FRAME_MASK;
	PUT(p, "{mask=");
	if (printer_read(p, value, &bits, sizeof(bits)))
		print_sigset(p, bits);
	else
		show_pointer(p, value, NULL);
	PUT(p, "}");
}

static void signal_result(struct printer *p)
{
	str_addd(p->out, p->call->ret);
	PUT(p, " (");
	show_signal(p, (uint64_t)p->call->ret, NULL);
	PUT(p, ")");
}

/* clang-format off */
static const struct call_form signal_forms[] = {
	{ .name = "rt_sigaction", .classes = SIGNAL,
	  .prototype = "int sig, const struct sigaction * act, struct sigaction * oact, "
		       "size_t sigsetsize",
	  .args = { [1] = SHOW(show_sigaction), [2] = SHOW_OUT(show_sigaction) } },
	{ .name = "rt_sigprocmask", .classes = SIGNAL,
	  .prototype = "int how, sigset_t * nset, sigset_t * oset, size_t sigsetsize",
	  .args = { [0] = ENUM(sigmask_hows), [1] = SHOW_WITH(show_sigset, &size_at[3]),
		    [2] = OUT_WITH(show_sigset, &size_at[3]) } },
	{ .name = "rt_sigreturn", .classes = SIGNAL,
	  .prototype = "struct rt_sigframe * frame",
	  .args = { [0] = SHOW(show_signal_frame) }, .count = sigreturn_count },
	{ .name = "rt_sigpending", .classes = SIGNAL,
	  .prototype = "sigset_t * uset, size_t sigsetsize",
	  .args = { [0] = OUT_WITH(show_sigset, &size_at[1]) } },
	{ .name = "rt_sigtimedwait", .classes = SIGNAL,
	  .prototype = "const sigset_t * uthese, siginfo_t * uinfo, "
		       "const struct __kernel_timespec * uts, size_t sigsetsize",
	  .args = { [0] = SHOW_WITH(show_sigset, &size_at[3]), [1] = SHOW_OUT(show_siginfo),
		    [2] = IN(timespec_layout) },
	  .result = signal_result },
	{ .name = "rt_sigqueueinfo", .classes = PROCESS | SIGNAL,
	  .prototype = "pid_t pid, int sig, siginfo_t * uinfo",
	  .args = { [2] = SHOW(show_siginfo) } },
	{ .name = "rt_tgsigqueueinfo", .classes = PROCESS | SIGNAL,
	  .prototype = "pid_t tgid, pid_t pid, int sig, siginfo_t * uinfo",
	  .args = { [3] = SHOW(show_siginfo) } },
	{ .name = "rt_sigsuspend", .classes = SIGNAL,
	  .prototype = "sigset_t * unewset, size_t sigsetsize",
	  .args = { [0] = SHOW_WITH(show_sigset, &size_at[1]) } },
	{ .name = "sigaltstack", .classes = SIGNAL,
	  .prototype = "const stack_t * uss, stack_t * uoss",
	  .args = { [0] = SHOW(show_stack), [1] = SHOW_OUT(show_stack) } },
	{ .name = "signalfd", .classes = DESC | SIGNAL,
	  .prototype = "int ufd, sigset_t * user_mask, size_t sizemask",
	  .args = { [1] = SHOW_WITH(show_sigset, &size_at[2]) },
	  .result = result_fd },
	{ .name = "signalfd4", .classes = DESC | SIGNAL,
	  .prototype = "int ufd, sigset_t * user_mask, size_t sizemask, int flags",
	  .args = { [1] = SHOW_WITH(show_sigset, &size_at[2]), [3] = FLAGS(signalfd_flags) },
	  .result = result_fd },
	{ .name = "pidfd_send_signal", .classes = DESC | PROCESS | SIGNAL,
	  .prototype = "int pidfd, int sig, siginfo_t * info, unsigned int flags",
	  .args = { [2] = SHOW(show_siginfo), [3] = SHOW(show_hex) } },
	{ .name = "kill", .classes = PROCESS | SIGNAL,
	  .prototype = "pid_t pid, int sig" },
	{ .name = "tkill", .classes = PROCESS | SIGNAL,
	  .prototype = "pid_t pid, int sig" },
	{ .name = "tgkill", .classes = PROCESS | SIGNAL,
	  .prototype = "pid_t tgid, pid_t pid, int sig" },
	{ .name = "pause", .classes = SIGNAL,
	  .prototype = "" },
	{ .name = "restart_syscall",
	  .prototype = "" },
};
/* clang-format on */

CALL_FAMILY(signal);
