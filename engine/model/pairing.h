/*
 * pairing - pairs enters and exits of a thread into calls, each with one defined outcome.
 *
 *	enter, exit of the same number        CALL_DONE
 *	exit without an enter                 CALL_ORPHAN; dropped if tracing of the thread just
 *	                                      began, as its enter was before that
 *	enter while another is in flight      the old one is CALL_LOST_EXIT if records were lost,
 *	                                      else CALL_ENDED (execve by another thread, sigreturn)
 *	exit with another number              both: CALL_LOST_EXIT and CALL_ORPHAN
 *	thread ends while in a call           CALL_ENDED
 *	a restart (-ERESTARTSYS and similar)  held open. The kernel enters the same call again, as
 *	                                      itself or as restart_syscall: continued as one call.
 *	                                      The thread ends: CALL_ENDED. A signal handler runs,
 *	                                      the thread makes another call or 100 ms pass:
 *	                                      CALL_DONE with that result
 *	execve                                CALL_DONE at its exit, with the new comm of the
 *	                                      thread; CALL_ORPHAN if the program's start was seen,
 *	                                      but not the enter
 *	exit, exit_group                      CALL_ENDED when the thread is gone
 *
 * If records were lost on the CPU of the enter or of the exit while a call ran, the two may belong
 * to different calls: dur_ns is -1. A call across a gap (tracing was paused) has dur_ns -1 and
 * CALL_SEEDED. A RECORD_CALL holds enter and exit, so it is exact.
 *
 * Waits (waits.h): switch-outs, wakings and switch-ins of a thread in a call fill blocked_ns,
 * runnable_ns, stack_id and the waker. If some of these records were lost, or may have been, the
 * call gets CALL_WAITS_UNKNOWN. Evidence is a thread on another CPU than before, or a number of
 * switches that differs from the source's count. If the source does not count, a loss on the
 * thread's CPU is enough.
 *
 * Nothing here allocates per call. Owned and locked by the model.
 */
#ifndef MODEL_PAIRING_H
#define MODEL_PAIRING_H

#include "engine/model/pairing_types.h"

/* Time within which a call that returned to be restarted must be entered again. */
#define PAIRING_SETTLE_NS (100 * 1000000ULL)

void pairing_init(struct pairing *pairing, struct tasks *tasks, pairing_done_fn *done, void *ctx);
void pairing_release(struct pairing *pairing);

/*
 * Handle ENTER, EXIT, CALL, INFLIGHT, TASK, OWNER, COMM, FORK, TASK_EXIT, LOST, SWITCHES_LOST, GAP
 * and FORGET. Ignore other kinds.
 */
void pairing_feed(struct pairing *pairing, const struct record *record);

/* Return the task of a record. Ends a call in flight of an earlier thread with the same tid. */
struct task *pairing_task(struct pairing *pairing, const struct record *record);

/*
 * Forget the calls in flight for which keep() is false: the source drops their exits from now on.
 */
typedef bool pairing_retain_fn(void *ctx, const struct call *call);
void pairing_forget(struct pairing *pairing, pairing_retain_fn *keep, void *ctx);

/* End held calls whose time for a restart is over. now_ns UINT64_MAX: end all held calls. */
void pairing_settle(struct pairing *pairing, uint64_t now_ns);
/* End at most `max` held calls before their time is over, the oldest first. */
void pairing_settle_early(struct pairing *pairing, size_t max);

#endif
