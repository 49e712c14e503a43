#include "engine/source/perf/syscall_events.h"

#include "engine/source/tracefs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#define EVENT_BYTES 96

static uint64_t read_id(const char *tracefs, const char *half, const char *name)
{
	char event[EVENT_BYTES];
	char *text = NULL;
	uint64_t id = 0;

	snprintf(event, sizeof(event), "sys_%s_%s", half, name);
	if (!tracefs_read(tracefs, "syscalls", event, "id", &text, NULL, NULL))
		id = strtoull(text, NULL, 10);
	free(text);
	return id;
}

/* Find the selected numbers. False if the filter selects none by number, or too many. */
static bool find_numbers(struct syscall_events *calls, const struct kernel_filter *filter)
{
	if (!filter->by_syscall || filter->nothing)
		return false;
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		if (!kernel_filter_allows(filter, nr))
			continue;
		/* rt_sigreturn has no exit event: the signal frame overwrites its number. */
		if (nr == SYS_rt_sigreturn || calls->count == SYSCALL_EVENTS_MAX)
			return false;
		calls->calls[calls->count++].nr = nr;
	}
	return calls->count > 0;
}

/*
 * Find the tracepoints. False if one is missing: a call that the kernel does not implement has
 * none.
 */
static bool find_tracepoints(struct syscall_events *calls, syscall_event_fn *name)
{
	char tracefs[PATH_MAX];

	if (tracefs_find(tracefs, sizeof(tracefs), NULL))
		return false;
	for (size_t i = 0; i < calls->count; i++) {
		struct syscall_event *call = &calls->calls[i];

		call->name = name(call->nr);
		if (!call->name)
			return false;
		call->enter_id = read_id(tracefs, "enter", call->name);
		call->exit_id = read_id(tracefs, "exit", call->name);
		if (!call->enter_id || !call->exit_id)
			return false;
	}
	return true;
}

uint64_t syscall_events_id(const char *half, const char *name)
{
	char tracefs[PATH_MAX];

	return tracefs_find(tracefs, sizeof(tracefs), NULL) ? 0 : read_id(tracefs, half, name);
}

/* True for calls with a restart_block in the kernel, which holds their remaining time. */
static bool may_be_resumed(uint32_t nr)
{
	return nr == SYS_nanosleep || nr == SYS_clock_nanosleep || nr == SYS_poll ||
	       nr == SYS_futex;
}

/* Add restart_syscall if a wanted call may be resumed: its events show how the call continues. */
static void add_restart(struct syscall_events *calls, syscall_event_fn *name)
{
	struct syscall_event restart = { .nr = SYS_restart_syscall };
	bool wanted = false;

	for (size_t i = 0; i < calls->wanted; i++) {
		wanted = wanted || may_be_resumed(calls->calls[i].nr);
		if (calls->calls[i].nr == SYS_restart_syscall)
			return;
	}
	restart.name = wanted ? name(SYS_restart_syscall) : NULL;
	if (!restart.name)
		return;
	restart.enter_id = syscall_events_id("enter", restart.name);
	restart.exit_id = syscall_events_id("exit", restart.name);
	if (restart.enter_id && restart.exit_id)
		calls->calls[calls->count++] = restart;
}

bool syscall_events_find(struct syscall_events *calls, const struct kernel_filter *filter,
			 syscall_event_fn *name)
{
	calls->count = 0;
	if (name && find_numbers(calls, filter) && find_tracepoints(calls, name)) {
		calls->wanted = calls->count;
		add_restart(calls, name);
		return true;
	}
	calls->count = calls->wanted = 0;
	return false;
}

void syscall_events_say(char *out, size_t out_bytes, bool all, size_t count)
{
	if (all || !count)
		snprintf(out, out_bytes, "%s calls", all ? "all" : "no");
	else
		snprintf(out, out_bytes, "%zu call%s", count, count == 1 ? "" : "s");
}
