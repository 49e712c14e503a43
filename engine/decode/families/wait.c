/* Waiting for children; resource usage and limits. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/resource.h>
#include <sys/wait.h>

static void print_stop(struct printer *p, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;

	PUT(p, "{WIFSTOPPED(s) && WSTOPSIG(s) == ");
	show_signal(p, (uint64_t)(signal & ~0x80), NULL);
	if (signal & 0x80)
		PUT(p, " | 0x80");
	PUT(p, "}");
	if (event) {
		PUT(p, " | ");
		print_enum(p, (uint32_t)event, &ptrace_events);
		PUT(p, " << 16");
	}
}

static void show_wait_status(struct printer *p, uint64_t value, const void *data)
{
	int status = (int32_t)value;

	(void)data;
	if (status == 0xffff) {
		PUT(p, "{WIFCONTINUED(s)}");
	} else if (WIFSTOPPED(status)) {
		print_stop(p, status);
	} else if (WIFSIGNALED(status)) {
		PUT(p, "{WIFSIGNALED(s) && WTERMSIG(s) == ");
		show_signal(p, (uint64_t)WTERMSIG(status), NULL);
		if (WCOREDUMP(status))
			PUT(p, " && WCOREDUMP(s)");
		PUT(p, "}");
	} else if (WIFEXITED(status)) {
		PUT(p, "{WIFEXITED(s) && WEXITSTATUS(s) == ");
		str_addd(p->out, WEXITSTATUS(status));
		PUT(p, "}");
	} else {
		PUT(p, "{");
		show_hex(p, value, NULL);
		PUT(p, "}");
	}
}

static const struct pointee status_pointee = { 4, show_wait_status, NULL };

/* If the call found no child (result 0), the kernel does not store a status. */
static void show_status(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (p->call->ret)
		show_pointee(p, value, &status_pointee);
	else
		show_pointer(p, value, NULL);
}

static void show_rusage(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (p->call->ret)
		show_struct(p, value, &rusage_layout);
	else
		show_pointer(p, value, NULL);
}

SHORT_LAYOUT(rusage_layout, struct rusage, MEMBER_INNER(struct rusage, ru_utime, timeval_layout),
	     MEMBER_INNER(struct rusage, ru_stime, timeval_layout));

static void show_waitid_id(struct printer *p, uint64_t value, const void *data)
{
	if ((uint32_t)p->call->args[0] == P_PIDFD)
		show_fd(p, value, data);
	else
		show_int(p, value, data);
}

/* Show a limit; multiples of 1024 are written as such. */
static void show_limit(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (value == UINT64_MAX) {
		PUT(p, "RLIM64_INFINITY");
	} else if (value > 1024 && value % 1024 == 0) {
		str_addu(p->out, value / 1024);
		PUT(p, "*1024");
	} else {
		str_addu(p->out, value);
	}
}

static void show_old_limit(struct printer *p, uint64_t value, const void *data)
{
	if (value == UINT64_MAX)
		PUT(p, "RLIM64_INFINITY");
	else
		show_limit(p, value, data);
}

LAYOUT(limit_layout, struct rlimit64, MEMBER(struct rlimit64, rlim_cur, show_limit),
       MEMBER(struct rlimit64, rlim_max, show_limit));

LAYOUT(old_limit_layout, struct rlimit64, MEMBER(struct rlimit64, rlim_cur, show_old_limit),
       MEMBER(struct rlimit64, rlim_max, show_old_limit));

/* clang-format off */
static const struct call_form wait_forms[] = {
	{ .name = "wait4", .classes = PROCESS,
	  .prototype = "pid_t upid, int * stat_addr, int options, struct rusage * ru",
	  .args = { [1] = SHOW_OUT(show_status), [2] = FLAGS(wait_options),
		    [3] = SHOW_OUT(show_rusage) } },
	{ .name = "waitid", .classes = PROCESS,
	  .prototype = "int which, pid_t upid, struct siginfo * infop, int options, "
		       "struct rusage * ru",
	  .args = { [0] = ENUM(waitid_types), [1] = SHOW(show_waitid_id),
		    [2] = SHOW_OUT(show_siginfo), [3] = FLAGS(wait_options),
		    [4] = OUT(rusage_layout) } },
	{ .name = "getrusage",
	  .prototype = "int who, struct rusage * ru",
	  .args = { [0] = ENUM(rusage_whos), [1] = OUT(rusage_layout) } },
	{ .name = "getrlimit",
	  .prototype = "unsigned int resource, struct rlimit * rlim",
	  .args = { [0] = ENUM(rlimit_resources), [1] = OUT(old_limit_layout) } },
	{ .name = "setrlimit",
	  .prototype = "unsigned int resource, struct rlimit * rlim",
	  .args = { [0] = ENUM(rlimit_resources), [1] = IN(old_limit_layout) } },
	{ .name = "prlimit64",
	  .prototype = "pid_t pid, unsigned int resource, const struct rlimit64 * new_rlim, "
		       "struct rlimit64 * old_rlim",
	  .args = { [1] = ENUM(rlimit_resources), [2] = IN(limit_layout),
		    [3] = OUT(limit_layout) } },
	{ .name = "getpriority",
	  .prototype = "int which, int who",
	  .args = { [0] = ENUM(priority_whiches) } },
	{ .name = "setpriority",
	  .prototype = "int which, int who, int niceval",
	  .args = { [0] = ENUM(priority_whiches) } },
};
/* clang-format on */

CALL_FAMILY(wait);
