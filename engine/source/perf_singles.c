#include "engine/source/perf_singles.h"

#include "engine/source/tracefs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#define EVENT_BYTES 96

/* The numbers that are wanted, or 0 if events of their own are not for them. */
static size_t find_numbers(const struct kernel_filter *filter, uint32_t *numbers)
{
	size_t count = 0;

	if (!filter->by_syscall || filter->nothing)
		return 0;
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		if (!kernel_filter_allows(filter, nr))
			continue;
		/* The signal frame takes the number with it, so its exit event never comes. */
		if (nr == SYS_rt_sigreturn || count == PERF_SINGLES_MAX)
			return 0;
		numbers[count++] = nr;
	}
	return count;
}

bool perf_singles_suit(const struct kernel_filter *filter)
{
	uint32_t numbers[PERF_SINGLES_MAX];

	return find_numbers(filter, numbers) > 0;
}

/* All of these events have the same fields; those that are needed are looked up once. */
static bool learn(struct perf_decode *decode, const char *tracefs, const char *exit_event)
{
	struct tracepoint *point;
	bool known;

	if (decode->single_ret.bytes)
		return true;
	if (tracepoint_load(&point, tracefs, "syscalls", exit_event, NULL))
		return false;
	/* "nr" until Linux 4.18. */
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

static uint64_t read_id(const char *tracefs, const char *event)
{
	char *text = NULL;
	uint64_t id = 0;

	if (!tracefs_read(tracefs, "syscalls", event, "id", &text, NULL, NULL))
		id = strtoull(text, NULL, 10);
	free(text);
	return id;
}

static bool prepare_one(struct perf_recipe *recipe, const char *tracefs, const char *name,
			struct perf_decode *decode)
{
	char enter[EVENT_BYTES], exit[EVENT_BYTES];
	uint64_t ids[2];

	snprintf(enter, sizeof(enter), "sys_enter_%s", name);
	snprintf(exit, sizeof(exit), "sys_exit_%s", name);
	ids[0] = read_id(tracefs, enter);
	ids[1] = read_id(tracefs, exit);
	if (!ids[0] || !ids[1] || !learn(decode, tracefs, exit))
		return false;
	memset(recipe, 0, sizeof(*recipe));
	recipe->kinds = 1u << PERF_KIND_ENTER | 1u << PERF_KIND_EXIT;
	recipe->single = true;
	for (int kind = PERF_KIND_ENTER; kind <= PERF_KIND_EXIT; kind++) {
		struct perf_event_attr *attr = &recipe->attrs[kind];
		uint64_t id = ids[kind == PERF_KIND_EXIT];

		if (decode->bare_calls)
			perf_attr_bare(attr, id);
		else
			perf_attr_tracepoint(attr, id, true, false);
	}
	return true;
}

void perf_singles_prepare(struct perf_singles *singles, const struct kernel_filter *filter,
			  syscall_event_fn *name, struct perf_decode *decode)
{
	uint32_t numbers[PERF_SINGLES_MAX];
	size_t count = name ? find_numbers(filter, numbers) : 0;
	char tracefs[PATH_MAX];

	singles->count = 0;
	if (!count || tracefs_find(tracefs, sizeof(tracefs), NULL))
		return;
	for (size_t i = 0; i < count; i++) {
		const char *of = name(numbers[i]);

		if (!of || !prepare_one(&singles->recipes[i], tracefs, of, decode))
			return;
	}
	singles->count = count;
}
