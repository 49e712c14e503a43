#include "tui/config/lines.h"

#include "engine/base/mem.h"
#include "engine/export/call_fields.h"
#include "engine/export/event_line.h"
#include "engine/export/interrupt_name.h"
#include "engine/export/json.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX 2048
#define STACK_BYTES_MAX (32u << 20)
#define SYMBOLS_WAIT_MS 1000
#define SYMBOLS_ROUNDS 5 /* maximum number of waits of SYMBOLS_WAIT_MS without a new name */
#define NAMES_ROUNDS 3
/* Limits per block of calls. On a timeout, the raw value is written. */
#define FDS_WAIT_MS 30
#define LATE_WAIT_MS 30

void lines_init(struct lines *lines, struct engine *engine, const struct options *options,
		enum lines_format format)
{
	struct engine_status *status = mem_alloc(sizeof(*status));

	memset(lines, 0, sizeof(*lines));
	lines->engine = engine;
	lines->format = format;
	/* Text lines omit stacks that are sampled only for a filter. */
	lines->stacks = options->engine.stacks != STACKS_OFF &&
			(format == LINES_JSON ||
			 (format == LINES_TEXT && (options->stacks_given || options->folded_path)));
	lines->text.syscalls = engine_syscalls(engine);
	lines->replayed = options->engine.recording && !options->engine.interactive;
	lines->text.call.arg_names = options->arg_names;
	lines->text.call.string_bytes = options->engine.string_bytes;
	lines->text.call.wait = true;
	lines->text.call.hex_strings = options->hex_strings;
	lines->text.call.fd_namer = engine_fd_namer(engine);
	engine_status(engine, status);
	lines->text.started_ns = status->started_ns;
	free(status);
	idmap_init(&lines->stack_texts);
	idmap_init(&lines->ns_pids);
	chrome_trace_init(&lines->trace);
	if (lines->stacks)
		lines->frames = mem_zalloc(FRAMES_MAX, sizeof(*lines->frames));
}

static void forget_stacks(struct lines *lines)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&lines->stack_texts, &cursor)))
		free(slot->value);
	idmap_clear(&lines->stack_texts);
	lines->stack_bytes = 0;
}

void lines_release(struct lines *lines)
{
	for (size_t i = 0; i < lines->identity_cap; i++) {
		free(lines->who[i].name);
		free(lines->who[i].cgroup);
	}
	free(lines->who);
	idmap_release(&lines->ns_pids);
	forget_stacks(lines);
	idmap_release(&lines->stack_texts);
	chrome_trace_release(&lines->trace);
	free(lines->frames);
	engine_bytes_release(&lines->bytes);
}

static void look_up(struct lines *lines, const struct call *call, struct line_identity *who)
{
	char name[ENGINE_NAME_BYTES];
	struct str text = STR_INIT;

	who->name = mem_strdup(engine_comm(lines->engine, call, name));
	if (lines->format != LINES_JSON)
		return;
	engine_owner(lines->engine, call->pid, call->comm_id, &lines->owner);
	json_add_cgroup(&text, lines->owner.cgroup);
	if (text.len)
		who->cgroup = str_steal(&text);
}

/* An id never changes its identity, so it is looked up once while it is cached. */
static const struct line_identity *identity_of(struct lines *lines, const struct call *call)
{
	size_t place = call->comm_id % LINE_IDENTITIES;
	size_t old_cap = lines->identity_cap;
	struct line_identity *who;

	if (place >= old_cap) {
		lines->who = mem_grow(lines->who, &lines->identity_cap, place + 1,
				      sizeof(*lines->who));
		memset(lines->who + old_cap, 0,
		       (lines->identity_cap - old_cap) * sizeof(*lines->who));
	}
	who = &lines->who[place];
	if (who->name && who->comm_id != call->comm_id) {
		free(who->name);
		free(who->cgroup);
		*who = (struct line_identity){ .name = NULL };
	}
	if (!who->name)
		look_up(lines, call, who);
	who->comm_id = call->comm_id;
	return who;
}

/* Query once per block: later, the pid can be reused, or its ns_pid can become known. */
static uint32_t ns_pid_of(struct lines *lines, const struct call *call)
{
	uintptr_t known = (uintptr_t)idmap_get(&lines->ns_pids, call->pid);

	if (!known) {
		engine_owner(lines->engine, call->pid, call->comm_id, &lines->owner);
		known = (uintptr_t)lines->owner.ns_pid + 1;
		idmap_put(&lines->ns_pids, call->pid, (void *)known);
	}
	return (uint32_t)(known - 1);
}

/* -- Stacks -------------------------------------------------------------------------- */

static size_t count_pending(const struct frame *frames, size_t count)
{
	size_t pending = 0;

	for (size_t i = 0; i < count; i++)
		pending += frames[i].pending;
	return pending;
}

/* Request the names of all frames. False: all are resolved already. */
static bool ask_for_names(struct lines *lines, const struct call *calls, size_t count)
{
	bool asked = false;

	for (size_t i = 0; i < count; i++) {
		const uint32_t ids[] = { calls[i].stack_id, calls[i].waker_stack_id };

		for (size_t j = 0; j < 2; j++) {
			size_t frames;

			if (!ids[j] || idmap_get(&lines->stack_texts, ids[j]))
				continue;
			frames = engine_frames(lines->engine, ids[j], lines->frames, FRAMES_MAX);
			asked = asked || count_pending(lines->frames, frames);
		}
	}
	return asked;
}

/* Wait as long as names arrive: on a busy machine they take long. False: some are missing. */
static bool await_names(struct engine *engine)
{
	size_t before = SIZE_MAX, pending;

	for (int round = 0; round < SYMBOLS_ROUNDS; round++) {
		if (engine_symbols_settle(engine, SYMBOLS_WAIT_MS))
			return true;
		pending = engine_symbols_pending(engine);
		if (pending < before)
			round = 0;
		before = pending;
	}
	return false;
}

/*
 * Wait for the names of all stacks of a block, in several rounds. A stack that was incomplete can
 * have new frames, whose names must be requested.
 */
static void wait_for_names(struct lines *lines, const struct call *calls, size_t count)
{
	/* Names that timed out before can have arrived since. */
	if (lines->names_are_slow)
		lines->names_are_slow = !engine_symbols_settle(lines->engine, 0);
	for (int round = 0; (round < NAMES_ROUNDS || lines->replayed) && !lines->names_are_slow &&
			    ask_for_names(lines, calls, count);
	     round++)
		lines->names_are_slow = !await_names(lines->engine);
}

/*
 * Return the text of a stack, or NULL if there is none. *owned: the caller frees it, because names
 * are still pending and the text is not cached.
 */
static char *stack_text(struct lines *lines, uint32_t id, bool *owned)
{
	struct str text = STR_INIT;
	char *known;
	size_t count, pending;

	*owned = false;
	if (!lines->stacks || !id)
		return NULL;
	known = idmap_get(&lines->stack_texts, id);
	if (known)
		return known;
	count = engine_frames(lines->engine, id, lines->frames, FRAMES_MAX);
	if (lines->format == LINES_JSON)
		json_add_frames(&text, lines->frames, count);
	else
		text_add_stack(&text, lines->frames, count);
	pending = count_pending(lines->frames, count);
	for (size_t i = 0; i < count && pending; i++)
		lines->unnamed += lines->frames[i].pending && !lines->frames[i].symbol;
	*owned = pending;
	if (*owned)
		return str_steal(&text);
	lines->stack_bytes += text.len;
	known = str_steal(&text);
	idmap_put(&lines->stack_texts, id, known);
	return known;
}

static struct interrupt_name interrupt_of(struct lines *lines, const struct call *call)
{
	size_t count = 0;

	if (lines->stacks && call->waker_stack_id)
		count = engine_frames(lines->engine, call->waker_stack_id, lines->frames,
				      FRAMES_MAX);
	return interrupt_name(lines->frames, count);
}

/* -- Lines --------------------------------------------------------------------------- */

static void add_json(struct lines *lines, struct str *out, const struct call *call)
{
	const struct line_identity *who = identity_of(lines, call);
	struct json_call more = { .comm = who->name,
				  .cgroup = who->cgroup,
				  .ns_pid = ns_pid_of(lines, call),
				  .text = &lines->text.call };
	struct interrupt_name interrupt;
	char waker[ENGINE_NAME_BYTES];
	bool owns_stack, owns_waker_stack;
	char *stack = stack_text(lines, call_shown_stack(call), &owns_stack);
	char *waker_stack = stack_text(lines, call->waker_stack_id, &owns_waker_stack);

	more.stack = stack;
	more.waker_stack = waker_stack;
	if (call->waker_kind == WAKER_THREAD) {
		engine_waker(lines->engine, call, &more.waker_pid, waker);
		more.waker_comm = waker;
	} else if (call->waker_kind == WAKER_INTERRUPT) {
		interrupt = interrupt_of(lines, call);
		more.interrupt = interrupt.handler;
		more.softirq = interrupt.softirq;
	}
	json_add_call(out, lines->text.syscalls, call, &more);
	if (owns_stack)
		free(stack);
	if (owns_waker_stack)
		free(waker_stack);
}

static void add_text(struct lines *lines, struct str *out, const struct call *call)
{
	bool owned;
	char *stack;

	text_add_call(out, &lines->text, call, identity_of(lines, call)->name);
	if (!lines->stacks)
		return;
	stack = stack_text(lines, call_shown_stack(call), &owned);
	if (stack)
		str_add(out, stack);
	if (owned)
		free(stack);
}

static void add_fields(struct lines *lines, struct str *out, const struct call *call,
		       const char *event_text)
{
	const struct call_fields more = {
		.comm = identity_of(lines, call)->name,
		.event = call->state == CALL_EVENT ? engine_event_name(lines->engine, call) : NULL,
		.event_text = event_text,
	};

	call_fields_add(out, lines->text.syscalls, call, &lines->text.call, &more);
}

static void add_trace(struct lines *lines, struct str *out, const struct call *call,
		      const char *event_text)
{
	struct chrome_call more = {
		.comm = identity_of(lines, call)->name,
		.event = call->state == CALL_EVENT ? engine_event_name(lines->engine, call) : NULL,
		.event_text = event_text,
		.text = &lines->text.call,
	};
	char process[ENGINE_NAME_BYTES], waker[ENGINE_NAME_BYTES];
	uint32_t pid;

	if (call->pid != call->tid && engine_thread(lines->engine, call->pid, &pid, process))
		more.process = process;
	if (call->waker_kind == WAKER_THREAD &&
	    engine_waker(lines->engine, call, &more.waker_pid, waker))
		more.waker = waker;
	chrome_trace_add(&lines->trace, out, lines->text.syscalls, call, &more);
}

static void add_event(struct lines *lines, struct str *out, const struct call *call)
{
	const struct line_identity *who = identity_of(lines, call);
	struct event_line event = { .comm = who->name,
				    .cgroup = who->cgroup,
				    .name = engine_event_name(lines->engine, call) };
	struct str text = STR_INIT;

	if (engine_event_text(lines->engine, call, lines->text.call.bytes, &text))
		event.text = text.data;
	switch (lines->format) {
	case LINES_TEXT:
		event_line_add_text(out, &lines->text, call, &event);
		break;
	case LINES_JSON:
		event_line_add_json(out, call, &event);
		break;
	case LINES_CSV:
		add_fields(lines, out, call, event.text);
		break;
	case LINES_TRACE:
		add_trace(lines, out, call, event.text);
		break;
	}
	str_release(&text);
}

static void add_call(struct lines *lines, struct str *out, const struct call *call)
{
	switch (lines->format) {
	case LINES_TEXT:
		add_text(lines, out, call);
		break;
	case LINES_JSON:
		add_json(lines, out, call);
		break;
	case LINES_CSV:
		add_fields(lines, out, call, NULL);
		break;
	case LINES_TRACE:
		add_trace(lines, out, call, NULL);
		break;
	}
}

void lines_begin(struct lines *lines, struct str *out)
{
	if (lines->format == LINES_CSV)
		call_fields_add_names(out);
	else if (lines->format == LINES_TRACE)
		chrome_trace_begin(&lines->trace, out);
}

void lines_end(struct lines *lines, struct str *out)
{
	if (lines->format == LINES_TRACE)
		chrome_trace_end(&lines->trace, out);
}

void lines_add(struct lines *lines, struct str *out, const struct call *calls, size_t count)
{
	engine_bytes_copy(lines->engine, calls, count, &lines->bytes);
	if (!lines->past) {
		engine_fds_prepare(lines->engine, calls, count, FDS_WAIT_MS);
		engine_bytes_settle(lines->engine, calls, count, &lines->bytes, LATE_WAIT_MS);
	}
	if (lines->stacks)
		wait_for_names(lines, calls, count);
	idmap_clear(&lines->ns_pids);
	for (size_t i = 0; i < count; i++) {
		lines->text.call.bytes = engine_bytes_of(&lines->bytes, i);
		if (calls[i].state == CALL_EVENT)
			add_event(lines, out, &calls[i]);
		else
			add_call(lines, out, &calls[i]);
	}
	if (lines->stack_bytes > STACK_BYTES_MAX)
		forget_stacks(lines);
}
