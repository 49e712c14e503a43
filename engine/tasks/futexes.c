#include "engine/tasks/futexes.h"

#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/tasks/futex_wakes.h"
#include "engine/tasks/idle_waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Estimated memory of the histogram, wakers and label of one futex. */
#define FUTEX_BESIDE_BYTES 768

struct futexes {
	struct tasks *tasks; /* borrowed */
	struct futex_table table;
	uint32_t epoch;
	struct idmap waiters; /* by tid */
	struct futex_waiter *free_waiters;
	struct futex_pending questions;
};

struct futexes *futexes_new(struct tasks *tasks)
{
	struct futexes *futexes = mem_zalloc(1, sizeof(*futexes));

	futexes->tasks = tasks;
	futex_table_init(&futexes->table);
	idmap_init(&futexes->waiters);
	return futexes;
}

void futexes_free(struct futexes *futexes)
{
	struct futex_waiter *waiter, *next;
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!futexes)
		return;
	while ((slot = idmap_next(&futexes->waiters, &cursor)))
		free(slot->value);
	idmap_release(&futexes->waiters);
	for (waiter = futexes->free_waiters; waiter; waiter = next) {
		next = waiter->next;
		free(waiter);
	}
	futex_table_release(&futexes->table);
	free(futexes);
}

/* -- Futexes ------------------------------------------------------------------- */

static bool key_of(const struct futexes *futexes, uint32_t pid, const struct futex_op *op,
		   uint64_t uaddr, struct futex_key *key, const struct process **process)
{
	*process = tasks_process(futexes->tasks, pid);
	if (!*process)
		return false;
	*key = (struct futex_key){
		.uaddr = uaddr,
		.generation = (*process)->generation,
		.shared = op->shared,
	};
	return true;
}

static struct futex *find(const struct futexes *futexes, uint32_t pid, const struct futex_op *op,
			  uint64_t uaddr)
{
	const struct process *process;
	struct futex_key key;

	if (!key_of(futexes, pid, op, uaddr, &key, &process))
		return NULL;
	return futex_table_find(&futexes->table, &key);
}

/* NULL only if the process is unknown. */
static struct futex *get(struct futexes *futexes, uint32_t pid, const struct futex_op *op,
			 uint64_t uaddr)
{
	const struct process *process;
	struct futex_key key;
	struct futex *futex;

	if (!key_of(futexes, pid, op, uaddr, &key, &process))
		return NULL;
	futex = futex_table_get(&futexes->table, &key);
	if (!futex->pid) {
		futex->pid = pid;
		futex->comm_id = process->comm_id;
		futex->epoch = futexes->epoch;
		if (uaddr)
			futex->backing = FUTEX_BACKING_UNKNOWN;
	}
	futex_pending_add(&futexes->questions, futex);
	if (futex->uses < UINT32_MAX)
		futex->uses++;
	return futex;
}

static void make_current(const struct futexes *futexes, struct futex *futex)
{
	if (futex->epoch == futexes->epoch)
		return;
	futex->epoch = futexes->epoch;
	futex->waits = futex->total_ns = futex->max_ns = futex->contended_ns = 0;
	futex->errors = futex->would_block = futex->timeouts = 0;
	futex->wakes = futex->woken = futex->requeued = 0;
	futex->waker_count = 0;
	futex->other_wakers = 0;
	histogram_clear(&futex->times);
}

/* -- Waiters ------------------------------------------------------------------- */

static void link_waiter(struct futex_waiter *waiter, struct futex *futex)
{
	waiter->at = futex;
	waiter->next = NULL;
	waiter->prev = futex->last_waiter;
	*(futex->last_waiter ? &futex->last_waiter->next : &futex->first_waiter) = waiter;
	futex->last_waiter = waiter;
	futex->waiters++;
	futex->holds++;
}

static void unlink_waiter(struct futex_waiter *waiter)
{
	struct futex *futex = waiter->at;

	*(waiter->prev ? &waiter->prev->next : &futex->first_waiter) = waiter->next;
	*(waiter->next ? &waiter->next->prev : &futex->last_waiter) = waiter->prev;
	futex->waiters--;
	futex->holds--;
}

static void end_waiter(struct futexes *futexes, struct futex_waiter *waiter)
{
	unlink_waiter(waiter);
	waiter->origin->holds--;
	idmap_remove(&futexes->waiters, waiter->tid);
	waiter->next = futexes->free_waiters;
	futexes->free_waiters = waiter;
}

static void begin_waiter(struct futexes *futexes, const struct task *task, struct futex *futex)
{
	struct futex_waiter *waiter = idmap_get(&futexes->waiters, task->tid);

	/* The call was restarted; a requeue may have moved the waiter meanwhile. */
	if (waiter && waiter->enter_ns == task->call.enter_ns)
		return;
	if (waiter)
		end_waiter(futexes, waiter);
	waiter = futexes->free_waiters;
	if (waiter)
		futexes->free_waiters = waiter->next;
	else
		waiter = mem_alloc(sizeof(*waiter));
	*waiter = (struct futex_waiter){
		.tid = task->tid,
		.enter_ns = task->call.enter_ns,
		.origin = futex,
	};
	futex->holds++;
	link_waiter(waiter, futex);
	idmap_put(&futexes->waiters, task->tid, waiter);
}

static struct futex_waiter *waiter_of(const struct futexes *futexes, const struct call *call)
{
	struct futex_waiter *waiter = idmap_get(&futexes->waiters, call->tid);

	return waiter && waiter->enter_ns == call->enter_ns ? waiter : NULL;
}

const struct task *futexes_waiting_task(const struct futexes *futexes,
					const struct futex_waiter *waiter)
{
	const struct task *task = tasks_find(futexes->tasks, waiter->tid);

	if (!task || task->ended || !task->in_call || task->call.enter_ns != waiter->enter_ns)
		return NULL;
	return task;
}

bool futexes_is_idle(const struct futexes *futexes, const struct task *task, uint64_t now_ns)
{
	const struct futex_waiter *waiter = waiter_of(futexes, &task->call);
	struct futex_op op;

	return waiter && now_ns >= waiter->enter_ns + IDLE_NS &&
	       now_ns >= waiter->at->used_ns + IDLE_NS &&
	       futex_op_parse(&op, task->call.nr, task->call.args) && !idle_futex_is_lock(&op);
}

static bool was_woken(const struct futexes *futexes, const struct futex_waiter *waiter)
{
	const struct task *task = futexes_waiting_task(futexes, waiter);

	return !task || task->call.waker_kind != WAKER_NONE;
}

/*
 * The kernel processes waiters in order, real-time priorities first: it wakes the first ones and
 * moves the next. Woken waiters stay in the list until their calls end, so skip them.
 */
static void move_waiters(const struct futexes *futexes, struct futex *from, struct futex *to,
			 uint32_t count, uint32_t limit)
{
	struct futex_waiter *waiter = from->first_waiter, *next;
	uint32_t skip = limit >= from->waiters && from->waiters > count ? from->waiters - count : 0;

	for (; waiter && count; waiter = next) {
		next = waiter->next;
		if (skip) {
			skip--;
			continue;
		}
		if (was_woken(futexes, waiter))
			continue;
		unlink_waiter(waiter);
		link_waiter(waiter, to);
		count--;
	}
}

static void end_gone(struct futexes *futexes, struct futex *futex)
{
	struct futex_waiter *waiter = futex->first_waiter, *next;

	for (; waiter; waiter = next) {
		next = waiter->next;
		if (!futexes_waiting_task(futexes, waiter))
			end_waiter(futexes, waiter);
	}
}

void futexes_forget(struct futexes *futexes)
{
	for (size_t i = 0; i < futexes->table.count; i++)
		end_gone(futexes, futexes->table.all[i]);
}

/* -- Wakers -------------------------------------------------------------------- */

static uint64_t end_of(const struct call *call, uint64_t now_ns)
{
	return call->dur_ns >= 0 ? call->enter_ns + (uint64_t)call->dur_ns : now_ns;
}

/*
 * pthread_join() waits on a word with the tid of a thread. The kernel clears the word and wakes the
 * waiter when that thread exits (set_tid_address(2)); there is no wake call.
 */
static uint32_t joined(const struct futexes *futexes, const struct call *call)
{
	const struct task *task;
	struct futex_op op;

	if (!futex_op_parse(&op, call->nr, call->args) || op.verb != FUTEX_VERB_WAIT ||
	    !op.shared || op.value == call->tid)
		return 0;
	task = tasks_find(futexes->tasks, op.value);
	if (!task || task->process->pid != call->pid)
		return 0;
	return task->ended || (task->in_call && task->call.flags & CALL_NO_RETURN) ? op.value : 0;
}

bool futexes_infer_waker(const struct futexes *futexes, struct call *call, uint64_t now_ns)
{
	struct futex_waiter *waiter = waiter_of(futexes, call);
	struct futex_wake *wake;
	uint32_t waker;

	if (!waiter || call->state != CALL_DONE || call->ret < 0 || call->waker_kind != WAKER_NONE)
		return false;
	wake = futex_wake_for(waiter->at, call, end_of(call, now_ns));
	waker = wake ? wake->tid : joined(futexes, call);
	if (!waker)
		return false;
	if (wake)
		wake->left--;
	call->waker_kind = WAKER_THREAD;
	call->waker_tid = waker;
	tasks_note_waker(futexes->tasks, waker);
	call->flags |= CALL_WAKER_INFERRED;
	return true;
}

/* -- Calls --------------------------------------------------------------------- */

void futexes_enter(struct futexes *futexes, const struct task *task)
{
	uint32_t pid = task->process->pid;
	struct futex *futex;
	struct futex_op op;

	if (!task->in_call || !futex_op_parse(&op, task->call.nr, task->call.args))
		return;
	if (futex_op_waits(&op)) {
		futex = get(futexes, pid, &op, op.uaddr);
		if (futex)
			begin_waiter(futexes, task, futex);
		return;
	}
	if (!op.wakes && !op.moves)
		return;
	/*
	 * A private futex without known waiters needs no wake entry. A shared futex can have
	 * waiters in other processes.
	 */
	futex = op.shared && op.uaddr ? get(futexes, pid, &op, op.uaddr)
				      : find(futexes, pid, &op, op.uaddr);
	if (futex && op.wakes)
		futex_wake_begin(futex, task, op.wakes);
	if (op.verb != FUTEX_VERB_WAKE_BOTH || !op.moves)
		return;
	futex = find(futexes, pid, &op, op.uaddr2);
	if (futex)
		futex_wake_begin(futex, task, op.moves);
}

/* A longer wait for a condition counts as a wait for work, not as contention. */
#define CONDITION_NS 100000000ULL

static void count_wait(const struct futexes *futexes, struct futex *futex, const struct call *call,
		       const struct futex_op *op)
{
	make_current(futexes, futex);
	futex->waits++;
	if (call->dur_ns >= 0) {
		uint64_t dur_ns = (uint64_t)call->dur_ns;

		futex->total_ns += dur_ns;
		if (dur_ns > futex->max_ns)
			futex->max_ns = dur_ns;
		if (!call_failed(call) && (idle_futex_is_lock(op) || dur_ns < CONDITION_NS))
			futex->contended_ns += dur_ns;
		histogram_add(&futex->times, dur_ns);
	}
	if (!call_failed(call))
		return;
	futex->errors++;
	futex->would_block += call->ret == -EAGAIN;
	futex->timeouts += call->ret == -ETIMEDOUT;
}

/* True if a thread ended the wait. The sender of a signal does not count. */
static bool was_ended_by_thread(const struct call *call)
{
	return call->state == CALL_DONE && call->ret >= 0 && call->waker_kind == WAKER_THREAD;
}

static void wait_done(struct futexes *futexes, const struct call *call, const struct futex_op *op,
		      uint64_t now_ns)
{
	struct futex_waiter *waiter = waiter_of(futexes, call);
	struct futex *origin = waiter ? waiter->origin : get(futexes, call->pid, op, op->uaddr);
	struct futex *at = waiter ? waiter->at : origin;

	if (waiter)
		end_waiter(futexes, waiter);
	if (!origin)
		return;
	count_wait(futexes, origin, call, op);
	origin->used_ns = at->used_ns = now_ns;
	if (was_ended_by_thread(call)) {
		make_current(futexes, at);
		futex_waker_count(at, futexes->tasks, call->waker_tid);
	}
}

/* Return the number of threads woken at the first address, according to the call's result. */
static uint32_t woken_by(const struct call *call, const struct futex_op *op,
			 const struct futex *futex)
{
	uint64_t woken = call->ret > 0 ? (uint64_t)call->ret : 0;

	if (call->state != CALL_DONE || call->ret < 0)
		return 0;
	/* FUTEX_UNLOCK_PI returns 0; if there are waiters, one of them gets the lock. */
	if (op->verb == FUTEX_VERB_UNLOCK)
		return futex && futex->waiters ? 1 : 0;
	return woken < op->wakes ? (uint32_t)woken : op->wakes;
}

/* Return how many threads the call's result counts beyond the `woken` ones. */
static uint32_t rest_of(const struct call *call, uint32_t woken)
{
	if (call->state != CALL_DONE || call->ret <= (int64_t)woken)
		return 0;
	return call->ret - (int64_t)woken > INT32_MAX ? INT32_MAX : (uint32_t)call->ret - woken;
}

static void woke_at_second(struct futexes *futexes, const struct call *call,
			   const struct futex_op *op, uint64_t now_ns, uint32_t woken)
{
	struct futex *second = find(futexes, call->pid, op, op->uaddr2);

	if (!second)
		return;
	futex_wake_end(second, call, now_ns, op->moves, woken);
	make_current(futexes, second);
	second->woken += woken;
}

static void requeue_done(struct futexes *futexes, const struct call *call,
			 const struct futex_op *op, struct futex *futex, uint32_t moved)
{
	struct futex *second;

	if (!moved || !op->uaddr2)
		return;
	futex->requeued += moved;
	futex->holds++; /* creating `second` must not evict `futex` */
	second = get(futexes, call->pid, op, op->uaddr2);
	futex->holds--;
	if (second && second != futex)
		move_waiters(futexes, futex, second, moved, op->moves);
}

static void wake_done(struct futexes *futexes, const struct call *call, const struct futex_op *op,
		      uint64_t now_ns)
{
	struct futex *futex = find(futexes, call->pid, op, op->uaddr);
	uint32_t woken = woken_by(call, op, futex);
	uint32_t rest = op->verb == FUTEX_VERB_UNLOCK ? 0 : rest_of(call, woken);

	if (!futex && (woken || rest))
		futex = get(futexes, call->pid, op, op->uaddr);
	if (futex) {
		futex_wake_end(futex, call, now_ns, op->wakes, woken);
		make_current(futexes, futex);
		futex->wakes++;
		futex->woken += woken;
		futex->used_ns = now_ns;
	}
	if (op->verb == FUTEX_VERB_WAKE_BOTH)
		woke_at_second(futexes, call, op, now_ns, rest);
	else if (futex && op->verb == FUTEX_VERB_REQUEUE)
		requeue_done(futexes, call, op, futex, rest);
}

void futexes_done(struct futexes *futexes, const struct call *call, uint64_t now_ns)
{
	struct futex_op op;

	if (call->state == CALL_ORPHAN || !futex_op_parse(&op, call->nr, call->args))
		return;
	if (futex_op_waits(&op))
		wait_done(futexes, call, &op, now_ns);
	else if (op.verb != FUTEX_VERB_TRYLOCK)
		wake_done(futexes, call, &op, now_ns);
}

void futexes_count(struct futexes *futexes, const struct call *call)
{
	const struct process *process;
	struct futex_key key;
	struct futex *futex;
	struct futex_op op;

	if (call->state == CALL_ORPHAN || !futex_op_parse(&op, call->nr, call->args) ||
	    op.verb == FUTEX_VERB_TRYLOCK ||
	    !key_of(futexes, call->pid, &op, op.uaddr, &key, &process))
		return;
	futex = futex_table_get(&futexes->table, &key);
	futex->pid = call->pid;
	if (futex->uses < UINT32_MAX)
		futex->uses++;
	make_current(futexes, futex);
	if (!futex_op_waits(&op)) {
		futex->wakes++;
		futex->woken += woken_by(call, &op, futex);
		return;
	}
	count_wait(futexes, futex, call, &op);
	if (was_ended_by_thread(call))
		futex_waker_count(futex, futexes->tasks, call->waker_tid);
}

void futexes_leave(struct futexes *futexes, const struct call *call)
{
	struct futex_waiter *waiter = waiter_of(futexes, call);

	if (waiter)
		end_waiter(futexes, waiter);
}

void futexes_zero(struct futexes *futexes)
{
	futexes->epoch++;
	memset(&futexes->table.folded, 0, sizeof(futexes->table.folded));
}

/* -- Reading ------------------------------------------------------------------- */

const struct futex_table *futexes_table(const struct futexes *futexes)
{
	return &futexes->table;
}

bool futexes_is_current(const struct futexes *futexes, const struct futex *futex)
{
	return futex->epoch == futexes->epoch;
}

bool futexes_is_alive(const struct futexes *futexes, const struct futex *futex)
{
	const struct process *process = tasks_process(futexes->tasks, futex->pid);

	return process && !process->ended && process->generation == futex->key.generation;
}

size_t futexes_ask(struct futexes *futexes, bool shared, struct futex_pending_entry *questions,
		   size_t max)
{
	return futex_pending_take(&futexes->questions, shared, questions, max);
}

void futexes_answer(struct futexes *futexes, const struct futex_pending_entry *question,
		    const struct futex_answer *answer)
{
	futex_pending_answer(&futexes->table, question, answer);
}

size_t futexes_bytes(const struct futexes *futexes)
{
	const struct futex_table *table = &futexes->table;

	return table->count * (sizeof(struct futex) + FUTEX_BESIDE_BYTES) +
	       table->slot_count * sizeof(*table->slots) + table->cap * sizeof(*table->all) +
	       idmap_bytes(&table->memories) + idmap_bytes(&futexes->waiters) +
	       futexes->waiters.count * sizeof(struct futex_waiter);
}
