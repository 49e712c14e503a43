#include "engine/export/call_fields.h"

#include "engine/export/fields.h"

static const char *const states[CALL_STATE_COUNT] = {
	[CALL_IN_FLIGHT] = "in_flight", [CALL_DONE] = "done",        [CALL_ORPHAN] = "orphan",
	[CALL_ENDED] = "done",          [CALL_LOST_EXIT] = "orphan", [CALL_GAP] = "lost",
	[CALL_EVENT] = "event",
};

static void add_result(struct fields *fields, const struct call *call)
{
	bool returned = call->state == CALL_DONE || call->state == CALL_ORPHAN;
	const char *name = call_failed(call) ? errno_name((int)-call->ret) : NULL;

	if (returned)
		fields_signed(fields, "ret", call->ret);
	else
		fields_none(fields, "ret");
	fields_text(fields, "errno", name);
}

/* Add a row for a loss, with the number of records. */
static void add_gap(struct fields *fields, const struct call *call)
{
	static const char *const nothing[] = { "dur_ns", "blocked_ns", "runnable_ns",
					       "pid",    "tid",        "comm" };
	struct str text = STR_INIT;

	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		fields_none(fields, nothing[i]);
	fields_whole(fields, "cpu", call->cpu);
	fields_none(fields, "name");
	if (call->args[0])
		str_addf(&text, "%llu records", (unsigned long long)call->args[0]);
	else
		str_add(&text, "tracing was off until here");
	fields_text(fields, "call", text.data);
	fields_none(fields, "ret");
	fields_none(fields, "errno");
	fields_none(fields, "waker_tid");
	str_release(&text);
}

static void add_call(struct fields *fields, const struct syscalls *syscalls,
		     const struct call *call, const struct call_text_options *options,
		     const struct call_fields *more)
{
	bool event = call->state == CALL_EVENT;
	struct str text = STR_INIT;

	if (call->dur_ns >= 0 && !event)
		fields_whole(fields, "dur_ns", (uint64_t)call->dur_ns);
	else
		fields_none(fields, "dur_ns");
	if (call_waits_are_known(call) && !event) {
		fields_whole(fields, "blocked_ns", call->blocked_ns);
		fields_whole(fields, "runnable_ns", call->runnable_ns);
	} else {
		fields_none(fields, "blocked_ns");
		fields_none(fields, "runnable_ns");
	}
	fields_whole(fields, "pid", call->pid);
	fields_whole(fields, "tid", call->tid);
	fields_text(fields, "comm", more->comm);
	fields_whole(fields, "cpu", call->cpu);
	if (event) {
		fields_text(fields, "name", more->event);
		fields_text(fields, "call", more->event_text);
		fields_none(fields, "ret");
		fields_none(fields, "errno");
	} else {
		syscalls_add_name(&text, syscalls, call->nr);
		fields_text(fields, "name", text.data);
		str_clear(&text);
		call_text(&text, syscalls, call, options);
		fields_text(fields, "call", text.data);
		add_result(fields, call);
	}
	if (call->waker_kind == WAKER_THREAD)
		fields_whole(fields, "waker_tid", call->waker_tid);
	else
		fields_none(fields, "waker_tid");
	str_release(&text);
}

static void add(struct str *out, enum fields_format format, const struct syscalls *syscalls,
		const struct call *call, const struct call_text_options *options,
		const struct call_fields *more)
{
	struct fields fields = fields_begin(out, format, "call");

	fields_whole(&fields, "ts_ns", call->enter_ns);
	fields_text(&fields, "state", states[call->state]);
	if (call->state == CALL_GAP)
		add_gap(&fields, call);
	else
		add_call(&fields, syscalls, call, options, more);
	fields_end(&fields);
}

void call_fields_add_names(struct str *out)
{
	const struct call none = { .state = CALL_GAP };

	add(out, FIELDS_CSV_NAMES, NULL, &none, NULL, NULL);
}

void call_fields_add(struct str *out, const struct syscalls *syscalls, const struct call *call,
		     const struct call_text_options *options, const struct call_fields *more)
{
	add(out, FIELDS_CSV, syscalls, call, options, more);
}
