/*
 * fuzz_filter - any text as a filter: refused with a column inside it, or its
 * normal form parses to the same filter, and its kernel half lets through
 * whatever the whole accepts.
 */
#include "engine/filter/filter_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 16

struct term_list {
	char *terms[64];
	size_t count;
	bool is_full;
};

static void take_term(void *ctx, const char *term)
{
	struct term_list *list = ctx;

	list->is_full |= list->count == 64;
	if (!list->is_full)
		list->terms[list->count++] = strdup(term);
}

/* What is taken apart can be put together again. */
static void check_terms(const struct filter *filter)
{
	struct term_list list = { .count = 0 };
	struct filter_error error;
	struct filter *again;

	filter_each_term(filter, take_term, &list);
	if (!list.is_full) {
		if (filter_join(&again, (const char *const *)list.terms, list.count, &names,
				&error))
			abort();
		check_same(filter, again);
		filter_free(again);
	}
	for (size_t i = 0; i < list.count; i++)
		free(list.terms[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *comm(void *ctx, const struct call *call)
{
	static const char *const names[] = { "nginx", "", "a\"b\\\033", "futex" };

	(void)ctx;
	return names[call->comm_id % 4];
}

/* Calls of every state, with small numbers: those that a filter is likely to name. */
static struct call call_of(unsigned int i)
{
	return (struct call){
		.enter_ns = 1000 + i,
		.dur_ns = i % 5 ? (int64_t)i * 1000003 : -1,
		.args = { i, 2, 3, UINT64_MAX, 5, 6 },
		.ret = i % 3 ? -(int64_t)i : (int64_t)i,
		.blocked_ns = i * 100,
		.pid = 1 + i % 4,
		.tid = 1 + i % 7,
		.comm_id = i,
		.nr = (uint16_t)(i % 2 ? i : i * 40),
		.cpu = (uint16_t)(i % 3),
		.state = (uint8_t)(i % CALL_GAP),
	};
}

static bool contains(const uint32_t *ids, size_t count, uint32_t id)
{
	for (size_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static bool kernel_lets_through(const struct kernel_filter *half, const struct call *call)
{
	if (half->nothing || !kernel_filter_allows(half, call->nr) ||
	    contains(half->not_pids, half->not_pid_count, call->pid))
		return false;
	return (!half->pid_count && !half->tid_count) ||
	       contains(half->pids, half->pid_count, call->pid) ||
	       contains(half->tids, half->tid_count, call->tid);
}

static void check_same(struct filter *filter, struct filter *again)
{
	struct filter_reader reader = { .comm = comm, .now_ns = 5000000 };
	struct kernel_filter half;

	if (strcmp(filter_text(filter), filter_text(again)))
		abort();
	filter_kernel_half(filter, &half);
	for (unsigned int i = 0; i < CALLS; i++) {
		struct call call = call_of(i);
		bool match = filter_match(filter, &call, &reader);

		if (match != filter_match(again, &call, &reader))
			abort();
		if (match && !kernel_lets_through(&half, &call))
			abort();
	}
	kernel_filter_release(&half);
}

static void candidate(void *ctx, const char *text, const char *help)
{
	size_t *count = ctx;

	*count += strlen(text) + (help ? strlen(help) : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct syscalls *syscalls;
	static struct filter_names names;
	struct filter *filter = NULL, *again = NULL;
	struct filter_error error = { .column = 0 };
	struct str explained = STR_INIT;
	size_t count = 0;
	char *text;

	if (!syscalls) {
		syscalls = syscalls_load(NULL);
		filter_names_init(&names, syscalls);
	}
	text = malloc(size + 1);
	memcpy(text, data, size);
	text[size] = '\0';
	if (filter_parse(&filter, text, &names, &error)) {
		if (error.column > strlen(text) || !error.err.text[0])
			abort();
	} else {
		if (filter_parse(&again, filter_text(filter), &names, &error))
			abort();
		check_same(filter, again);
		filter_free(again);
		check_terms(filter);
		filter_explain(filter, FILTER_BY_PROGRAMS, &explained);
		filter_free(filter);
	}
	if (!filter_parse_syscall_set(&filter, text, &names, &error))
		filter_free(filter);
	filter_complete(text, strlen(text) / 2, &names, candidate, &count);
	str_release(&explained);
	free(text);
	return 0;
}
