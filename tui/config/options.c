#include "tui/config/options.h"

#include "engine/base/escape.h"
#include "engine/filter/target_filters.h"
#include "tui/config/options_private.h"
#include "tui/config/output.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool options_refuse(struct parse *parse, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_vaddf(parse->message, format, args);
	va_end(args);
	str_addc(parse->message, '\n');
	return false;
}

/* Return the option as the user types it: "-p" or "--json". */
static const char *option_shown(const struct option_def *def, char out[32])
{
	if (def->key < 256) {
		out[0] = '-';
		out[1] = (char)def->key;
		out[2] = '\0';
	} else {
		out[0] = out[1] = '-';
		strncpy(out + 2, def->name, 29);
		out[31] = '\0';
	}
	return out;
}

static const struct option_def *option_find(int key)
{
	for (size_t i = 0; i < options_table_count; i++)
		if (options_table[i].key == key)
			return &options_table[i];
	return NULL;
}

/* -- The command line ------------------------------------------------------------------ */

static bool take_option(struct parse *parse, int key, char *value)
{
	struct options *options = parse->options;

	switch (key) {
	case 'p':
		return options_take_target(parse, "-p", target_add_pids, value);
	case 't':
		return options_take_target(parse, "-t", target_add_tids, value);
	case 'C':
		return options_take_target(parse, "-C", target_add_cpus, value);
	case 'u':
		return options_take_owners(parse, "-u", target_users, value);
	case 'G':
		return options_take_owners(parse, "-G", target_cgroups, value);
	case 'e':
		return options_take_syscalls(parse, value);
	case 'P':
		return options_take_path(parse, value);
	case 'F':
		return options_take_filter(parse, "-F", value);
	case 'd':
		return options_take_min_duration(parse, value);
	case 'Z':
		return options_take_calls(parse, "-Z", "failed");
	case 'E':
		return options_take_events(parse, value);
	case OPT_NO_SYSCALLS:
		parse->no_syscalls = true;
		break;
	case OPT_CATCH:
		return options_take_catch(parse, value);
	case 'g':
		return options_take_stacks(parse, value);
	case 'm':
		return options_take_ring(parse, value);
	case OPT_DEBUGINFOD:
		options->engine.debuginfod = true;
		break;
	case OPT_HISTORY:
		return options_take_history(parse, value);
	case OPT_STRING_SIZE:
		return options_take_string_size(parse, value);
	case OPT_HEX:
		options->hex_strings = true;
		break;
	case 'y':
		parse->descriptors = true;
		break;
	case OPT_SOURCE:
		return options_take_source(parse, value);
	case 'i':
		options->engine.recording = value;
		return true;
	case 'o':
		if (!*value)
			return options_refuse(parse, "-o: expected a file name");
		options->engine.record.path = value;
		break;
	case 'z':
		return options_take_level(parse, value);
	case OPT_SYMFS:
	case OPT_DEBUG_DIR:
	case OPT_BUILDID_DIR:
	case OPT_KALLSYMS:
	case OPT_VMLINUX:
		return options_take_place(parse, key, value);
	case OPT_NO_NAMES:
		options->engine.no_names = true;
		break;
	case OPT_ROTATE:
		return options_take_rotation(parse, value);
	case OPT_FLIGHT:
	case OPT_FLIGHT_FILE:
	case OPT_FLIGHT_SPAN:
	case OPT_FLIGHT_SIZE:
	case OPT_FLIGHT_AGAIN:
	case OPT_FLIGHT_KEEP:
		return options_take_flight(parse, key, value);
	case 'b':
		parse->batch = true;
		break;
	case OPT_JSON:
		options->json = true;
		break;
	case 's':
		parse->summary_only = true;
		break;
	case 'S':
		parse->with_summary = true;
		break;
	case 'q':
		options->quiet = true;
		break;
	case OPT_DEMO:
		options->demo = true;
		return true;
	case OPT_AGAINST:
		options->against = value;
		return true;
	case OPT_SUMMARY_BY:
	case OPT_SUMMARY_COLUMNS:
	case OPT_SUMMARY_SORT:
		return options_take_form(parse, key, value);
	case 'w':
		if (!*value)
			return options_refuse(parse, "-w: expected a file name");
		options->write_path = value;
		break;
	case OPT_CSV:
		options->csv = true;
		break;
	case OPT_CHROME_TRACE:
		if (!*value)
			return options_refuse(parse, "--chrome-trace: expected a file name");
		options->trace_path = value;
		break;
	case OPT_FOLDED:
		if (!*value)
			return options_refuse(parse, "--folded: expected a file name");
		options->folded_path = value;
		break;
	case 'n':
		return options_take_count(parse, value);
	case OPT_FOR:
		return options_take_for(parse, value);
	case OPT_FROM:
		return options_take_time(parse, "--from", value, &options->engine.from_ns);
	case OPT_UNTIL:
		return options_take_time(parse, "--until", value, &options->engine.until_ns) &&
		       (options->engine.until_ns ||
			options_refuse(
				parse,
				"--until: 0 is the start of the recording; give a later time"));
	case OPT_SPEED:
		return options_take_speed(parse, value);
	case OPT_ARG_NAMES:
		options->arg_names = true;
		break;
	case OPT_INFO:
		options->info = true;
		break;
	case OPT_ACCESS:
		options->access = true;
		break;
	case OPT_KEYMAP:
		options->keymap = value;
		break;
	case OPT_THEME:
		options->theme = value;
		break;
	case OPT_VIEW:
		return options_take_view(parse, value);
	case OPT_ACCESSIBLE:
		options->accessible = options->ascii = true;
		break;
	case OPT_ASCII:
		options->ascii = true;
		break;
	case OPT_READ_ONLY:
		options->read_only = true;
		break;
	case OPT_NO_MOUSE:
		options->no_mouse = true;
		break;
	case OPT_NO_COLOR:
		options->no_color = true;
		break;
	case OPT_COMMAND_OUTPUT:
		options->command_output = value;
		break;
	case OPT_VERSION:
		parse->version = true;
		break;
	case OPT_HELP:
		parse->help = true;
		break;
	}
	return true;
}

/* Build the tables for getopt_long(). "+": COMMAND is the first word that is not an option. */
static void make_getopt(struct str *letters, struct option longs[OPTIONS_MAX])
{
	str_add(letters, "+:");
	memset(longs, 0, OPTIONS_MAX * sizeof(*longs));
	for (size_t i = 0; i < options_table_count; i++) {
		const struct option_def *def = &options_table[i];

		longs[i] = (struct option){ .name = def->name,
					    .val = def->key,
					    .has_arg = def->arg ? required_argument : no_argument };
		if (def->key >= 256)
			continue;
		str_addc(letters, (char)def->key);
		if (def->arg)
			str_addc(letters, ':');
	}
}

/* Refuse a word of the command line; the message shows it escaped. */
static bool refuse_word(struct parse *parse, const char *what, const char *word)
{
	char shown[64];

	return options_refuse(parse, "%s '%s'; see stxtop --help", what,
			      escape_name(shown, sizeof(shown), word));
}

static bool refuse_unknown(struct parse *parse, char **argv)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	const struct option_def *def = option_find(optopt);

	if (!optopt)
		return refuse_word(parse, "unknown option", argv[optind - 1]);
	if (def && def->key >= 256)
		return options_refuse(parse, "--%s takes no value", def->name);
	if (def && !strncmp(argv[optind - 1], "--", 2))
		return options_refuse(parse, "--%s takes no value", def->name);
	return refuse_word(parse, "unknown option", letter);
}

static bool read_arguments(struct parse *parse, int argc, char **argv)
{
	struct option longs[OPTIONS_MAX];
	struct str letters = STR_INIT;
	char shown[32];
	bool ok = true;
	int key;

	make_getopt(&letters, longs);
	optind = 0; /* glibc: reset, for a second parse in a test */
	opterr = 0;
	while (ok && (key = getopt_long(argc, argv, letters.data, longs, NULL)) != -1) {
		if (key == '?')
			ok = refuse_unknown(parse, argv);
		else if (key == ':')
			ok = options_refuse(parse, "%s needs a value: %s",
					    option_shown(option_find(optopt), shown),
					    option_find(optopt)->arg);
		else
			ok = take_option(parse, key, optarg);
	}
	str_release(&letters);
	if (ok && optind < argc)
		parse->options->command = argv + optind;
	return ok;
}

static bool has_catch(const struct options *options, enum catch_action action)
{
	for (size_t i = 0; i < options->catch_count; i++)
		if (options->catches[i].action == action)
			return true;
	return false;
}

/* True if a catch can write a recording. */
static bool catches_data(const struct options *options)
{
	for (size_t i = 0; i < options->catch_count; i++)
		if (options->catches[i].file && output_is_recording(options->catches[i].file))
			return true;
	return false;
}

/* True if the filter, a catch or the trigger of the flight recorder needs this kind of data. */
static bool any_asks(const struct options *options, bool (*asks)(const struct filter *filter))
{
	bool any = asks(options->engine.filter) || asks(options->flight.filter);

	for (size_t i = 0; i < options->catch_count; i++)
		any = any || asks(options->catches[i].filter);
	return any;
}

static bool check_catches(struct parse *parse)
{
	struct options *options = parse->options;

	if (options->batch && has_catch(options, CATCH_FREEZE))
		return options_refuse(parse, "--catch freeze: batch mode has no display");
	if (options->read_only && has_catch(options, CATCH_STOP))
		return options_refuse(parse, "--catch stop: with --read-only no process is "
					     "stopped; use freeze, record or bell");
	if (options->engine.recording && has_catch(options, CATCH_STOP))
		return options_refuse(
			parse, "--catch stop: processes of a recording cannot be stopped; drop -i");
	return true;
}

static bool check_together(struct parse *parse)
{
	struct options *options = parse->options;
	const struct target *target = &options->engine.target;

	if (options->command && (target->pid_count || target->tid_count))
		return options_refuse(
			parse,
			"COMMAND and -p or -t: watch either a new command or running processes");
	if (!options->engine.record.path &&
	    (options->engine.record.level || options->engine.record.max_bytes ||
	     options->engine.record.max_ns))
		return options_refuse(parse,
				      "-z and --rotate need a recording; name its file with -o");
	if (!options_check_places(parse))
		return false;
	if (options->record_piped &&
	    (options->engine.record.max_bytes || options->engine.record.max_ns))
		return options_refuse(
			parse, "--rotate: standard output cannot be rotated; name a file with -o");
	if (options->engine.recording &&
	    (options->engine.record.max_bytes || options->engine.record.max_ns))
		return options_refuse(
			parse, "--rotate: with -i, the new recording is one file; drop --rotate");
	if (options->engine.recording &&
	    (options->command || target->pid_count || target->tid_count || target->cpu_count))
		return options_refuse(parse, "-i: a recording has no target; drop COMMAND, -p, -t "
					     "and -C, and use a filter, as in -F 'pid == 42'");
	if (options->engine.recording && parse->owners_given)
		return options_refuse(parse, "-i: -u and -G select live threads; drop them and use "
					     "-F, as in -F 'uid == 1000'");
	if (options->engine.recording && options->events)
		return options_refuse(
			parse, "-i: a recording has only the tracepoints recorded in it; drop -E");
	if (options->demo &&
	    (options->engine.recording || options->command || target->pid_count ||
	     target->tid_count || target->cpu_count || parse->owners_given || options->events))
		return options_refuse(
			parse,
			"--demo is a recording: drop -i, COMMAND and other targets, and use -F");
	if ((options->engine.from_ns || options->engine.until_ns || options->engine.speed > 0) &&
	    !options->engine.recording && !options->demo)
		return options_refuse(
			parse, "--from, --until and --speed need a recording; name it with -i");
	if (options->engine.until_ns && options->engine.until_ns <= options->engine.from_ns)
		return options_refuse(parse, "--until: not later than --from; the span begins at "
					     "--from and ends before --until");
	if (options->info && !options->engine.recording)
		return options_refuse(parse, "--info needs a recording; name it with -i");
	if (options->against && !options->engine.recording && options->batch)
		return options_refuse(
			parse,
			"--against: batch mode compares two recordings; name the first with -i");
	if (options->against && (parse->batch || parse->with_summary || options->folded_path ||
				 options->trace_path || options->csv))
		return options_refuse(
			parse,
			"--against: a comparison is a report of its own; use -s or --json alone");
	if (parse->no_syscalls && !options->events && !options->engine.recording)
		return options_refuse(parse, "--no-syscalls: nothing is left to watch; name "
					     "tracepoints with -E");
	if (options->folded_path && parse->no_syscalls)
		return options_refuse(
			parse,
			"--folded: no blocked time without system calls; drop --no-syscalls");
	if (options->folded_path && options->engine.stacks == STACKS_OFF)
		return options_refuse(parse,
				      "--folded: no stacks to write with -g off; drop -g off");
	if (options->csv && options->json)
		return options_refuse(parse, "--csv and --json: choose one of them");
	if (options->csv && parse->with_summary)
		return options_refuse(parse, "--csv with -S: CSV output is one table; use -b --csv "
					     "for calls, -s --csv for the summary");
	if (any_asks(options, filter_asks_stacks) && options->engine.stacks == STACKS_OFF)
		return options_refuse(parse,
				      "stack and waker_stack are unknown with -g off; drop -g off");
	if (options->command && !*options->command[0])
		return options_refuse(parse, "COMMAND is empty; name a program to run");
	if (options->command_output && (options->batch || !options->command))
		return options_refuse(parse, "--command-output: only for COMMAND in the interface; "
					     "in batch mode it keeps its own output");
	return true;
}

/* False: no interface is possible. Then --against prints a report, and -o implies batch mode. */
static bool has_terminal(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

enum options_result options_parse(struct options *options, int argc, char **argv,
				  const struct filter_names *names, struct str *message)
{
	struct parse parse = { .options = options,
			       .names = names,
			       .message = message,
			       .events = STR_INIT,
			       .paths = STR_INIT };
	const char *no_color = getenv("NO_COLOR");
	bool ok;

	memset(options, 0, sizeof(*options));
	target_init(&options->engine.target);
	options->engine.stacks = STACKS_AUTO;
	summary_form_init(&options->form);
	flight_request_init(&options->flight);
	options->no_color = no_color && *no_color;

	ok = read_arguments(&parse, argc, argv) && options_close_paths(&parse) &&
	     options_close_calls(&parse);
	str_release(&parse.paths);
	filter_free(parse.calls);
	if (parse.events.len)
		options->engine.events = options->events = str_steal(&parse.events);
	if (!ok)
		return OPTIONS_USAGE;
	if (parse.help)
		return OPTIONS_HELP;
	if (parse.version)
		return OPTIONS_VERSION;

	if (parse.form_given && !parse.with_summary && !options->json)
		parse.summary_only = true;
	options->record_piped = options->engine.record.path &&
				!strcmp(options->engine.record.path, "-");
	if (options->against && options->engine.recording && !has_terminal())
		parse.summary_only = true;
	/* Options that set the output or the end of the run imply batch mode. */
	options->batch = parse.batch || parse.summary_only || parse.with_summary || options->json ||
			 options->csv || options->write_path || options->engine.max_calls ||
			 options->for_ns || options->folded_path || options->trace_path ||
			 (options->engine.record.path &&
			  (options->record_piped || !has_terminal()));
	options->lines = options->batch && (!parse.summary_only || parse.with_summary);
	/* With an option that writes a file, print lines only if another option requests them. */
	if ((options->folded_path || options->trace_path || options->engine.record.path) &&
	    !parse.batch && !parse.with_summary && !options->json && !options->csv &&
	    !options->write_path && !options->engine.max_calls)
		options->lines = false;
	options->summary = options->json || parse.summary_only || parse.with_summary;
	if (!check_together(&parse) || !check_catches(&parse) || !options_check_flight(&parse))
		return OPTIONS_USAGE;
	options->engine.interactive = !options->batch;
	/* With --against, start in the compare view. */
	if (options->against && !options->view)
		options->view = options_find_view("compare");
	/* Trace the scheduler only if an output or a filter needs waits. Text lines need none. */
	if (options->batch && !options->stacks_given && !options->folded_path &&
	    !options->trace_path && !options->engine.record.path && !options->engine.flight &&
	    !catches_data(options) && !any_asks(options, filter_asks_waits) &&
	    !(options->summary && summary_form_has(&options->form, SUMMARY_BLOCKED)) &&
	    (!(options->json && options->lines) || parse.no_syscalls))
		options->engine.stacks = STACKS_OFF;
	if (options->engine.stacks != STACKS_OFF || options->engine.recording)
		summary_form_offer(&options->form, SUMMARY_BLOCKED);
	options->engine.lossless_reader = options->lines || options->folded_path ||
					  options->trace_path ||
					  (options->batch && has_catch(options, CATCH_RECORD));
	options->engine.passes = options->batch && !options->catch_count;
	options->engine.catches = options->catches;
	options->engine.catch_count = options->catch_count;
	/* In the interface, the user can later add a catch that stops processes. */
	options->engine.may_stop = (!options->batch && !options->read_only) ||
				   has_catch(options, CATCH_STOP);
	/* Lines, recordings and the interface show the data that arguments point to. */
	options->engine.capture = ((options->lines || options->trace_path ||
				    options->engine.record.path || options->engine.flight) &&
				   !parse.no_syscalls) ||
				  !options->batch;
	/* Without syscalls, BPF programs have nothing to do. */
	if (parse.no_syscalls && options->batch && options->engine.calls == SOURCE_CALLS_AUTO)
		options->engine.calls = SOURCE_CALLS_PERF;
	options->engine.descriptors = !options->batch || (parse.descriptors && options->lines);
	options->engine.records = options->engine.record.path || options->engine.flight ||
				  catches_data(options);
	if (any_asks(options, filter_asks_texts) || has_catch(options, CATCH_RECORD))
		options->engine.capture = true;
	if (any_asks(options, filter_asks_paths))
		options->engine.descriptors = options->engine.capture = true;
	/* Only in batch mode: in the interface, a narrow filter must make tracing cheap. */
	options->engine.descriptors_first = options->batch && options->engine.descriptors;
	return OPTIONS_RUN;
}

void options_release(struct options *options)
{
	target_release(&options->engine.target);
	filter_free(options->engine.filter);
	filter_free(options->flight.filter);
	options->engine.filter = options->flight.filter = NULL;
	while (options->catch_count)
		catch_rule_release(&options->catches[--options->catch_count]);
	free(options->events);
	options->events = NULL;
}
