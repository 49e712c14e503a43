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
 * Waits (waits.h): switch-outs, wakings and switch-ins of a thread in a call fill
 * blocked_ns, runnable_ns, stack_id and the waker. Where some of these records were lost, or may
 * have been, the call is CALL_WAITS_UNKNOWN: a thread that is seen on another CPU than it was, or
 * to leave its CPU more or less often than the source counted, was off it unseen. Where nobody
 * counts, a loss on its CPU is enough. Nothing here allocates per call. Locked by the model.
 */
#ifndef MODEL_PAIRING_H
#define MODEL_PAIRING_H

#include "engine/model/pairing_types.h"

/* A call that returned to be restarted is given this long to be entered again. */
#define PAIRING_SETTLE_NS (100 * 1000000ULL)

void pairing_init(struct pairing *pairing, struct tasks *tasks, pairing_done_fn *done, void *ctx);
void pairing_release(struct pairing *pairing);

/*
 * Handles ENTER, EXIT, CALL, INFLIGHT, TASK, FORK, TASK_EXIT, COMM, LOST, GAP. Others are ignored.
 */
void pairing_feed(struct pairing *pairing, const struct record *record);

/* The task of a record; a call that its tid's former owner left open is ended. */
struct task *pairing_task(struct pairing *pairing, const struct record *record);

/*
 * From now on the ends of some calls will not be seen, because the source was told to
 * leave them out: what is in flight and not kept is no longer known.
 */
typedef bool pairing_retain_fn(void *ctx, const struct call *call);
void pairing_forget(struct pairing *pairing, pairing_retain_fn *keep, void *ctx);

/* Ends held restarts whose time is over; with UINT64_MAX, at the end, all of them. */
void pairing_settle(struct pairing *pairing, uint64_t now_ns);
/* Ends the oldest held restarts before their time, at most `max` of them. */
void pairing_settle_early(struct pairing *pairing, size_t max);

#endif
