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
 *	a restart (-ERESTARTSYS and kin)      held open: if the same call is entered again as
 *	                                      restart_syscall or itself, it goes on as one call;
 *	                                      else it is done with that result
 *	execve                                done at its exit, under the thread's new identity
 *	exit, exit_group                      CALL_ENDED when the thread is gone
 *
 * Waits: switch-outs, wakings and switch-ins of a thread in a call fill
 * blocked_ns, runnable_ns, stack_id and the waker. Nothing here allocates per
 * call. Owned and locked by the model.
 */
#ifndef MODEL_PAIRING_H
#define MODEL_PAIRING_H

#include "engine/model/tasks.h"

/* A call has come to its end (or was an orphan); `call` is borrowed. */
typedef void pairing_done_fn(void *ctx, const struct call *call);

struct pairing {
	struct tasks *tasks;
	pairing_done_fn *done;
	void *ctx;
	uint64_t lost_before_ns; /* records were lost before this time */
	uint64_t started_ns;     /* tracing began (again): orphans just after are expected */
	uint64_t dropped_orphans; /* exits whose enter was before us */
};

void pairing_init(struct pairing *pairing, struct tasks *tasks, pairing_done_fn *done, void *ctx);

/* Handles ENTER, EXIT, SEED, FORK, TASK_EXIT, COMM. Others are ignored. */
void pairing_feed(struct pairing *pairing, const struct record *record);

/* The wait records; stack_id is 0 where the switch had no stack. */
void pairing_switch_out(struct pairing *pairing, const struct record *record, uint32_t stack_id);
void pairing_switch_in(struct pairing *pairing, const struct record *record);
void pairing_waking(struct pairing *pairing, const struct record *record, uint32_t stack_id);

/* Ends held restarts whose time is over; at the end of a run, all of them. */
void pairing_settle(struct pairing *pairing, uint64_t now_ns);

#endif
