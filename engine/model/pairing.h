/*
 * pairing - enters and exits of a thread to calls, each with one defined outcome.
 *
 *	enter, exit of the same number        CALL_DONE
 *	exit without an enter                 CALL_ORPHAN (dropped in silence where tracing of
 *	                                      this thread just began: its enter was before us)
 *	enter while another is in flight      the old one is CALL_LOST_EXIT if records were lost,
 *	                                      else (execve by another thread, sigreturn) CALL_ENDED
 *	exit with another number              both: LOST_EXIT and ORPHAN
 *	thread ends while in a call           CALL_ENDED
 *	a restart (-ERESTARTSYS and kin)      held open: if the kernel then enters the same call
 *	                                      again, as restart_syscall or itself, it goes on as
 *	                                      one call; if the thread ends, CALL_ENDED; else, when
 *	                                      a signal's handler runs, the thread does something
 *	                                      else or 100 ms passed, it is done with that result
 *	execve                                done at its exit, under the thread's new identity;
 *	                                      CALL_ORPHAN where the program's start was seen, but
 *	                                      not the enter
 *	exit, exit_group                      CALL_ENDED when the thread is gone
 *
 * Where records were lost while a call ran, its enter and its exit may belong to
 * two calls: its dur_ns is -1 unless waits that were seen account for most of it.
 * A call across a gap (tracing was paused) has dur_ns -1 and CALL_SEEDED.
 *
 * A record of a whole call is its enter and its exit in one, and needs no doubt.
 *
 * Waits: switch-outs, wakings and switch-ins of a thread in a call fill
 * blocked_ns, runnable_ns, stack_id and the waker. Where some of these records were lost, or may
 * have been, the call is CALL_WAITS_UNKNOWN: a thread that is seen on another CPU than it was, or
 * to leave its CPU more or less often than the source counted, was off it unseen. Where nobody
 * counts, a loss on its CPU is enough. Nothing here allocates per call. Locked by the model.
 */
#ifndef MODEL_PAIRING_H
#define MODEL_PAIRING_H

#include "engine/tasks/tasks.h"

/* A call has come to its end (or was an orphan); `call` is borrowed. */
typedef void pairing_done_fn(void *ctx, const struct call *call);

struct pairing {
	struct tasks *tasks;
	pairing_done_fn *done;
	void *ctx;
	uint64_t lost_before_ns; /* records were lost before this time */
	uint64_t changed_ns; /* tracing or its filter changed: /proc knows better than before */
	uint64_t started_ns; /* ... and was complete by then: orphans before are expected */
	uint64_t dropped_orphans; /* exits whose enter was before us */
	uint64_t in_flight; /* threads in a call, held ones too */
	uint64_t held; /* calls that wait for their restart */
	struct task *first_held, *last_held; /* in the order in which they returned */
	uint64_t *cpu_lost_ns; /* when each CPU last told of a loss */
	size_t cpu_count;
	/* Switches on each CPU may have been lost up to then; and on any of them. */
	uint64_t *cpu_switches_lost_ns;
	size_t blind_count;
	uint64_t blind_before_ns;
	bool waits_unwatched; /* nobody tells of switches ... */
	bool ins_untold; /* ... or not of each that gets a CPU */
};

/* A call that returned to be restarted is given this long to be entered again. */
#define PAIRING_SETTLE_NS (100 * 1000000ULL)

void pairing_init(struct pairing *pairing, struct tasks *tasks, pairing_done_fn *done, void *ctx);
void pairing_release(struct pairing *pairing);

/* Handles ENTER, EXIT, CALL, SEED, TASK, FORK, TASK_EXIT, COMM, LOST, GAP. Others are ignored. */
void pairing_feed(struct pairing *pairing, const struct record *record);

/* The task of a record; a call that its tid's former owner left open is ended. */
struct task *pairing_task(struct pairing *pairing, const struct record *record);

/*
 * Whether anybody tells of switches: else the waits of all calls to come are unknown. ins: of all
 * that get a CPU; else a wait lasts until something else is told of its thread.
 */
void pairing_watch_waits(struct pairing *pairing, bool watched, bool ins);
/* tasks_call_at(), with what is known of losses by now. */
void pairing_call_at(const struct pairing *pairing, const struct task *task, uint64_t now_ns,
		     struct call *call);

/* The wait records; stack_id is 0 where the switch had no stack. */
void pairing_switch_out(struct pairing *pairing, const struct record *record, uint32_t stack_id);
void pairing_switch_in(struct pairing *pairing, const struct record *record);
/* Where a thread was found running: its call shows that if it never waited for anything. */
void pairing_running(struct pairing *pairing, const struct record *record, uint32_t stack_id);
void pairing_waking(struct pairing *pairing, const struct record *record, uint32_t stack_id);
/* After pairing_feed(): where the thread of a RECORD_INFLIGHT is blocked since before that. */
void pairing_inflight_wait(struct pairing *pairing, const struct record *record, uint32_t stack_id);
/* Whether the stack of such a record would be used: interning one costs more than this. */
bool pairing_wants_stack(const struct pairing *pairing, const struct record *record);

/*
 * From now on the ends of some calls will not be seen, because the source was told to
 * leave them out: what is in flight and not kept is no longer known.
 */
typedef bool pairing_keep_fn(void *ctx, const struct call *call);
void pairing_forget(struct pairing *pairing, pairing_keep_fn *keep, void *ctx);

/* Ends held restarts whose time is over; with UINT64_MAX, at the end, all of them. */
void pairing_settle(struct pairing *pairing, uint64_t now_ns);
/* Ends the oldest held restarts before their time, at most `max` of them. */
void pairing_settle_early(struct pairing *pairing, size_t max);

#endif
