#include "engine/export/text.h"

#include "engine/base/clock.h"
#include "engine/base/digits.h"

#include <string.h>

/*
 * Add value with `decimals` fractional digits, in at least `width` columns, like "%*.*f" of
 * printf(), at a tenth of its cost.
 */
static inline void add_fixed(struct str *out, uint64_t value, unsigned decimals, unsigned width)
{
	char digits[32];
	char *const end = digits + sizeof(digits);
	char *at = end - decimals;

	value = digits_fixed(end, value, decimals);
	*--at = '.';
	at = digits_before(at, value);
	while ((size_t)(end - at) < width)
		*--at = ' ';
	str_addn(out, at, (size_t)(end - at));
}

void text_add_time(struct str *out, const struct text_options *options, uint64_t time_ns)
{
	uint64_t since_ns = time_ns > options->started_ns ? time_ns - options->started_ns : 0;

	add_fixed(out, since_ns / NS_PER_US, 6, 9);
}

static void add_gap(struct str *out, const struct text_options *options, const struct call *call)
{
	text_add_time(out, options, call->enter_ns);
	if (!call->args[0]) {
		str_add(out, " -- tracing was off until here --\n");
		return;
	}
	str_addn(out, " -- ", 4);
	str_addu(out, call->args[0]);
	if (call->args[1] == LOSS_OF_STREAM)
		str_add(out, call->args[0] == 1 ? " call" : " calls");
	else if (call->args[1] == LOSS_OF_EVENTS)
		str_add(out, call->args[0] == 1 ? " event lost" : " events lost");
	else
		str_add(out, call->args[0] == 1 ? " record lost" : " records lost");
	str_addn(out, " on CPU ", 8);
	str_addu(out, call->cpu);
	if (call->args[1] == LOSS_OF_STREAM)
		str_add(out, " counted in the summary only");
	else if (call->args[1] == LOSS_OTHER)
		str_add(out, ", none of them calls");
	str_addn(out, " --\n", 4);
}

void text_add_call(struct str *out, const struct text_options *options, const struct call *call,
		   const char *comm)
{
	if (call->state == CALL_GAP) {
		add_gap(out, options, call);
		return;
	}
	text_add_time(out, options, call->enter_ns);
	str_addk(out, " (", 2);
	if (call->dur_ns >= 0)
		add_fixed(out, ((uint64_t)call->dur_ns + NS_PER_US / 2) / NS_PER_US, 3, 7);
	else
		str_addk(out, "      ?", 7);
	str_addk(out, " ms) ", 5);
	str_add(out, comm);
	str_addk(out, "/", 1);
	str_addu(out, call->tid);
	str_addk(out, " ", 1);
	call_text(out, options->syscalls, call, &options->call);
	str_addk(out, " = ", 3);
	call_text_result(out, options->syscalls, call, &options->call);
	if (call->state == CALL_IN_FLIGHT)
		str_addk(out, " <in flight>", 12);
	else if (call->state == CALL_LOST_EXIT)
		str_addk(out, " <exit lost>", 12);
	str_addk(out, "\n", 1);
}

void text_add_stack(struct str *out, const struct frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct frame *frame = &frames[i];

		str_addn(out, " > ", 3);
		if (frame->symbol) {
			str_add(out, frame->symbol);
			str_addn(out, "+", 1);
			str_addx(out, frame->offset);
		} else {
			str_addx(out, frame->ip);
		}
		if (frame->dso && *frame->dso) {
			str_addn(out, " (", 2);
			str_add(out, frame->dso);
			str_addn(out, ")", 1);
		}
		if (frame->file) {
			str_addc(out, ' ');
			str_add(out, frame->file);
			str_addc(out, ':');
			str_addu(out, frame->line);
		}
		str_addc(out, '\n');
		if (frame->cut)
			str_addf(out, " > [cut] (%s)\n", frame->note);
	}
}
