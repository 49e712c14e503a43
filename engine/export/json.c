#include "engine/export/json.h"

#include "engine/base/clock.h"
#include "engine/base/container.h"
#include "engine/base/escape.h"

#include <string.h>

#define ADD(out, literal) str_addn((out), (literal), sizeof(literal) - 1)

void json_add_string(struct str *out, const char *text)
{
	static const char hex[] = "0123456789abcdef";
	const char *plain = text;

	ADD(out, "\"");
	for (;; text++) {
		unsigned char c = (unsigned char)*text;

		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		str_addn(out, plain, (size_t)(text - plain));
		plain = text + 1;
		if (!c)
			break;
		if (c >= ' ') {
			str_addc(out, '\\');
			str_addc(out, (char)c);
		} else {
			ADD(out, "\\u00");
			str_addc(out, hex[c >> 4]);
			str_addc(out, hex[c & 15]);
		}
	}
	ADD(out, "\"");
}

static void add_hex(struct str *out, uint64_t value)
{
	if (value) {
		ADD(out, "\"");
		str_addx(out, value);
		ADD(out, "\"");
	} else {
		ADD(out, "\"0x0\"");
	}
}

static void add_string_or_null(struct str *out, const char *text)
{
	if (text)
		json_add_string(out, text);
	else
		ADD(out, "null");
}

static void add_frame(struct str *out, const struct frame *frame)
{
	ADD(out, "{\"ip\":");
	add_hex(out, frame->ip);
	ADD(out, ",\"sym\":");
	add_string_or_null(out, frame->symbol);
	ADD(out, ",\"off\":");
	str_addu(out, frame->symbol ? frame->offset : frame->dso_offset);
	ADD(out, ",\"dso\":");
	json_add_string(out, frame->dso ? frame->dso : "");
	if (frame->kind == FRAME_KERNEL)
		ADD(out, ",\"kind\":\"kernel\",\"src\":");
	else
		ADD(out, ",\"kind\":\"user\",\"src\":");
	if (frame->file) {
		struct str source = STR_INIT;

		str_addf(&source, "%s:%u", frame->file, frame->line);
		json_add_string(out, source.data);
		str_release(&source);
	} else {
		ADD(out, "null");
	}
	if (frame->inlined)
		ADD(out, ",\"inlined\":true");
	else
		ADD(out, ",\"inlined\":false");
	/* Rare, so the keys are present only if true. */
	if (frame->guessed)
		ADD(out, ",\"guessed\":true");
	if (frame->cut)
		ADD(out, ",\"cut\":true");
	ADD(out, "}");
}

void json_add_frames(struct str *out, const struct frame *frames, size_t count)
{
	ADD(out, "[");
	for (size_t i = 0; i < count; i++) {
		if (i)
			ADD(out, ",");
		add_frame(out, &frames[i]);
	}
	ADD(out, "]");
}

static void add_args(struct str *out, const struct syscalls *syscalls, const struct call *call,
		     const struct call_text_options *options)
{
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);
	/* An exit without its enter has unknown arguments. */
	unsigned count = call->state == CALL_ORPHAN ? 0 : call_text_arg_count(syscalls, call);
	struct str text = STR_INIT;
	enum bytes_origin from;
	bool any = false;

	ADD(out, ",\"args\":[");
	for (unsigned i = 0; i < count; i++) {
		if (!call_text_arg_shown(syscalls, call, i))
			continue;
		if (any)
			ADD(out, ",");
		any = true;
		ADD(out, "{\"name\":");
		json_add_string(out, info->args[i].name);
		ADD(out, ",\"value\":");
		add_hex(out, call->args[i]);
		ADD(out, ",\"text\":");
		str_clear(&text);
		from = call_text_arg(&text, syscalls, call, i, options);
		json_add_string(out, text.data);
		ADD(out, ",\"from\":");
		json_add_string(out, bytes_origin_name(from));
		ADD(out, "}");
	}
	ADD(out, "]");
	str_release(&text);
}

static void add_errno(struct str *out, const struct call *call)
{
	const char *name;

	ADD(out, ",\"errno\":");
	if (!call_failed(call)) {
		ADD(out, "null");
		return;
	}
	name = errno_name((int)-call->ret);
	if (name) {
		json_add_string(out, name);
	} else {
		ADD(out, "\"");
		str_addd(out, -call->ret);
		ADD(out, "\"");
	}
}

/* A call with a lost enter or exit is an "orphan". A call that ended its thread is "done". */
static const char *state_name(const struct call *call)
{
	switch (call->state) {
	case CALL_IN_FLIGHT:
		return "in_flight";
	case CALL_ORPHAN:
	case CALL_LOST_EXIT:
		return "orphan";
	default:
		return "done";
	}
}

static void add_result(struct str *out, const struct syscalls *syscalls, const struct call *call,
		       const struct call_text_options *options)
{
	struct str text = STR_INIT;

	ADD(out, ",\"ret\":");
	if (call->state == CALL_DONE || call->state == CALL_ORPHAN)
		str_addd(out, call->ret);
	else
		ADD(out, "null");
	add_errno(out, call);
	ADD(out, ",\"ret_text\":");
	call_text_result(&text, syscalls, call, options);
	json_add_string(out, text.data);
	str_release(&text);
	ADD(out, ",\"state\":");
	json_add_string(out, state_name(call));
}

static void add_waker(struct str *out, const struct call *call, const struct json_call *more)
{
	static const char *const kinds[WAKER_KIND_COUNT] = {
		[WAKER_THREAD] = "thread",
		[WAKER_TIMER] = "timer",
		[WAKER_INTERRUPT] = "interrupt",
	};
	bool thread = call->waker_kind == WAKER_THREAD;
	bool interrupt = call->waker_kind == WAKER_INTERRUPT;

	ADD(out, ",\"waker\":");
	if (call->waker_kind == WAKER_NONE) {
		ADD(out, "null");
		return;
	}
	ADD(out, "{\"kind\":");
	json_add_string(out, interrupt && more->softirq ? "softirq" : kinds[call->waker_kind]);
	if (interrupt) {
		ADD(out, ",\"name\":");
		add_string_or_null(out, more->interrupt);
	}
	ADD(out, ",\"pid\":");
	str_addu(out, thread ? more->waker_pid : 0);
	ADD(out, ",\"tid\":");
	str_addu(out, thread ? call->waker_tid : 0);
	ADD(out, ",\"comm\":");
	json_add_string(out, thread && more->waker_comm ? more->waker_comm : "");
	ADD(out, ",\"stack\":");
	str_add(out, more->waker_stack ? more->waker_stack : "[]");
	if (call->flags & CALL_WAKER_STACK_EARLIER)
		ADD(out, ",\"stack_earlier\":true");
	if (call->flags & CALL_WAKER_INFERRED)
		ADD(out, ",\"inferred\":true");
	ADD(out, "}");
}

static void add_lost(struct str *out, const struct call *call)
{
	ADD(out, "{\"type\":\"lost\",\"ts\":");
	str_addu(out, call->enter_ns);
	ADD(out, ",\"cpu\":");
	str_addu(out, call->cpu);
	ADD(out, ",\"count\":");
	str_addu(out, call->args[0]);
	if (call->args[1] == LOSS_OF_STREAM)
		ADD(out, ",\"counted\":true");
	else if (call->args[1] == LOSS_OTHER)
		ADD(out, ",\"beside\":true");
	else if (call->args[1] == LOSS_OF_EVENTS)
		ADD(out, ",\"events\":true");
	ADD(out, "}\n");
}

/* dur_ns of a call in flight is its age, set by engine_in_flight(). */
static void add_duration(struct str *out, const struct call *call)
{
	ADD(out, ",\"dur\":");
	if (call->state == CALL_IN_FLIGHT) {
		ADD(out, "null,\"age\":");
		str_addu(out, call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0);
	} else if (call->dur_ns >= 0) {
		str_addu(out, (uint64_t)call->dur_ns);
	} else {
		ADD(out, "null");
	}
}

static void add_waits(struct str *out, const struct call *call)
{
	if (!call_waits_are_known(call)) {
		ADD(out, ",\"blocked\":null,\"runnable\":null");
		return;
	}
	ADD(out, ",\"blocked\":");
	str_addu(out, call->blocked_ns);
	ADD(out, ",\"runnable\":");
	str_addu(out, call->runnable_ns);
}

static void add_stack_kind(struct str *out, const struct call *call)
{
	if (call_shows_running(call)) {
		ADD(out, ",\"stack_of\":\"running\"");
		if (call->ran_after_us) {
			ADD(out, ",\"stack_after\":");
			str_addu(out, call->ran_after_us * NS_PER_US);
		}
		return;
	}
	if (call->flags & CALL_STACK_EARLIER)
		ADD(out, ",\"stack_earlier\":true");
	if (call->flags & CALL_STACK_FOUND)
		ADD(out, ",\"stack_found\":true");
	if (call->flags & CALL_STACK_PREEMPTED)
		ADD(out, ",\"stack_of\":\"preempted\"");
}

void json_add_cgroup(struct str *out, const char *path)
{
	struct container container;
	struct str text = STR_INIT;
	bool contained = container_find(&container, path);

	if (!path || !*path)
		return;
	ADD(out, ",\"cgroup\":\"");
	str_add_json(out, path, strlen(path));
	ADD(out, "\"");
	if (!contained)
		return;
	ADD(out, ",\"container\":{\"runtime\":");
	json_add_string(out, container.runtime);
	ADD(out, ",\"id\":");
	container_add_id(&text, &container);
	add_string_or_null(out, text.len ? text.data : NULL);
	str_clear(&text);
	container_add_pod(&text, &container);
	ADD(out, ",\"pod\":");
	add_string_or_null(out, text.len ? text.data : NULL);
	ADD(out, "}");
	str_release(&text);
}

void json_add_call(struct str *out, const struct syscalls *syscalls, const struct call *call,
		   const struct json_call *more)
{
	if (call->state == CALL_GAP) {
		add_lost(out, call);
		return;
	}
	ADD(out, "{\"type\":\"call\",\"ts\":");
	str_addu(out, call->enter_ns);
	if (call->flags & CALL_SEEDED)
		ADD(out, ",\"seeded\":true");
	add_duration(out, call);
	ADD(out, ",\"pid\":");
	str_addu(out, call->pid);
	ADD(out, ",\"tid\":");
	str_addu(out, call->tid);
	ADD(out, ",\"comm\":");
	json_add_string(out, more->comm);
	if (more->ns_pid) {
		ADD(out, ",\"ns_pid\":");
		str_addu(out, more->ns_pid);
	}
	if (more->cgroup)
		str_add(out, more->cgroup);
	ADD(out, ",\"cpu\":");
	str_addu(out, call->cpu);
	ADD(out, ",\"nr\":");
	str_addu(out, call->nr);
	ADD(out, ",\"name\":");
	str_addc(out, '"');
	syscalls_add_name(out, syscalls, call->nr);
	str_addc(out, '"');
	add_args(out, syscalls, call, more->text);
	add_result(out, syscalls, call, more->text);
	add_waits(out, call);
	ADD(out, ",\"stack\":");
	str_add(out, more->stack ? more->stack : "[]");
	add_stack_kind(out, call);
	add_waker(out, call, more);
	ADD(out, "}\n");
}
