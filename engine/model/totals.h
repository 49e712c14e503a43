/*
 * totals - what every thread did, by syscall: exact sums that are never evicted.
 *
 * A cell is (thread, syscall). Sums over threads, processes or syscalls are
 * made when somebody asks. Threads that ended keep their cells under their
 * process, folded into one "ended threads" entry per process once there are
 * many. Processes that ended stay until there are very many of them; then the
 * oldest with few calls are folded into one process TOTALS_ENDED_PID. So the
 * sums stay exact and memory bounded. A pid that is used again adds to the same sums.
 * Owned and locked by the model.
 */
#ifndef MODEL_TOTALS_H
#define MODEL_TOTALS_H

#include "engine/model/call.h"
#include "engine/model/errno_counts.h"
#include "engine/model/histogram.h"

#define TOTALS_ENDED_PID UINT32_MAX
#define TOTALS_ENDED_THREADS 16 /* of one process, kept apart */
#define TOTALS_ENDED_PROCESSES 2048 /* with what looks at them, 100 MB: 50 KiB of cells each */
/* Numbers at and above, which no kernel has, share this one. */
#define TOTALS_NR_OTHER 1024

struct totals;

/* The sum of some calls. min_ns is UINT64_MAX while there is none with a duration. */
struct totals_cell {
	/* What each call changes: one cache line, where the cell begins one. */
	uint64_t calls;
	uint64_t errors;
	uint64_t total_ns;
	uint64_t min_ns, max_ns;
	struct histogram durations;
	/* What only calls change that had to wait. */
	uint64_t blocked_ns;
	uint64_t runnable_ns;
	/* What only calls change that failed. */
	struct errno_counts errnos;
};

struct totals *totals_new(void);
void totals_free(struct totals *totals);
void totals_clear(struct totals *totals);

/*
 * Counts one finished call: CALL_DONE, and CALL_ORPHAN without a duration. Calls
 * that never returned are not counted, as nobody else counts them. A call without a
 * known duration adds to no time.
 */
void totals_add(struct totals *totals, const struct call *call);

/*
 * totals_foresee - has the memory fetched that totals_add() of a call to come will change, step
 * by step: each step needs what the one before it had fetched. A thread or cell that is not
 * there yet ends it. What it holds is good until anything is folded, cleared or freed.
 */
struct totals_foresee {
	struct totals_thread *thread;
	struct totals_cell *cell;
};

void totals_foresee_thread(const struct totals *totals, uint32_t pid, uint32_t tid);
void totals_foresee_cells(const struct totals *totals, struct totals_foresee *foresee,
			  uint32_t pid, uint32_t tid);
void totals_foresee_slot(struct totals_foresee *foresee, uint32_t nr);
void totals_foresee_cell(struct totals_foresee *foresee, uint32_t nr);
void totals_foresee_duration(const struct totals_foresee *foresee, uint64_t dur_ns);

/* How many cells there are. */
size_t totals_cells(const struct totals *totals);

/*
 * Adds calls that are known by their sums, a RECORD_COUNTED, to the process: they are of no
 * thread, like those that were folded.
 */
void totals_add_counted(struct totals *totals, const struct record *record);

/* It is gone and its sums may be folded. Nothing happens if it is not known. */
void totals_end_thread(struct totals *totals, uint32_t pid, uint32_t tid);
void totals_end_process(struct totals *totals, uint32_t pid);
/* Whether the process still has sums of its own. */
bool totals_has(const struct totals *totals, uint32_t pid);

/* Adds cell `from` to `into`, histograms too. */
void totals_cell_init(struct totals_cell *cell);
void totals_cell_release(struct totals_cell *cell);
void totals_cell_merge(struct totals_cell *into, const struct totals_cell *from);
/* As histogram_quantile(), but never beyond the shortest and the longest, which are exact. */
uint64_t totals_cell_quantile(const struct totals_cell *cell, double fraction);

/*
 * For every cell, in no order. A cell whose thread's identity was folded has tid 0. The cell is
 * borrowed for the time of the call.
 */
typedef void totals_each_fn(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
			    const struct totals_cell *cell);

/*
 * totals_walk - all cells, some at a time, while others count in between.
 *
 *	totals_walk_begin(&walk, totals);
 *	while (totals_walk_step(&walk, cells, each, ctx))
 *		let others have the lock;
 *	totals_walk_end(&walk);
 *
 * Each cell that was there at the beginning comes once; of those that come later, some. Nothing
 * is folded meanwhile, so that no call is told under two names or none. totals_clear() and
 * totals_free() end every walk: `cleared` says so.
 */
struct totals_walk {
	struct totals *totals; /* NULL: not walking */
	struct totals_thread *next;
	struct totals_walk *others;
	bool cleared;
};

#define TOTALS_WALK_CELLS 2048 /* in one hold of a lock: some 200 us */

void totals_walk_begin(struct totals_walk *walk, struct totals *totals);
/* About so many, to the end of a thread; false when there are no more. */
bool totals_walk_step(struct totals_walk *walk, size_t cells, totals_each_fn *each, void *ctx);
/* Also where it was not begun or is over. */
void totals_walk_end(struct totals_walk *walk);

/* The sum of a process (pid 0: everything), of everything under it in one cell. */
void totals_sum(const struct totals *totals, uint32_t pid, struct totals_cell *sum);

#endif
