#include "engine/base/words.h"
#include "engine/filter/filter_tree.h"

#include <string.h>

/* -- Accessors --------------------------------------------------------------------------- */

static bool has_returned(const struct call *call)
{
	return call->state == CALL_DONE || call->state == CALL_ORPHAN;
}

#define READ(name, condition, what) \
	static bool read_##name(const struct call *call, const struct filter_reader *reader, \
				int64_t *value) \
	{ \
		(void)reader; \
		*value = (int64_t)(what); \
		return (condition); \
	}

READ(arg0, call->state != CALL_ORPHAN, call->args[0])
READ(arg1, call->state != CALL_ORPHAN, call->args[1])
READ(arg2, call->state != CALL_ORPHAN, call->args[2])
READ(arg3, call->state != CALL_ORPHAN, call->args[3])
READ(arg4, call->state != CALL_ORPHAN, call->args[4])
READ(arg5, call->state != CALL_ORPHAN, call->args[5])
READ(blocked, call_waits_are_known(call), call->blocked_ns)
READ(runnable, call_waits_are_known(call), call->runnable_ns)
READ(cpu, true, call->cpu)
READ(errno, has_returned(call), call_failed(call) ? -call->ret : 0)
READ(ret, has_returned(call), call->ret)
READ(pid, true, call->pid)
READ(tid, true, call->tid)
READ(waker, true, call->waker_tid)

/* Duration of a call; for a call in flight its age. */
static bool read_dur(const struct call *call, const struct filter_reader *reader, int64_t *ns)
{
	if (call->state == CALL_IN_FLIGHT) {
		if (!reader || reader->now_ns < call->enter_ns)
			return false;
		*ns = (int64_t)(reader->now_ns - call->enter_ns);
		return true;
	}
	*ns = call->dur_ns;
	return call->dur_ns >= 0;
}

/* Time since the start; negative for calls that were in flight at the start. */
static bool read_began(const struct call *call, const struct filter_reader *reader, int64_t *ns)
{
	if (!reader || call->state == CALL_ORPHAN)
		return false;
	*ns = (int64_t)(call->enter_ns - reader->start_ns);
	return true;
}

static bool read_ended(const struct call *call, const struct filter_reader *reader, int64_t *ns)
{
	if (call->state != CALL_DONE || !read_began(call, reader, ns))
		return false;
	*ns += call->dur_ns;
	return true;
}

static bool read_on_cpu(const struct call *call, const struct filter_reader *reader, int64_t *ns)
{
	if (!call_waits_are_known(call) || !read_dur(call, reader, ns))
		return false;
	*ns -= (int64_t)(call->blocked_ns + call->runnable_ns);
	if (*ns < 0)
		*ns = 0;
	return true;
}

static bool read_uid(const struct call *call, const struct filter_reader *reader, int64_t *value)
{
	uint32_t uid;

	if (!reader || !reader->uid || !reader->uid(reader->ctx, call, &uid))
		return false;
	*value = uid;
	return true;
}

static bool read_ppid(const struct call *call, const struct filter_reader *reader, int64_t *value)
{
	uint32_t parent = reader && reader->parent ? reader->parent(reader->ctx, call->pid) : 0;

	*value = parent;
	return parent != 0;
}

static const char *read_comm(const struct call *call, const struct filter_reader *reader)
{
	return reader && reader->comm ? reader->comm(reader->ctx, call) : NULL;
}

static const char *read_cgroup(const struct call *call, const struct filter_reader *reader)
{
	return reader && reader->cgroup ? reader->cgroup(reader->ctx, call) : NULL;
}

static const char *read_event(const struct call *call, const struct filter_reader *reader)
{
	return call->state == CALL_EVENT && reader && reader->event
		       ? reader->event(reader->ctx, call)
		       : NULL;
}

static const char *read_waker_comm(const struct call *call, const struct filter_reader *reader)
{
	return call->waker_tid && reader && reader->waker_comm
		       ? reader->waker_comm(reader->ctx, call)
		       : NULL;
}

/* -- Table of fields ------------------------------------------------------------------------- */

/* In the order of enum filter_field_id, which is alphabetical. */
/* clang-format off */
const struct filter_field filter_fields[] = {
	{ .name = "arg0", .type = FILTER_NUMBER,
	  .help = "first argument, raw register value",
	  .number = read_arg0 },
	{ .name = "arg1", .type = FILTER_NUMBER,
	  .help = "second argument",
	  .number = read_arg1 },
	{ .name = "arg2", .type = FILTER_NUMBER,
	  .help = "third argument",
	  .number = read_arg2 },
	{ .name = "arg3", .type = FILTER_NUMBER,
	  .help = "fourth argument",
	  .number = read_arg3 },
	{ .name = "arg4", .type = FILTER_NUMBER,
	  .help = "fifth argument",
	  .number = read_arg4 },
	{ .name = "arg5", .type = FILTER_NUMBER,
	  .help = "sixth argument",
	  .number = read_arg5 },
	{ .name = "args.NAME", .type = FILTER_ARGUMENT,
	  .help = "argument by its name in the prototype, in calls that have it" },
	{ .name = "began", .type = FILTER_DURATION, .unit = "ns",
	  .help = "entry time, since the start",
	  .number = read_began },
	{ .name = "blocked", .type = FILTER_DURATION, .unit = "ns",
	  .help = "time inside the call spent blocked, off the CPU",
	  .number = read_blocked },
	{ .name = "cgroup", .type = FILTER_TEXT,
	  .help = "cgroup of the thread; matches cgroups below it too",
	  .in_kernel = FILTER_BY_PROGRAMS, .of_events = true, .text = read_cgroup },
	{ .name = "comm", .type = FILTER_TEXT,
	  .help = "comm of the thread",
	  .of_events = true, .text = read_comm },
	{ .name = "cpu", .type = FILTER_NUMBER,
	  .help = "CPU on which the call was entered",
	  .of_events = true, .number = read_cpu },
	{ .name = "descendant", .type = FILTER_ANCESTOR,
	  .help = "the process is a descendant of the given one",
	  .of_events = true },
	{ .name = "dur", .type = FILTER_DURATION, .unit = "ns",
	  .help = "duration; for a call in flight, its age",
	  .in_kernel = FILTER_BY_PROGRAMS, .number = read_dur },
	{ .name = "ended", .type = FILTER_DURATION, .unit = "ns",
	  .help = "return time, since the start",
	  .number = read_ended },
	{ .name = "errno", .type = FILTER_ERRNO,
	  .help = "error of the call, 0 if it succeeded",
	  .in_kernel = FILTER_BY_PROGRAMS, .number = read_errno },
	{ .name = "event", .type = FILTER_TEXT,
	  .help = "name of the tracepoint, for events (-E)",
	  .in_kernel = FILTER_BY_EVENTS, .of_events = true, .text = read_event },
	{ .name = "failed", .type = FILTER_BOOL,
	  .help = "the call returned an error",
	  .in_kernel = FILTER_BY_PROGRAMS },
	{ .name = "fd", .type = FILTER_NUMBER,
	  .help = "a descriptor among the arguments, in arrays they point to, or returned" },
	{ .name = "in_flight", .type = FILTER_BOOL,
	  .help = "the call has not returned yet" },
	{ .name = "on_cpu", .type = FILTER_DURATION, .unit = "ns",
	  .help = "time on the CPU inside the call",
	  .number = read_on_cpu },
	{ .name = "path", .type = FILTER_TEXT,
	  .help = "a path among the arguments, or of a descriptor" },
	{ .name = "pid", .type = FILTER_NUMBER,
	  .help = "process",
	  .in_kernel = FILTER_BY_EVENTS, .of_events = true, .number = read_pid },
	{ .name = "ppid", .type = FILTER_NUMBER,
	  .help = "parent of the process",
	  .of_events = true, .number = read_ppid },
	{ .name = "ret", .type = FILTER_NUMBER,
	  .help = "return value of the call",
	  .number = read_ret },
	{ .name = "runnable", .type = FILTER_DURATION, .unit = "ns",
	  .help = "time inside the call spent waiting for a CPU",
	  .number = read_runnable },
	{ .name = "stack", .type = FILTER_TEXT,
	  .help = "a function on the stack of the call's longest wait" },
	{ .name = "syscall", .type = FILTER_SYSCALL,
	  .help = "name, number or %class of the call",
	  .in_kernel = FILTER_BY_EVENTS },
	{ .name = "tid", .type = FILTER_NUMBER,
	  .help = "thread",
	  .in_kernel = FILTER_BY_EVENTS, .of_events = true, .number = read_tid },
	{ .name = "uid", .type = FILTER_USER,
	  .help = "effective user of the thread",
	  .in_kernel = FILTER_BY_PROGRAMS, .of_events = true, .number = read_uid },
	{ .name = "waker", .type = FILTER_THREAD,
	  .help = "thread that woke the caller, 0 if unknown",
	  .number = read_waker, .text = read_waker_comm },
	{ .name = "waker_stack", .type = FILTER_TEXT,
	  .help = "a function on the stack of the waker at the wakeup" },
};
/* clang-format on */

const size_t filter_field_count = sizeof(filter_fields) / sizeof(filter_fields[0]);

_Static_assert(sizeof(filter_fields) / sizeof(filter_fields[0]) == FIELD_TASK,
	       "a field for each id");

static const struct {
	const char *name, *values, *operators;
} types[] = {
	[FILTER_NUMBER] = { "number", "a number", "== != < <= > >= & in" },
	[FILTER_DURATION] = { "duration", "a duration such as 10ms", "== != < <= > >= in" },
	[FILTER_TEXT] = { "text", "a name", "== != ~ !~ in" },
	[FILTER_SYSCALL] = { "system call", "a syscall, a number or a %class", "== != ~ !~ in" },
	[FILTER_ERRNO] = { "error", "an error such as EAGAIN", "== != in" },
	[FILTER_USER] = { "user", "a user or its number", "== != < <= > >= in" },
	[FILTER_BOOL] = { "yes or no", "nothing", "none" },
	[FILTER_ARGUMENT] = { "argument", "a number, a constant or a string",
			      "== != < <= > >= & ~ !~ in" },
	[FILTER_THREAD] = { "thread", "a thread or its name", "== != < <= > >= ~ !~ in" },
	[FILTER_ANCESTOR] = { "ancestor", "a process", "of" },
};

_Static_assert(sizeof(types) / sizeof(types[0]) == FILTER_TYPE_COUNT, "each type has a row");

const char *filter_type_name(enum filter_type type)
{
	return types[type].name;
}

const char *filter_type_values(enum filter_type type)
{
	return types[type].values;
}

const char *filter_type_operators(enum filter_type type)
{
	return types[type].operators;
}

int filter_field_find(const char *name, size_t len)
{
	if (len >= strlen(FILTER_ARGS) && !memcmp(name, FILTER_ARGS, strlen(FILTER_ARGS)))
		return FIELD_ARGUMENT;
	for (size_t i = 0; i < filter_field_count; i++)
		if (i != FIELD_ARGUMENT && strlen(filter_fields[i].name) == len &&
		    !memcmp(filter_fields[i].name, name, len))
			return (int)i;
	return -1;
}

const char *filter_field_nearest(const char *name, size_t len)
{
	struct words_nearest nearest = words_nearest_to(name, len);

	for (size_t i = 0; i < filter_field_count; i++)
		words_nearest_offer(&nearest, filter_fields[i].name);
	return nearest.found;
}
