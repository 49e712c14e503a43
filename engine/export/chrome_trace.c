#include "engine/export/chrome_trace.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/export/chrome_past.h"
#include "engine/export/json.h"

#include <stdlib.h>
#include <string.h>

/* At this number of threads, all are removed. Names are then emitted again, which is harmless. */
#define THREADS_MAX 65536
/* At this number of waiting wakeups, all are emitted without their waker's call. */
#define WAKES_MAX 1024
#define NAME_OF_WAKER UINT32_MAX /* known only as a waker */

struct chrome_thread {
	uint32_t name; /* comm_id of the name that was emitted */
	uint32_t wakes; /* number of wakeups that wait for a call of this thread */
	struct chrome_past past;
};

/* A wakeup: the woken thread, when it continued, its waker, and when the waker can have acted. */
struct chrome_wake {
	uint32_t pid, tid, waker_pid, waker_tid;
	uint64_t from_ns, to_ns, went_on_ns;
};

void chrome_trace_init(struct chrome_trace *trace)
{
	memset(trace, 0, sizeof(*trace));
	idmap_init(&trace->threads);
	idmap_init(&trace->processes);
	trace->wakes = mem_zalloc(WAKES_MAX, sizeof(*trace->wakes));
}

static void forget(struct chrome_trace *trace)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&trace->threads, &cursor)))
		free(slot->value);
	idmap_clear(&trace->threads);
	idmap_clear(&trace->processes);
}

void chrome_trace_release(struct chrome_trace *trace)
{
	forget(trace);
	idmap_release(&trace->threads);
	idmap_release(&trace->processes);
	free(trace->wakes);
}

/* ---- pieces ---- */

static void begin_event(struct chrome_trace *trace, struct str *out, char phase, uint32_t pid,
			uint32_t tid)
{
	str_add(out, trace->any ? ",\n{\"ph\":\"" : "{\"ph\":\"");
	trace->any = true;
	str_addc(out, phase);
	str_add(out, "\",\"pid\":");
	str_addu(out, pid);
	str_add(out, ",\"tid\":");
	str_addu(out, tid);
}

/* Add a time in microseconds, with the nanoseconds as decimals. */
static void add_time(struct str *out, const char *key, uint64_t ns)
{
	uint64_t rest = ns % NS_PER_US;

	str_add(out, key);
	str_addu(out, ns / NS_PER_US);
	str_addc(out, '.');
	str_addc(out, (char)('0' + rest / 100));
	str_addc(out, (char)('0' + rest / 10 % 10));
	str_addc(out, (char)('0' + rest % 10));
}

static void add_name(struct chrome_trace *trace, struct str *out, const char *what, uint32_t pid,
		     uint32_t tid, const char *name)
{
	begin_event(trace, out, 'M', pid, tid);
	str_addf(out, ",\"name\":\"%s\",\"args\":{\"name\":", what);
	json_add_string(out, name);
	str_add(out, "}}");
}

static struct chrome_thread *new_thread(struct chrome_trace *trace, uint32_t tid)
{
	struct chrome_thread *thread = mem_zalloc(1, sizeof(*thread));

	idmap_put(&trace->threads, tid, thread);
	return thread;
}

/* Return the entry of the thread; emit names that are new or have changed. */
static struct chrome_thread *thread_of(struct chrome_trace *trace, struct str *out,
				       const struct call *call, const struct chrome_call *more)
{
	struct chrome_thread *thread = idmap_get(&trace->threads, call->tid);

	if (thread && thread->name == call->comm_id)
		return thread;
	if (!thread)
		thread = new_thread(trace, call->tid);
	thread->name = call->comm_id;
	add_name(trace, out, "thread_name", call->pid, call->tid, more->comm);
	/* The main thread names its process; until it makes a call, another thread does. */
	if (call->pid == call->tid || !idmap_get(&trace->processes, call->pid))
		add_name(trace, out, "process_name", call->pid, call->tid,
			 call->pid == call->tid || !more->process ? more->comm : more->process);
	idmap_put(&trace->processes, call->pid, trace);
	return thread;
}

/* Return the entry of the waker; emit its name if it has made no call so far. */
static struct chrome_thread *waker_of(struct chrome_trace *trace, struct str *out,
				      const struct chrome_wake *wake, const char *name)
{
	struct chrome_thread *waker = idmap_get(&trace->threads, wake->waker_tid);

	if (waker)
		return waker;
	waker = new_thread(trace, wake->waker_tid);
	waker->name = NAME_OF_WAKER;
	if (name && *name)
		add_name(trace, out, "thread_name", wake->waker_pid, wake->waker_tid, name);
	return waker;
}

/* ---- wakeups ---- */

static void add_flow_end(struct chrome_trace *trace, struct str *out, char phase, uint32_t pid,
			 uint32_t tid, uint64_t ns)
{
	begin_event(trace, out, phase, pid, tid);
	add_time(out, ",\"ts\":", ns);
	str_addf(out, ",\"name\":\"wake\",\"cat\":\"wake\",\"id\":%llu%s}",
		 (unsigned long long)trace->flows, phase == 'f' ? ",\"bp\":\"e\"" : "");
}

/* Viewers need a slice at the start of an arrow: emit one if there is no call. */
static void add_flow(struct chrome_trace *trace, struct str *out, const struct chrome_wake *wake,
		     enum chrome_place place, uint64_t at_ns)
{
	trace->flows++;
	if (place != CHROME_IN_CALL) {
		begin_event(trace, out, 'X', wake->waker_pid, wake->waker_tid);
		add_time(out, ",\"ts\":", at_ns);
		/* With zero duration, the slice fits within a call that can still arrive. */
		str_addf(out,
			 ",\"dur\":%s,\"name\":\"wake\",\"cat\":\"wake\",\"args\":"
			 "{\"woken\":%u}}",
			 place == CHROME_BETWEEN ? "0.001" : "0.000", wake->tid);
	}
	add_flow_end(trace, out, 's', wake->waker_pid, wake->waker_tid, at_ns);
	add_flow_end(trace, out, 'f', wake->pid, wake->tid, wake->went_on_ns);
}

/*
 * Compute the span in which the waker acted: after the blocked time of the call, and before its
 * runnable time at the end. The arrow ends in the call's last nanosecond: then the slice is still
 * open, and the wakeup is past.
 */
static struct chrome_wake wake_of(const struct call *call, const struct chrome_call *more)
{
	uint64_t dur_ns = (uint64_t)call->dur_ns, last_ns = call->enter_ns + dur_ns - 1;
	uint64_t from_ns = call->enter_ns + call->blocked_ns, to_ns = last_ns;

	if (call->runnable_ns < dur_ns)
		to_ns -= call->runnable_ns;
	if (to_ns < call->enter_ns)
		to_ns = call->enter_ns;
	if (from_ns > to_ns)
		from_ns = to_ns;
	return (struct chrome_wake){
		.pid = call->pid,
		.tid = call->tid,
		.waker_pid = more->waker_pid ? more->waker_pid : call->pid,
		.waker_tid = call->waker_tid,
		.from_ns = from_ns,
		.to_ns = to_ns,
		.went_on_ns = last_ns,
	};
}

/* Emit the wakeups that the newest call of the thread resolves. */
static void settle_wakes(struct chrome_trace *trace, struct str *out, struct chrome_thread *thread,
			 uint32_t tid)
{
	enum chrome_place place;
	size_t kept = 0;
	uint64_t at_ns;

	for (size_t i = 0; i < trace->wake_count; i++) {
		struct chrome_wake *wake = &trace->wakes[i];

		if (wake->waker_tid == tid) {
			place = chrome_past_place(&thread->past, wake->from_ns, wake->to_ns,
						  &at_ns);
			if (place != CHROME_LATER) {
				add_flow(trace, out, wake, place, at_ns);
				thread->wakes--;
				continue;
			}
		}
		trace->wakes[kept++] = *wake;
	}
	trace->wake_count = kept;
}

/* Emit all waiting wakeups. place: CHROME_BETWEEN at the end, CHROME_LATER for lack of room. */
static void give_up_wakes(struct chrome_trace *trace, struct str *out, enum chrome_place place)
{
	for (size_t i = 0; i < trace->wake_count; i++) {
		const struct chrome_wake *wake = &trace->wakes[i];
		struct chrome_thread *waker = idmap_get(&trace->threads, wake->waker_tid);

		add_flow(trace, out, wake, place,
			 wake->from_ns + (wake->to_ns - wake->from_ns) / 2);
		if (waker)
			waker->wakes = 0;
	}
	trace->wake_count = 0;
}

static void add_wake(struct chrome_trace *trace, struct str *out, const struct call *call,
		     const struct chrome_call *more)
{
	struct chrome_wake wake = wake_of(call, more);
	struct chrome_thread *waker = waker_of(trace, out, &wake, more->waker);
	enum chrome_place place;
	uint64_t at_ns;

	place = chrome_past_place(&waker->past, wake.from_ns, wake.to_ns, &at_ns);
	if (place != CHROME_LATER) {
		add_flow(trace, out, &wake, place, at_ns);
		return;
	}
	if (trace->wake_count == WAKES_MAX)
		give_up_wakes(trace, out, CHROME_LATER);
	trace->wakes[trace->wake_count++] = wake;
	waker->wakes++;
}

/* ---- events ---- */

static void add_instant(struct chrome_trace *trace, struct str *out, const struct call *call,
			const char *name, const char *category, const char *text)
{
	/* A loss has no thread and affects all threads: global scope. */
	begin_event(trace, out, 'i', call->pid, call->tid);
	add_time(out, ",\"ts\":", call->enter_ns);
	str_add(out, ",\"name\":");
	json_add_string(out, name);
	str_addf(out, ",\"cat\":\"%s\",\"s\":\"%c\",\"args\":{", category, call->tid ? 't' : 'g');
	if (text) {
		str_add(out, "\"text\":");
		json_add_string(out, text);
	}
	str_add(out, "}}");
}

static void add_gap(struct chrome_trace *trace, struct str *out, const struct call *call)
{
	struct str text = STR_INIT;

	if (call->args[0])
		str_addf(&text, "%llu records lost", (unsigned long long)call->args[0]);
	else
		str_add(&text, "tracing was off until here");
	add_instant(trace, out, call, text.data, "lost", NULL);
	str_release(&text);
}

static void add_details(struct str *out, const struct syscalls *syscalls, const struct call *call,
			const struct chrome_call *more)
{
	struct str text = STR_INIT;

	call_text(&text, syscalls, call, more->text);
	str_add(out, ",\"args\":{\"call\":");
	json_add_string(out, text.data);
	str_clear(&text);
	call_text_result(&text, syscalls, call, more->text);
	str_add(out, ",\"result\":");
	json_add_string(out, text.data);
	str_release(&text);
	if (call_waits_are_known(call)) {
		str_add(out, ",\"blocked_ns\":");
		str_addu(out, call->blocked_ns);
		str_add(out, ",\"runnable_ns\":");
		str_addu(out, call->runnable_ns);
	}
	str_add(out, ",\"cpu\":");
	str_addu(out, call->cpu);
	if (call->state == CALL_IN_FLIGHT)
		str_add(out, ",\"in_flight\":true");
	str_addc(out, '}');
}

static void add_call(struct chrome_trace *trace, struct str *out, const struct syscalls *syscalls,
		     const struct call *call, const struct chrome_call *more)
{
	/* A call whose enter or exit was lost has zero duration. */
	uint64_t dur_ns = call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0;

	begin_event(trace, out, 'X', call->pid, call->tid);
	add_time(out, ",\"ts\":", call->enter_ns);
	add_time(out, ",\"dur\":", dur_ns);
	str_add(out, ",\"name\":\"");
	syscalls_add_name(out, syscalls, call->nr);
	str_add(out,
		call_failed(call) ? "\",\"cat\":\"syscall,failed\"" : "\",\"cat\":\"syscall\"");
	add_details(out, syscalls, call, more);
	str_addc(out, '}');
}

void chrome_trace_begin(struct chrome_trace *trace, struct str *out)
{
	trace->any = false;
	str_add(out, "[\n");
}

void chrome_trace_add(struct chrome_trace *trace, struct str *out, const struct syscalls *syscalls,
		      const struct call *call, const struct chrome_call *more)
{
	struct chrome_thread *thread;

	if (call->state == CALL_GAP) {
		add_gap(trace, out, call);
		return;
	}
	if (trace->threads.count >= THREADS_MAX) {
		give_up_wakes(trace, out, CHROME_LATER);
		forget(trace);
	}
	thread = thread_of(trace, out, call, more);
	if (call->state == CALL_EVENT) {
		add_instant(trace, out, call, more->event, "event", more->event_text);
		return;
	}
	add_call(trace, out, syscalls, call, more);
	if (call->dur_ns < 0)
		return;
	chrome_past_add(&thread->past, call->enter_ns, call->enter_ns + (uint64_t)call->dur_ns);
	if (thread->wakes)
		settle_wakes(trace, out, thread, call->tid);
	/* A call in flight has not returned, so its wakeup is not final. */
	if (call->waker_kind == WAKER_THREAD && call->blocked_ns && call->dur_ns &&
	    call->state == CALL_DONE)
		add_wake(trace, out, call, more);
}

void chrome_trace_end(struct chrome_trace *trace, struct str *out)
{
	give_up_wakes(trace, out, CHROME_BETWEEN);
	str_add(out, trace->any ? "\n]\n" : "]\n");
}
