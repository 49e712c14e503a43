#include "tui/report/flight_lines.h"

#include "engine/base/escape.h"
#include "engine/base/units.h"

#define PATH_SHOWN_BYTES 256
#define EXPRESSION_SHOWN_BYTES 256

/* Append "futex of mysqld/812 took 61.2ms". */
static void add_reason(struct engine *engine, const struct flight_mark *mark, struct str *out)
{
	char comm[4 * FLIGHT_COMM_BYTES], ns[UNITS_TEXT_BYTES];

	switch (mark->reason) {
	case FLIGHT_SIGNAL:
		str_add(out, "the signal");
		return;
	case FLIGHT_KEY:
		str_add(out, "the key press");
		return;
	default:
		break;
	}
	if (mark->event)
		str_add(out, "an event");
	else
		str_add(out, syscalls_info(engine_syscalls(engine), mark->nr)->name);
	str_addf(out, " of %s/%u", escape_name(comm, sizeof(comm), mark->comm), mark->tid);
	if (mark->dur_ns >= 0 && !mark->event)
		str_addf(out, " %s %s%s", mark->in_flight ? "in flight for" : "took",
			 units_format_ns(ns, (uint64_t)mark->dur_ns),
			 mark->in_flight ? " already" : "");
}

static void add_span(const struct flight_mark *mark, uint64_t until_ns, struct str *out)
{
	uint64_t before = mark->time_ns > mark->from_ns ? mark->time_ns - mark->from_ns : 0;
	uint64_t after = until_ns > mark->time_ns ? until_ns - mark->time_ns : 0;
	char one[UNITS_TEXT_BYTES], two[UNITS_TEXT_BYTES];

	str_addf(out, "%s before and %s after", units_format_ns(one, before),
		 units_format_ns(two, after));
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

void flight_lines_save(struct engine *engine, const struct flight_save *save, struct str *out)
{
	char path[PATH_SHOWN_BYTES], bytes[UNITS_TEXT_BYTES];

	if (save->failure) {
		str_addf(out, "%s; trigger: ", save->error);
		add_reason(engine, &save->mark, out);
		return;
	}
	str_addf(out, "Saved %s, %s: ", escape_name(path, sizeof(path), save->path),
		 units_format_bytes(bytes, save->bytes));
	add_span(&save->mark, save->until_ns, out);
	str_addc(out, ' ');
	add_reason(engine, &save->mark, out);
	if (save->missed)
		str_addf(out, "; %llu record%s missing: arrived faster than written",
			 (unsigned long long)save->missed, plural(save->missed));
	if (save->dropped)
		str_addf(out, "; %llu other trigger%s ignored since the last file",
			 (unsigned long long)save->dropped, plural(save->dropped));
}

void flight_lines_mark(struct engine *engine, const struct flight_mark *mark, uint64_t until_ns,
		       struct str *out)
{
	char shown[EXPRESSION_SHOWN_BYTES];

	str_add(out, "Saved by a flight recorder: ");
	add_span(mark, until_ns, out);
	str_addc(out, ' ');
	add_reason(engine, mark, out);
	if (mark->reason == FLIGHT_CALL)
		str_addf(out, "; trigger: %s", escape_name(shown, sizeof(shown), mark->expression));
}
