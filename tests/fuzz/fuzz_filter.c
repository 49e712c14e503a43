/*
 * fuzz_filter - any text as a filter. An error has a column inside the text. Otherwise the normal
 * form parses to the same filter. The pushdown passes every call that the filter matches, or whose
 * match is pending.
 */
#include "engine/filter/filter_names.h"
#include "engine/filter/filter_tree.h"
#include "engine/source/perf/perf_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 24

static struct filter_names names;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *comm(void *ctx, const struct call *call)
{
	static const char *const names[] = { "nginx", "", "a\"b\\\033", "futex" };

	(void)ctx;
	return names[call->comm_id % 4];
}

/* Make a call; calls have every state and small numbers, which a filter is likely to contain. */
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
		.nr = (uint16_t)(i % 4 == 1   ? 202
				 : i % 4 == 2 ? 257
				 : i % 4 == 3 ? i
					      : i * 80),
		.cpu = (uint16_t)(i % 3),
		.waker_tid = i % 4,
		.stack_id = i % 6,
		.waker_stack_id = i % 5,
		.state = (uint8_t)(i % CALL_GAP),
	};
}

static const char *waker_comm(void *ctx, const struct call *call)
{
	(void)ctx;
	return call->waker_tid % 2 ? "nginx" : NULL;
}

/* Processes 1 to 4 are their own parents. */
static uint32_t parent(void *ctx, uint32_t pid)
{
	(void)ctx;
	return pid % 5;
}

static bool bytes(void *ctx, const struct call *call, unsigned arg, const char **bytes, size_t *len,
		  bool *pending)
{
	static const char text[] = "/etc/passwd\0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\377!";

	(void)pending;
	(void)ctx;
	*bytes = text;
	*len = sizeof(text) - 1 - call->nr % 8;
	return call->args[arg] % 3;
}

static bool path(void *ctx, const struct call *call, unsigned index, char *out, bool *pending)
{
	(void)pending;
	(void)ctx;
	snprintf(out, FILTER_PATH_BYTES, "%s", index ? "" : "/usr/lib/x86_64-linux-gnu/libc.so.6");
	return index < call->nr % 3;
}

static size_t fds(void *ctx, const struct call *call, int32_t *fds, bool *pending)
{
	(void)pending;
	(void)ctx;
	fds[0] = (int32_t)call->args[0];
	return call->nr % 2;
}

static bool symbols(void *ctx, uint32_t stack_id, bool (*each)(void *to, const char *name),
		    void *to, bool *pending, bool *cut)
{
	(void)ctx;
	*pending = stack_id % 3 == 0;
	*cut = stack_id % 5 == 0;
	return each(to, stack_id % 2 ? "futex_wait" : "main");
}

static const char *cgroup(void *ctx, const struct call *call)
{
	(void)ctx;
	return call->pid % 2 ? "/system.slice/nginx.service" : "/";
}

static bool uid(void *ctx, const struct call *call, uint32_t *uid)
{
	(void)ctx;
	*uid = call->pid % 3;
	return call->pid % 4;
}

static bool gave_up(const struct filter *filter)
{
	struct str note = STR_INIT;
	bool any;

	filter_note(filter, &note);
	any = note.len > 0;
	str_release(&note);
	return any;
}

/* Both filters have the same text and answers; the pushdown passes each call they do not drop. */
static void check_same(struct filter *filter, struct filter *again)
{
	struct filter_reader reader = {
		.comm = comm,
		.uid = uid,
		.cgroup = cgroup,
		.fds = fds,
		.path = path,
		.waker_comm = waker_comm,
		.parent = parent,
		.bytes = bytes,
		.symbols = symbols,
		.symbols_version = 1,
		.now_ns = 5000000,
	};
	struct str string = STR_INIT;
	struct kernel_filter half;

	if (strcmp(filter_text(filter), filter_text(again)))
		abort();
	filter_kernel_half(filter, &half);
	perf_filter_format(&string, &half, half.not_pids, half.not_pid_count);
	if (string.len >= PERF_FILTER_BYTES)
		abort();
	for (unsigned int i = 0; i < CALLS; i++) {
		struct call call = call_of(i);
		enum filter_answer answer = filter_ask(filter, &call, &reader);

		/* A pattern that reached its limit can give another answer the next time. */
		if (answer != filter_ask(again, &call, &reader) && !gave_up(filter))
			abort();
		if (answer != FILTER_NO &&
		    !kernel_filter_passes(&half, call.pid, call.tid, call.nr))
			abort();
	}
	kernel_filter_release(&half);
	str_release(&string);
}

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

/* The filter's terms, joined, give the same filter. */
static void check_terms(struct filter *filter)
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

static void candidate(void *ctx, const char *text, const char *help)
{
	size_t *count = ctx;

	*count += strlen(text) + (help ? strlen(help) : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct syscalls *syscalls;
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
	if (filter_parse_bounded(&filter, text, size, &names, FILTER_TEXT_BYTES, &error)) {
		if (error.column > size || !error.err.text[0] || !error.length)
			abort();
	} else {
		if (filter_parse(&again, filter_text(filter), &names, &error))
			abort();
		check_same(filter, again);
		filter_free(again);
		check_terms(filter);
		filter_explain(filter, FILTER_BY_PROGRAMS, &explained);
		filter_explain(filter, FILTER_BY_EVENTS, &explained);
		filter_free(filter);
	}
	if (!filter_parse_syscall_set(&filter, text, &names, &error))
		filter_free(filter);
	filter_complete(text, strlen(text) / 2, &names, candidate, &count);
	str_release(&explained);
	free(text);
	return 0;
}
