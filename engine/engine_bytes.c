#include "engine/engine.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/engine_private.h"

#include <stdlib.h>
#include <string.h>

#define LATE_SHARE 5 /* of the time, one part of so many, */
#define LATE_LEFT_NS (200 * NS_PER_MS) /* and what was not used of it up to this */

static void make_room(struct engine_bytes *bytes, size_t count)
{
	if (count > bytes->room) {
		bytes->ends = mem_realloc(bytes->ends, count, sizeof(*bytes->ends));
		bytes->late = mem_realloc(bytes->late, count, sizeof(*bytes->late));
		bytes->room = count;
	}
	str_clear(&bytes->chunks);
}

static bool any_kept(const struct call *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (calls[i].bytes_at)
			return true;
	return false;
}

/* What was read when the recording was made: of that call, or while it was in flight. */
static void add_found(struct engine *e, const struct call *call, struct str *chunks)
{
	const struct finding *finding = findings_first(e->findings, FINDING_BYTES, call->tid,
						       call->enter_ns);
	const struct finding *found = NULL;

	for (; finding; finding = findings_next(e->findings, finding))
		if (finding->tid == call->tid && finding->call.enter_ns == call->enter_ns &&
		    finding->call.nr == call->nr &&
		    (!found || finding->call.state == call->state))
			found = finding;
	if (found)
		str_addn(chunks, found->text, found->len);
}

void engine_bytes_copy(struct engine *e, const struct call *calls, size_t count,
		       struct engine_bytes *bytes)
{
	bool ready = atomic_load(&e->ready), kept = ready && any_kept(calls, count);
	bool found = ready && e->findings && findings_count(e->findings, FINDING_BYTES);

	make_room(bytes, count);
	if (kept)
		collector_lock(e->collector);
	for (size_t i = 0; i < count; i++) {
		size_t len = 0, before;
		const void *chunks = kept ? history_bytes(model_history(e->model), &calls[i], &len)
					  : NULL;

		str_addn(&bytes->chunks, chunks, len);
		before = bytes->chunks.len;
		if (ready && e->late && call_was_made(&calls[i]))
			late_thread_get(e->late, &calls[i], &bytes->chunks);
		else if (found && call_was_made(&calls[i]))
			add_found(e, &calls[i], &bytes->chunks);
		bytes->late[i] = bytes->chunks.len > before;
		bytes->ends[i] = bytes->chunks.len;
	}
	if (kept)
		collector_unlock(e->collector);
}

const struct call_bytes *engine_bytes_of(struct engine_bytes *bytes, size_t index)
{
	size_t from = index ? bytes->ends[index - 1] : 0;

	bytes->captured.len = bytes->ends[index] - from;
	bytes->captured.chunks = bytes->captured.len ? bytes->chunks.data + from : NULL;
	bytes->provider.read = captured_bytes_read;
	bytes->provider.ctx = &bytes->captured;
	return &bytes->provider;
}

bool engine_bytes_late(const struct engine_bytes *bytes, size_t index)
{
	return bytes->late[index];
}

void engine_bytes_release(struct engine_bytes *bytes)
{
	str_release(&bytes->chunks);
	free(bytes->ends);
	free(bytes->late);
	bytes->ends = NULL;
	bytes->late = NULL;
	bytes->room = 0;
}

/* -- Later --------------------------------------------------------------------------------- */

/* Something that it points to may be known, and is not. */
static bool is_worth_reading(const struct engine *e, const struct call *call, size_t known)
{
	const struct syscall_info *info = syscalls_info(e->syscalls, call->nr);
	bool points = false;

	if (!call_was_made(call) || call->state == CALL_ORPHAN)
		return false;
	/* Where the kernel copies, it has left out what a call that failed did not fill in. */
	if (e->copies && (known || call_failed(call)))
		return false;
	for (unsigned i = 0; i < info->arg_count; i++)
		points = points || (call->args[i] && (info->args[i].kind == ARG_POINTER ||
						      info->args[i].kind == ARG_PATH ||
						      info->args[i].kind == ARG_STRING));
	return points;
}

/* Its program was not followed by another one: what is known of its memory is of it. Locked. */
static bool is_known(const struct engine *e, const struct call *call, struct late_memory *memory)
{
	const struct process *process = tasks_process(model_tasks(e->model), call->pid);

	if (!process || process->memory_ns > call->enter_ns)
		return false;
	memory->gone = process->ended;
	memory->generation = spaces_generation(e->spaces, call->pid);
	return true;
}

static bool ask(struct engine *e, const struct call *calls, size_t count,
		struct engine_bytes *bytes)
{
	struct late_memory *memories;
	bool *wanted, any = false, worth = false;

	if (!atomic_load(&e->ready) || !e->late)
		return false;
	wanted = mem_zalloc(count + 1, sizeof(*wanted));
	memories = mem_zalloc(count + 1, sizeof(*memories));
	for (size_t i = 0; i < count; i++) {
		size_t known = bytes->ends[i] - (i ? bytes->ends[i - 1] : 0);

		wanted[i] = !bytes->late[i] && is_worth_reading(e, &calls[i], known);
		worth = worth || wanted[i];
	}
	/* Who draws waits for the collector only where there is something to read. */
	if (worth) {
		collector_lock(e->collector);
		for (size_t i = 0; i < count; i++)
			wanted[i] = wanted[i] && is_known(e, &calls[i], &memories[i]);
		collector_unlock(e->collector);
	}
	for (size_t i = 0; i < count; i++) {
		size_t from = i ? bytes->ends[i - 1] : 0;

		if (!wanted[i])
			continue;
		late_thread_ask(e->late, &calls[i], &memories[i], bytes->chunks.data + from,
				bytes->ends[i] - from);
		any = true;
	}
	free(memories);
	free(wanted);
	return any;
}

void engine_bytes_look(struct engine *e, const struct call *calls, size_t count,
		       struct engine_bytes *bytes)
{
	ask(e, calls, count, bytes);
}

/*
 * Reading takes processor time and the memory's lock of who is watched: who makes calls without end
 * has the rest of them shown as pointers.
 */
static uint64_t take_budget(struct engine *e)
{
	uint64_t now_ns = clock_now_ns();

	if (e->late_seen_ns)
		e->late_left_ns += (now_ns - e->late_seen_ns) / LATE_SHARE;
	if (!e->late_seen_ns || e->late_left_ns > LATE_LEFT_NS)
		e->late_left_ns = LATE_LEFT_NS;
	e->late_seen_ns = now_ns;
	return e->late_left_ns;
}

void engine_bytes_settle(struct engine *e, const struct call *calls, size_t count,
			 struct engine_bytes *bytes, int timeout_ms)
{
	uint64_t left_ns = take_budget(e), waited_ns;

	if (left_ns < NS_PER_MS || !ask(e, calls, count, bytes))
		return;
	if (left_ns < (uint64_t)timeout_ms * NS_PER_MS)
		timeout_ms = (int)(left_ns / NS_PER_MS);
	if (!late_thread_wait(e->late, timeout_ms))
		late_thread_drop(e->late);
	waited_ns = clock_now_ns() - e->late_seen_ns;
	e->late_left_ns -= waited_ns < e->late_left_ns ? waited_ns : e->late_left_ns;
	engine_bytes_copy(e, calls, count, bytes);
}

uint64_t engine_bytes_version(struct engine *e)
{
	uint64_t version = 0;

	if (!atomic_load(&e->ready))
		return 0;
	if (e->late)
		version += late_thread_version(e->late);
	if (e->fds)
		version += fds_version(e->fds);
	return version;
}
