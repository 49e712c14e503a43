/*
 * totals_rows - sums of the totals for display: one row per process, thread, syscall, comm, cgroup
 * or user.
 *
 * The sums are read from the reader's totals, without the model's lock. Calls in flight and names
 * are read from the model, a slice at a time. A query changes neither. Until rows_finish(), rows
 * borrow cells of the totals, which must not change. Not thread-safe: the owner of the totals
 * locks.
 */
#ifndef ENGINE_TOTALS_ROWS_H
#define ENGINE_TOTALS_ROWS_H

#include "engine/engine.h"
#include "engine/model/totals_reader.h"

enum rows_kind {
	ROWS_PROCESSES,
	ROWS_THREADS,
	ROWS_SYSCALLS,
	ROWS_PROCESS_SYSCALLS, /* by process and syscall */
	ROWS_THREAD_SYSCALLS, /* by thread and syscall */
	ROWS_COMM_SYSCALLS, /* by syscall and comm of the process; .pid is one of its processes */
	ROWS_COMM_PROCESSES, /* by comm of the process; .pid is one of its processes */
	ROWS_COMMS,
	ROWS_CGROUPS,
	ROWS_USERS,
	ROWS_KIND_COUNT
};

struct rows_query {
	enum rows_kind kind;
	uint32_t pid, tid; /* only this process, this thread; 0: all */
	bool one_nr; /* only syscall .nr */
	uint32_t nr;
	bool parents; /* ROWS_PROCESSES: also ancestors of the processes, without sums */
};

struct rows;

struct rows *rows_new(void);
void rows_free(struct rows *rows);

/* True if a call in flight is to be counted. Locked. */
typedef bool rows_wanted_fn(void *ctx, const struct call *call);

struct rows_source {
	const struct model *model;
	const struct totals_reader *reader;
	rows_wanted_fn *wanted; /* NULL: all calls in flight */
	void *wanted_ctx;
	uint64_t from_ns; /* if the reader has no rates, calls_per_s is the mean since this time */
	uint64_t now_ns;
};

/*
 * Begin a query and sum the finished calls. `source` is borrowed until rows_finish(). Not locked.
 */
void rows_begin(struct rows *rows, const struct rows_query *query,
		const struct rows_source *source);
/*
 * Add a slice of the calls in flight and of the names, so that the lock is held briefly. False:
 * done. Locked.
 */
bool rows_look(struct rows *rows);

/* Store the rows in *out (free() by the caller) and return their number. Not locked. */
size_t rows_finish(struct rows *rows, const struct syscalls *syscalls, struct engine_row **out);

#endif
