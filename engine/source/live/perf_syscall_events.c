#include "engine/source/live/perf_syscall_events.h"

#include "engine/source/tracefs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#define EVENT_BYTES 96

/* Learn the fields that all exit events share; they are looked up once. */
static bool learn(struct perf_decode *decode, const char *name)
{
	char tracefs[PATH_MAX], event[EVENT_BYTES];
	struct tracepoint *point;
	bool known;

	if (decode->single_ret.bytes)
		return true;
	snprintf(event, sizeof(event), "sys_exit_%s", name);
	if (tracefs_find(tracefs, sizeof(tracefs), NULL) ||
	    tracepoint_load(&point, tracefs, "syscalls", event, NULL))
		return false;
	/* The field was called "nr" until Linux 4.18. */
	known = (!tracepoint_field(point, "__syscall_nr", &decode->single_nr, NULL) ||
		 !tracepoint_field(point, "nr", &decode->single_nr, NULL)) &&
		!tracepoint_field(point, "ret", &decode->single_ret, NULL);
	tracepoint_free(point);
	if (decode->single_ret.bytes != sizeof(uint64_t))
		known = false;
	if (!known)
		decode->single_ret.bytes = 0;
	return known;
}

/* Learn the fields of an enter event: arguments and copied strings differ by call. */
static bool learn_enter(struct perf_decode *decode, const struct syscall_event *call)
{
	char tracefs[PATH_MAX], event[EVENT_BYTES];
	struct tracepoint *point;

	snprintf(event, sizeof(event), "sys_enter_%s", call->name);
	if (tracefs_find(tracefs, sizeof(tracefs), NULL) ||
	    tracepoint_load(&point, tracefs, "syscalls", event, NULL))
		return false;
	perf_decode_learn_single(decode, call->nr, point);
	tracepoint_free(point);
	return true;
}

static void prepare_one(struct perf_recipe *recipe, const struct syscall_event *call,
			const struct perf_decode *decode)
{
	memset(recipe, 0, sizeof(*recipe));
	recipe->kinds = 1u << PERF_KIND_ENTER | 1u << PERF_KIND_EXIT;
	recipe->single = true;
	for (int kind = PERF_KIND_ENTER; kind <= PERF_KIND_EXIT; kind++) {
		struct perf_event_attr *attr = &recipe->attrs[kind];
		uint64_t id = kind == PERF_KIND_EXIT ? call->exit_id : call->enter_id;

		if (decode->bare_calls)
			perf_attr_bare(attr, id);
		else
			perf_attr_tracepoint(attr, id, true, false);
	}
}

void perf_syscall_events_prepare(struct perf_syscall_events *singles,
				 const struct kernel_filter *filter, syscall_event_fn *name,
				 struct perf_decode *decode)
{
	struct syscall_event back = { .nr = SYS_rt_sigreturn };
	struct syscall_events calls;

	singles->count = singles->wanted = 0;
	if (!syscall_events_find(&calls, filter, name) || !learn(decode, calls.calls[0].name))
		return;
	for (size_t i = 0; i < calls.count; i++)
		if (!learn_enter(decode, &calls.calls[i]))
			return;
	for (size_t i = 0; i < calls.count; i++)
		prepare_one(&singles->recipes[i], &calls.calls[i], decode);
	singles->count = calls.count;
	singles->wanted = calls.wanted;
	/* rt_sigreturn shows that a signal handler ran. Its exit event never occurs. */
	back.name = name(SYS_rt_sigreturn);
	if (!back.name || !learn_enter(decode, &back))
		return;
	back.enter_id = syscall_events_id("enter", back.name);
	back.exit_id = syscall_events_id("exit", back.name);
	if (back.enter_id && back.exit_id)
		prepare_one(&singles->recipes[singles->count++], &back, decode);
}
