#include "tui/config/options_private.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_BYTES_MIN (4ULL << 10)
#define RING_BYTES_MAX (1ULL << 30)
#define DWARF_BYTES_MIN 8
#define EVENTS_ALL "event ~ ." /* matches every event and no call */
#define DWARF_BYTES_MAX 65528 /* limit of the stack dump in a sample */

/* -- Filters ----------------------------------------------------------------------- */

/* Combine the filters with `and`. Takes ownership of `more`. */
static void add_filter(struct filter **filter, struct filter *more)
{
	struct filter *old = *filter;

	if (!old) {
		*filter = more;
		return;
	}
	*filter = filter_and(old, more);
	filter_free(old);
	filter_free(more);
}

/* Append the message, the filter text, and carets below its wrong part. */
bool options_refuse_filter(struct parse *parse, const char *option, const char *text,
			   const struct filter_error *error)
{
	struct str before = STR_INIT;
	size_t len = strlen(text);
	size_t column = error->column < len ? error->column : len;
	size_t marked = error->length && column + error->length <= len ? error->length : 1;

	options_refuse(parse, "%s: %s", option, error->err.text);
	str_add(parse->message, "    ");
	str_add_escaped(parse->message, text, len, ESCAPE_PLAIN);
	str_add(parse->message, "\n    ");
	/* Escaping widens the text, so the caret is placed by the escaped width. */
	str_add_escaped(&before, text, column, ESCAPE_PLAIN);
	str_repeat(parse->message, ' ', (size_t)utf8_text_width(before.data, before.len));
	str_repeat(parse->message, '^', marked);
	str_addc(parse->message, '\n');
	str_release(&before);
	return false;
}

bool options_take_filter(struct parse *parse, const char *option, const char *text)
{
	struct filter_error error = { .err.text = "" };
	struct filter *filter;

	if (filter_parse(&filter, text, parse->names, &error) < 0)
		return options_refuse_filter(parse, option, text, &error);
	add_filter(&parse->options->engine.filter, filter);
	return true;
}

bool options_take_calls(struct parse *parse, const char *option, const char *text)
{
	struct filter_error error = { .err.text = "" };
	struct filter *filter;

	if (filter_parse(&filter, text, parse->names, &error) < 0)
		return options_refuse_filter(parse, option, text, &error);
	add_filter(&parse->calls, filter);
	return true;
}

/* Options that select calls must not drop events, which -E selects by name. */
bool options_close_calls(struct parse *parse)
{
	struct filter_error error = { .err.text = "" };
	struct str both = STR_INIT;
	struct filter *filter;
	int failed;

	if (parse->no_syscalls && parse->calls)
		return options_refuse(
			parse, "--no-syscalls: drop -e, -P, -d and -Z, which select system calls");
	if (parse->no_syscalls)
		return options_take_filter(parse, "--no-syscalls", EVENTS_ALL);
	if (!parse->calls)
		return true;
	if (!parse->events.len) {
		add_filter(&parse->options->engine.filter, filter_ref(parse->calls));
		return true;
	}
	str_addf(&both, "%s || " EVENTS_ALL, filter_text(parse->calls));
	failed = filter_parse(&filter, both.data, parse->names, &error);
	if (failed)
		options_refuse_filter(parse, "-E", both.data, &error);
	else
		add_filter(&parse->options->engine.filter, filter);
	str_release(&both);
	return !failed;
}

bool options_take_events(struct parse *parse, const char *list)
{
	struct err err;

	if (!*list)
		return options_refuse(
			parse,
			"-E: expected tracepoints: SYSTEM:NAME,... as in sched:sched_process_exec");
	if (event_list_check(list, &err) < 0)
		return options_refuse(parse, "-E: %s", err.text);
	if (parse->events.len)
		str_addc(&parse->events, ',');
	str_add(&parse->events, list);
	return true;
}

static bool says_none(const char *set)
{
	const char *behind = strchr(set, '=');

	set = behind ? behind + 1 : set;
	return !strcmp(set, "none") || !strcmp(set, "!all");
}

/* True if the filter matches no syscall that has a name on this machine. */
static bool takes_none(const struct filter *filter, const struct filter_names *names)
{
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		struct call call = { .state = CALL_DONE, .nr = (uint16_t)nr };

		if (names->syscall_name(names->ctx, nr) && filter_match(filter, &call, NULL))
			return false;
	}
	return true;
}

bool options_take_syscalls(struct parse *parse, const char *set)
{
	struct filter_error error = { .err.text = "" };
	struct filter *filter;

	if (parse->syscalls_given)
		return options_refuse(parse, "-e: given twice; put the system calls into one set, "
					     "as in -e open,close");
	parse->syscalls_given = true;
	if (!strcmp(set, "trace=") || !strcmp(set, "t="))
		set = "";
	if (!*set)
		return options_refuse(parse, "-e: expected system calls; -e none matches none");
	if (filter_parse_syscall_set(&filter, set, parse->names, &error) < 0)
		return options_refuse_filter(parse, "-e", set, &error);
	if (!says_none(set) && takes_none(filter, parse->names))
		str_addf(parse->message,
			 "-e %s: the set has no system call of this machine: nothing will be "
			 "shown\n",
			 set);
	add_filter(&parse->calls, filter);
	return true;
}

bool options_take_path(struct parse *parse, const char *path)
{
	char *real;

	if (!*path)
		return options_refuse(parse, "-P: the path is empty");
	str_add(&parse->paths, parse->paths.len ? ", " : "path in {");
	filter_quote(&parse->paths, path, strlen(path));
	/* Names of descriptors are paths without symlinks, so match the resolved path too. */
	real = realpath(path, NULL);
	if (real && strcmp(real, path)) {
		str_add(&parse->paths, ", ");
		filter_quote(&parse->paths, real, strlen(real));
	}
	free(real);
	return true;
}

bool options_close_paths(struct parse *parse)
{
	if (!parse->paths.len)
		return true;
	str_addc(&parse->paths, '}');
	return options_take_calls(parse, "-P", parse->paths.data);
}

bool options_take_min_duration(struct parse *parse, const char *text)
{
	char expression[64];
	struct err err;
	uint64_t ns;

	if (units_parse_duration(text, NS_PER_MS, &ns, &err) < 0)
		return options_refuse(parse, "-d: %s", err.text);
	snprintf(expression, sizeof(expression), "dur >= %" PRIu64 "ns", ns);
	return options_take_calls(parse, "-d", expression);
}

/* -- Values -------------------------------------------------------------------------- */

static bool parse_size(struct parse *parse, const char *option, const char *text, uint64_t min,
		       uint64_t max, size_t *bytes)
{
	char low[UNITS_TEXT_BYTES], high[UNITS_TEXT_BYTES];
	struct err err;
	uint64_t value;

	if (units_parse_size(text, &value, &err) < 0)
		return options_refuse(parse, "%s: %s", option, err.text);
	if (value < min || value > max)
		return options_refuse(parse, "%s: %s is not between %s and %s", option, text,
				      units_format_bytes(low, min), units_format_bytes(high, max));
	*bytes = value;
	return true;
}

/* Parse "" or ",BYTES". */
static bool take_dwarf(struct parse *parse, const char *bytes)
{
	struct err err;
	uint64_t value = 0;

	parse->options->engine.stacks = STACKS_DWARF;
	if (!*bytes)
		return true;
	if (units_parse_number(bytes + 1, DWARF_BYTES_MIN, DWARF_BYTES_MAX, &value, &err) < 0)
		return options_refuse(parse, "-g dwarf: %s", err.text);
	if (value % 8)
		return options_refuse(parse, "-g dwarf: %s is not a multiple of 8", bytes + 1);
	parse->options->engine.dwarf_bytes = (uint32_t)value;
	return true;
}

bool options_take_stacks(struct parse *parse, const char *text)
{
	parse->options->stacks_given = true;
	if (!strncmp(text, "dwarf", 5) && (!text[5] || text[5] == ','))
		return take_dwarf(parse, text + 5);
	if (!strcmp(text, "auto"))
		parse->options->engine.stacks = STACKS_AUTO;
	else if (!strcmp(text, "fp"))
		parse->options->engine.stacks = STACKS_FP;
	else if (!strcmp(text, "off"))
		parse->options->engine.stacks = STACKS_OFF;
	else
		return options_refuse(parse, "-g: '%s' is not one of auto, fp, dwarf, off", text);
	return true;
}

bool options_take_source(struct parse *parse, const char *text)
{
	if (!strcmp(text, "auto"))
		parse->options->engine.calls = SOURCE_CALLS_AUTO;
	else if (!strcmp(text, "bpf"))
		parse->options->engine.calls = SOURCE_CALLS_BPF;
	else if (!strcmp(text, "perf"))
		parse->options->engine.calls = SOURCE_CALLS_PERF;
	else
		return options_refuse(parse, "--source: '%s' is not one of auto, bpf, perf", text);
	return true;
}

bool options_take_for(struct parse *parse, const char *text)
{
	struct err err;

	if (units_parse_duration(text, NS_PER_S, &parse->options->for_ns, &err) < 0)
		return options_refuse(parse, "--for: %s", err.text);
	if (!parse->options->for_ns)
		return options_refuse(parse, "--for: 0 is too short");
	return true;
}

/* Parse seconds since the start of the recording, as in the time column; a + is allowed. */
bool options_take_time(struct parse *parse, const char *option, const char *text, uint64_t *ns)
{
	struct err err;

	if (*text == '-')
		return options_refuse(parse,
				      "%s: '%s' is before the start of the recording, which is 0",
				      option, text);
	if (units_parse_duration(text + (*text == '+'), NS_PER_S, ns, &err) < 0)
		return options_refuse(parse, "%s: %s", option, err.text);
	return true;
}

bool options_take_speed(struct parse *parse, const char *text)
{
	char *end;
	double speed = strtod(text, &end);

	if (end == text || (*end && strcmp(end, "x") != 0) || !(speed >= PLAY_SPEED_MIN) ||
	    speed > PLAY_SPEED_MAX)
		return options_refuse(parse,
				      "--speed: '%s' is not a number from %g to %g, as in 1 or 0.5",
				      text, PLAY_SPEED_MIN, PLAY_SPEED_MAX);
	parse->options->engine.speed = speed;
	return true;
}

bool options_take_level(struct parse *parse, const char *text)
{
	struct err err;
	uint64_t level;

	if (units_parse_number(text, 1, RECORDER_LEVEL_MAX, &level, &err) < 0)
		return options_refuse(parse, "-z: %s", err.text);
	parse->options->engine.record.level = (int)level;
	return true;
}

/* Parse SIZE or TIME, and the number of files to retain besides the current one. */
bool options_take_rotation(struct parse *parse, const char *text)
{
	struct recorder_request *record = &parse->options->engine.record;
	const char *comma = strchr(text, ',');
	struct str limit = STR_INIT;
	uint64_t keep = 0;
	struct err err;
	bool ok = true;

	str_addn(&limit, text, comma ? (size_t)(comma - text) : strlen(text));
	record->max_bytes = record->max_ns = 0;
	if (units_parse_duration(limit.data, 0, &record->max_ns, NULL) < 0 &&
	    units_parse_size(limit.data, &record->max_bytes, &err) < 0)
		ok = options_refuse(
			parse, "--rotate: expected a size such as 100M or a time such as 10m: %s",
			err.text);
	else if (record->max_bytes < RECORDER_BYTES_MIN && record->max_ns < NS_PER_S)
		ok = options_refuse(parse, "--rotate: too small: expected at least 1M or 1s");
	if (ok && comma && units_parse_number(comma + 1, 1, RECORDER_KEEP_MAX, &keep, &err) < 0)
		ok = options_refuse(parse, "--rotate: %s", err.text);
	record->keep = (uint32_t)keep;
	str_release(&limit);
	return ok;
}

bool options_take_count(struct parse *parse, const char *text)
{
	struct err err;

	if (units_parse_number(text, 1, UINT64_MAX, &parse->options->engine.max_calls, &err) < 0)
		return options_refuse(parse, "-n: %s", err.text);
	return true;
}

bool options_take_catch(struct parse *parse, const char *text)
{
	struct options *options = parse->options;
	struct filter_error error = { .err.text = "" };

	if (options->catch_count == CATCHES_MAX)
		return options_refuse(parse, "--catch: at most %d catches", CATCHES_MAX);
	if (catch_rule_parse(&options->catches[options->catch_count], text, parse->names, &error))
		return options_refuse_filter(parse, "--catch", text, &error);
	options->catch_count++;
	return true;
}

bool options_take_string_size(struct parse *parse, const char *text)
{
	uint64_t bytes;
	struct err err;

	if (units_parse_number(text, 1, STRING_SIZE_MAX, &bytes, &err) < 0)
		return options_refuse(parse, "--string-size: %s", err.text);
	parse->options->engine.string_bytes = (uint32_t)bytes;
	return true;
}

bool options_take_target(struct parse *parse, const char *option, target_add_fn *add,
			 const char *list)
{
	struct err err;

	if (add(&parse->options->engine.target, list, &err) < 0)
		return options_refuse(parse, "%s: %s", option, err.text);
	return true;
}

bool options_take_owners(struct parse *parse, const char *option, owners_fn *write,
			 const char *list)
{
	struct str expression = STR_INIT;
	struct err err;
	bool ok;

	parse->owners_given = true;
	if (write(list, &expression, &err) < 0)
		ok = options_refuse(parse, "%s: %s", option, err.text);
	else
		ok = options_take_filter(parse, option, expression.data);
	str_release(&expression);
	return ok;
}

bool options_take_ring(struct parse *parse, const char *text)
{
	return parse_size(parse, "-m", text, RING_BYTES_MIN, RING_BYTES_MAX,
			  &parse->options->engine.ring_bytes);
}

bool options_take_history(struct parse *parse, const char *text)
{
	return parse_size(parse, "--history", text, HISTORY_BYTES_MIN, HISTORY_BYTES_MAX,
			  &parse->options->engine.history_bytes);
}

bool options_take_form(struct parse *parse, int key, const char *text)
{
	struct summary_form *form = &parse->options->form;
	struct err err = { 0 };
	const char *option;
	int rc;

	parse->form_given = true;
	if (key == OPT_SUMMARY_BY) {
		option = "--summary-by";
		rc = summary_form_by(form, text, &err);
	} else if (key == OPT_SUMMARY_COLUMNS) {
		option = "--summary-columns";
		rc = summary_form_columns(form, text, &err);
	} else {
		option = "--summary-sort";
		rc = summary_form_sort(form, text, &err);
	}
	return rc ? options_refuse(parse, "%s: %s", option, err.text) : true;
}
