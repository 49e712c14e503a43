/*
 * totals - exact sums of what every thread did, by syscall; never evicted.
 *
 * A cell is (thread, syscall). Threads that ended keep their cells until their process has many of
 * them; these are then folded into one entry of the process. Processes that ended are folded by
 * name: see totals_fold(). So sums stay exact and memory stays bounded. A pid that is used again
 * adds to the same sums.
 *
 * There are two of them for everything that is counted. The model's are what was counted since they
 * were taken last: small, under the model's lock. The reader's have all: totals_absorb() moves the
 * former into the latter, so that reading takes no lock from the collector, and a refresh costs
 * what changed, not what there is. Not thread-safe: whoever owns them locks.
 */
#ifndef MODEL_TOTALS_H
#define MODEL_TOTALS_H

#include "engine/model/totals_cell.h"
#include "engine/record/call.h"

/*
 * Ended processes of one name are the process TOTALS_GROUP_PID + the number of that name
 * (identity.h); those without one, or of one too many, TOTALS_ENDED_PID. Its threads are not
 * threads: each is the sum of one owner (name, user, cgroup: identity.h), by whose number it is
 * found. 0: of others.
 */
#define TOTALS_GROUP_PID (1u << 27)
#define TOTALS_ENDED_PID UINT32_MAX
#define TOTALS_GROUPS 256
#define TOTALS_GROUP_OWNERS 16 /* of one name, kept apart */
#define TOTALS_ENDED_THREADS 16 /* of one process, kept apart */
#define TOTALS_ENDED_PROCESSES 2048 /* kept apart where nobody folds earlier */

struct totals;

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
void totals_foresee_cells(const struct totals *totals, struct totals_foresee *foresee, uint32_t pid,
			  uint32_t tid);
void totals_foresee_slot(struct totals_foresee *foresee, uint32_t nr);
void totals_foresee_cell(struct totals_foresee *foresee, uint32_t nr);
void totals_foresee_duration(const struct totals_foresee *foresee, uint64_t dur_ns);

/* How many cells there are. */
size_t totals_cells(const struct totals *totals);

/*
 * Adds calls that are known by their sums, a RECORD_AGGREGATE, to the process: they are of no
 * thread, like those that were folded.
 */
void totals_add_aggregate(struct totals *totals, const struct record *record);

/* A process as it was when it ended. 0: not known. */
struct totals_label {
	/* whose it was: see identity.h; of a group with several owners, its name's */
	uint32_t comm_id;
	uint32_t name_id; /* the same of its name alone: what it is folded by */
	uint32_t parent_pid, ns_pid; /* of a group: 0 where they differ */
};

/* It is gone and its sums may be folded, those too that were taken before. */
void totals_end_thread(struct totals *totals, uint32_t pid, uint32_t tid);
/* label NULL: nothing is known. */
void totals_end_process(struct totals *totals, uint32_t pid, const struct totals_label *label);
/* How many ended processes are kept apart. */
size_t totals_ended(const struct totals *totals);

/*
 * Folds ended processes into groups of their names: all of a name once more than `per_name` of it
 * are kept apart, or it has a group, and the oldest of any name beyond `most`. One with the pid
 * `spared` stays.
 */
void totals_fold(struct totals *totals, size_t per_name, size_t most, uint32_t spared);

/* The owners of a group, at most `max`: how many there are. 0 is one of them where not known. */
size_t totals_group_owners(const struct totals *totals, uint32_t pid, uint32_t *owners, size_t max);

/* Whether the process has sums of its own. */
bool totals_has(const struct totals *totals, uint32_t pid);

/*
 * For every cell, in no order. A cell whose thread's identity was folded has tid 0. The cell is
 * borrowed for the time of the call.
 */
typedef void totals_each_fn(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
			    const struct totals_cell *cell);

void totals_each(const struct totals *totals, totals_each_fn *each, void *ctx);
/* The same of one process. */
void totals_each_of(const struct totals *totals, uint32_t pid, totals_each_fn *each, void *ctx);

/* -- The reader's ------------------------------------------------------------------------ */

/*
 * Moves everything of `from`, which is empty then, into `into`. `period` is the number of the
 * period that runs, for rates; only `into` of earlier calls of this has sums of whole processes
 * and syscalls.
 */
void totals_absorb(struct totals *into, struct totals *from, uint32_t period);

/* Some of what takes long to find out of a cell; see engine_row. */
#define TOTALS_DIGEST_CELLS 12
struct totals_digest {
	uint64_t p50_ns, p95_ns, p99_ns, deviation_ns;
	uint64_t histogram[TOTALS_DIGEST_CELLS];
};
void totals_digest_make(struct totals_digest *digest, const struct totals_cell *cell);

/* A process of these totals. */
struct totals_process {
	uint32_t pid;
	bool ended;
	uint64_t folded; /* so many ended processes it stands for; 0: it is one */
	struct totals_label label;
	const struct totals_cell *sum; /* borrowed until the next totals_absorb() */
	const struct totals_digest *digest; /* of the sum, the same: made anew when that changed */
};
typedef void totals_process_fn(void *ctx, const struct totals_process *process);
/* All of them, or that of one pid: false, there is none. */
void totals_processes(struct totals *totals, totals_process_fn *each, void *ctx);
bool totals_process(struct totals *totals, uint32_t pid, struct totals_process *process);
/* The sum of each syscall, of all processes. */
void totals_syscalls(const struct totals *totals, totals_each_fn *each, void *ctx);

/* The sum of a process (pid 0: everything), of everything under it in one cell. */
void totals_sum(const struct totals *totals, uint32_t pid, struct totals_cell *sum);

size_t totals_bytes(const struct totals *totals); /* of memory; walks all cells */

#endif
