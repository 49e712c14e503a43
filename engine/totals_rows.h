/*
 * totals_rows - sums of totals for people: a row per process, thread, syscall, name, cgroup or
 * user.
 *
 * Sums come from the reader's totals, without a lock of the model's; what runs now and what it is
 * called come from the model, some at a time. Not thread-safe: whoever owns the totals locks.
 */
#ifndef ENGINE_TOTALS_ROWS_H
#define ENGINE_TOTALS_ROWS_H

#include "engine/collector/exit_detector.h"
#include "engine/engine.h"
#include "engine/model/totals_reader.h"

enum rows_kind {
	ROWS_PROCESSES,
	ROWS_THREADS,
	ROWS_SYSCALLS,
	ROWS_PROCESS_SYSCALLS, /* of each process */
	ROWS_THREAD_SYSCALLS, /* of each thread */
	ROWS_COMM_SYSCALLS, /* of all processes of one name; .pid is one of them */
	ROWS_COMM_PROCESSES, /* the same, all calls in one */
	ROWS_COMMS,
	ROWS_CGROUPS,
	ROWS_USERS,
	ROWS_KIND_COUNT
};

struct rows_query {
	enum rows_kind kind;
	uint32_t pid, tid; /* only of this process, this thread; 0: of all */
	bool one_nr; /* only of the syscall .nr */
	uint32_t nr;
	bool parents; /* ROWS_PROCESSES: those too that lead to them, without sums */
};

struct rows;

struct rows *rows_new(void);
void rows_free(struct rows *rows);

/* Whether a call in flight is to be counted; locked. */
typedef bool rows_wanted_fn(void *ctx, const struct call *call);

struct rows_source {
	const struct model *model;
	const struct totals_reader *reader;
	const struct exit_detector *exit_detector; /* NULL: nobody knows who is gone */
	rows_wanted_fn *wanted; /* NULL: all calls in flight */
	void *wanted_ctx;
	uint64_t from_ns; /* without rates, those of the rows are the mean since then */
	uint64_t now_ns;
};

/* Not locked: what ended. The source is borrowed until rows_finish(). */
void rows_begin(struct rows *rows, const struct rows_query *query,
		const struct rows_source *source);
/* Locked: some of what runs, so that the lock is short; false when there is no more. */
bool rows_look(struct rows *rows);

/* Not locked. The result is the caller's to free(); returns its length. */
size_t rows_finish(struct rows *rows, const struct syscalls *syscalls, struct engine_row **out);

#endif
