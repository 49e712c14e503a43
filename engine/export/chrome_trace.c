#include "engine/export/chrome_trace.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/export/json.h"

#include <stdlib.h>
#include <string.h>

/* Then all are forgotten: names are told again, which does no harm. */
#define THREADS_MAX 65536

struct chrome_thread {
	uint32_t name; /* comm_id of the name that was told */
	uint64_t enter_ns, end_ns; /* of its last call; 0, 0: there was none */
};

void chrome_trace_init(struct chrome_trace *trace)
{
	memset(trace, 0, sizeof(*trace));
	idmap_init(&trace->threads);
	idmap_init(&trace->processes);
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

/* Microseconds with all the nanoseconds. */
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

/* Tells names that have not been told, or have changed. */
static struct chrome_thread *thread_of(struct chrome_trace *trace, struct str *out,
				       const struct call *call, const struct chrome_call *more)
{
	struct chrome_thread *thread;

	if (trace->threads.count >= THREADS_MAX)
		forget(trace);
	thread = idmap_get(&trace->threads, call->tid);
	if (thread && thread->name == call->comm_id)
		return thread;
	if (!thread) {
		thread = mem_zalloc(1, sizeof(*thread));
		idmap_put(&trace->threads, call->tid, thread);
	}
	thread->name = call->comm_id;
	add_name(trace, out, "thread_name", call->pid, call->tid, more->comm);
	/* A process is called as its first thread; that of another serves until it is seen. */
	if (call->pid == call->tid || !idmap_get(&trace->processes, call->pid))
		add_name(trace, out, "process_name", call->pid, call->tid,
			 call->pid == call->tid || !more->process ? more->comm : more->process);
	idmap_put(&trace->processes, call->pid, trace);
	return thread;
}

/* ---- wake-ups ---- */

/*
 * When the waker woke it: between the end of its wait and the end of its way out, and where that
 * is known within the waker's call, to which the arrow is tied then.
 */
static uint64_t wake_ns(const struct chrome_trace *trace, const struct call *call)
{
	uint64_t end_ns = call->enter_ns + (uint64_t)call->dur_ns;
	uint64_t from_ns = call->enter_ns + call->blocked_ns, to_ns = end_ns;
	const struct chrome_thread *waker = idmap_get(&trace->threads, call->waker_tid);

	if (call->runnable_ns < (uint64_t)call->dur_ns)
		to_ns = end_ns - call->runnable_ns;
	if (from_ns > to_ns)
		from_ns = to_ns;
	if (waker && waker->enter_ns <= to_ns && waker->end_ns >= from_ns) {
		from_ns = waker->enter_ns > from_ns ? waker->enter_ns : from_ns;
		to_ns = waker->end_ns < to_ns ? waker->end_ns : to_ns;
	}
	return from_ns + (to_ns - from_ns) / 2;
}

static void add_flow(struct chrome_trace *trace, struct str *out, const struct call *call,
		     uint32_t waker_pid)
{
	uint64_t id = ++trace->flows;

	begin_event(trace, out, 's', waker_pid, call->waker_tid);
	add_time(out, ",\"ts\":", wake_ns(trace, call));
	str_addf(out, ",\"name\":\"wake\",\"cat\":\"wake\",\"id\":%llu}",
		 (unsigned long long)id);
	begin_event(trace, out, 'f', call->pid, call->tid);
	add_time(out, ",\"ts\":", call->enter_ns + (uint64_t)call->dur_ns);
	str_addf(out, ",\"name\":\"wake\",\"cat\":\"wake\",\"id\":%llu,\"bp\":\"e\"}",
		 (unsigned long long)id);
}

/* ---- events ---- */

static void add_instant(struct chrome_trace *trace, struct str *out, const struct call *call,
			const char *name, const char *category, const char *text)
{
	/* A loss is nobody's, and concerns all. */
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
	str_add(out, ",\"blocked_ns\":");
	str_addu(out, call->blocked_ns);
	str_add(out, ",\"runnable_ns\":");
	str_addu(out, call->runnable_ns);
	str_add(out, ",\"cpu\":");
	str_addu(out, call->cpu);
	if (call->state == CALL_IN_FLIGHT)
		str_add(out, ",\"in_flight\":true");
	str_addc(out, '}');
}

static void add_call(struct chrome_trace *trace, struct str *out,
		     const struct syscalls *syscalls, const struct call *call,
		     const struct chrome_call *more)
{
	/* Of half a call the other end is not known: it is a moment. */
	uint64_t dur_ns = call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0;

	begin_event(trace, out, 'X', call->pid, call->tid);
	add_time(out, ",\"ts\":", call->enter_ns);
	add_time(out, ",\"dur\":", dur_ns);
	str_add(out, ",\"name\":\"");
	syscalls_add_name(out, syscalls, call->nr);
	str_add(out, call_failed(call) ? "\",\"cat\":\"syscall,failed\""
				       : "\",\"cat\":\"syscall\"");
	add_details(out, syscalls, call, more);
	str_addc(out, '}');
}

void chrome_trace_begin(struct chrome_trace *trace, struct str *out)
{
	trace->any = false;
	str_add(out, "[\n");
}

void chrome_trace_add(struct chrome_trace *trace, struct str *out,
		      const struct syscalls *syscalls, const struct call *call,
		      const struct chrome_call *more)
{
	struct chrome_thread *thread;

	if (call->state == CALL_GAP) {
		add_gap(trace, out, call);
		return;
	}
	thread = thread_of(trace, out, call, more);
	if (call->state == CALL_EVENT) {
		add_instant(trace, out, call, more->event, "event", more->event_text);
		return;
	}
	add_call(trace, out, syscalls, call, more);
	if (call->dur_ns < 0)
		return;
	thread->enter_ns = call->enter_ns;
	thread->end_ns = call->enter_ns + (uint64_t)call->dur_ns;
	/* One that has not returned was woken for nothing yet. */
	if (call->waker_kind == WAKER_THREAD && call->blocked_ns && call->state == CALL_DONE)
		add_flow(trace, out, call, more->waker_pid ? more->waker_pid : call->pid);
}

void chrome_trace_end(struct chrome_trace *trace, struct str *out)
{
	str_add(out, trace->any ? "\n]\n" : "]\n");
}
