/*
 * totals - exact counters per (thread, system call); never evicted.
 *
 * A cell is (thread, system call). Ended threads have cells of their own until their process has
 * more than TOTALS_ENDED_THREADS of them. Then they are folded into one entry of the process. Ended
 * processes are folded by name, see totals_fold(). So sums are exact and memory is bounded. A
 * reused pid adds to the same sums.
 *
 * Each counter exists twice. The totals of the model are the counts since the last take: small,
 * under the model's lock. The totals of the reader are complete: totals_absorb() moves the former
 * into the latter. So reading does not block the collector, and the cost of a refresh depends on
 * what changed. Not thread-safe: the owner locks.
 */
#ifndef MODEL_TOTALS_H
#define MODEL_TOTALS_H

#include "engine/model/totals_cell.h"
#include "engine/record/call.h"

/*
 * A group is a pseudo process for the folded processes of a name. Its pid is TOTALS_GROUP_PID + id
 * of the name (identity.h). Processes without a name, or beyond TOTALS_GROUPS names, are in group
 * TOTALS_ENDED_PID. The tid of a group's entry is an identity (comm, uid, cgroup); 0: the rest.
 */
#define TOTALS_GROUP_PID (1u << 27)
#define TOTALS_ENDED_PID UINT32_MAX
#define TOTALS_GROUPS 256
#define TOTALS_GROUP_OWNERS 16 /* maximum number of identities of one name with own entries */
#define TOTALS_ENDED_THREADS 16 /* maximum number of ended threads of a process with own entries */
/* Limit on ended processes with an entry of their own, whatever totals_fold() allows. */
#define TOTALS_ENDED_PROCESSES 2048
#define TOTALS_ENDED_NAMELESS 16 /* the same for those without a name, in totals_fold() */

struct totals;

struct totals *totals_new(void);
void totals_free(struct totals *totals);
void totals_clear(struct totals *totals);

/*
 * Count a finished call: CALL_DONE, or CALL_ORPHAN without a duration. Calls that never returned
 * are not counted, as in strace -c and perf trace -s. A call of unknown duration adds to no time.
 */
void totals_add(struct totals *totals, const struct call *call);

/*
 * totals_foresee - prefetch the memory that totals_add() will change for a call.
 *
 * Each step needs the memory that the previous step prefetched. A missing thread or cell ends the
 * sequence. Pointers are valid until cells are folded, cleared or freed.
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

/* Return the number of cells. */
size_t totals_cells(const struct totals *totals);

/* Add the calls of a RECORD_AGGREGATE to the process, in the entry of its folded threads. */
void totals_add_aggregate(struct totals *totals, const struct record *record);

/* A process as it was when it ended. 0: unknown. */
struct totals_label {
	/* identity (identity.h); for a group with several identities, that of the name alone */
	uint32_t comm_id;
	uint32_t name_id; /* identity of the name alone, by which processes are folded */
	uint32_t parent_pid, ns_pid; /* for a group: parent_pid 0 if the parents differ; ns_pid 0 */
};

/* Mark a thread or process as ended: its sums can be folded, including those taken before. */
void totals_end_thread(struct totals *totals, uint32_t pid, uint32_t tid);
/* label NULL: unknown. */
void totals_end_process(struct totals *totals, uint32_t pid, const struct totals_label *label);
/* Number of ended processes with an entry of their own. */
size_t totals_ended(const struct totals *totals);

/*
 * Fold ended processes into the group of their name. Fold each one whose name has a group or more
 * than `per_name` ended processes, and the oldest while more than `most` are left. SIZE_MAX: no
 * limit but TOTALS_ENDED_NAMELESS. Process `spared` stays; 0: none.
 */
void totals_fold(struct totals *totals, size_t per_name, size_t most, uint32_t spared);

/*
 * Write at most `max` identities of a group and return how many there are. 0 stands for unknown
 * identities.
 */
size_t totals_group_owners(const struct totals *totals, uint32_t pid, uint32_t *owners, size_t max);

/* True if the process has sums of its own. */
bool totals_has(const struct totals *totals, uint32_t pid);

/*
 * Called for each cell, in arbitrary order. Folded threads have tid 0. The cell is borrowed during
 * the call.
 */
typedef void totals_each_fn(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
			    const struct totals_cell *cell);

void totals_each(const struct totals *totals, totals_each_fn *each, void *ctx);
/* Call `each` for each cell of one process. */
void totals_each_of(const struct totals *totals, uint32_t pid, totals_each_fn *each, void *ctx);

/* -- The totals of the reader ------------------------------------------------------------ */

/*
 * Move all of `from` into `into`; `from` is empty afterwards. `period`: number of the current
 * period, for rates. Only totals that totals_absorb() filled have sums of processes and system
 * calls.
 */
void totals_absorb(struct totals *into, struct totals *from, uint32_t period);

#define TOTALS_DIGEST_CELLS 12
/* Values of a cell that are expensive to compute; see struct engine_row. */
struct totals_digest {
	uint64_t p50_ns, p95_ns, p99_ns, deviation_ns;
	uint64_t histogram[TOTALS_DIGEST_CELLS];
};
void totals_digest_make(struct totals_digest *digest, const struct totals_cell *cell);

/* A process of the reader's totals. */
struct totals_process {
	uint32_t pid;
	bool ended;
	uint64_t folded; /* number of folded processes; 0: a single process */
	struct totals_label label;
	const struct totals_cell *sum; /* borrowed until the next totals_absorb() */
	/* values computed from `sum`, recomputed after it changed; borrowed like `sum` */
	const struct totals_digest *digest;
};
typedef void totals_process_fn(void *ctx, const struct totals_process *process);
/* Call `each` for each identity (identity.h) that labels of ended processes and groups use. */
void totals_identities(const struct totals *totals, void (*each)(void *ctx, uint32_t id),
		       void *ctx);
/* Call `each` for each process, or write the process of one pid; false: unknown. */
void totals_processes(const struct totals *totals, totals_process_fn *each, void *ctx);
bool totals_process(const struct totals *totals, uint32_t pid, struct totals_process *process);
/* Call `each` for each system call, with the sum of all processes. */
void totals_syscalls(const struct totals *totals, totals_each_fn *each, void *ctx);

/* Add up all cells of a process; pid 0: of all processes. */
void totals_sum(const struct totals *totals, uint32_t pid, struct totals_cell *sum);

size_t totals_bytes(const struct totals *totals); /* walks all cells */

#endif
