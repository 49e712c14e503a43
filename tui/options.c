#include "tui/options.h"

#include "engine/base/clock.h"
#include "engine/base/err.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_BYTES_MIN (4ULL << 10)
#define RING_BYTES_MAX (1ULL << 30)
#define HISTORY_BYTES_MIN (64ULL << 10)
#define HISTORY_BYTES_MAX (1ULL << 40)
#define OPTIONS_MAX 64

/* Options without a letter. */
enum {
	OPT_JSON = 256,
	OPT_FOR,
	OPT_SOURCE,
	OPT_HISTORY,
	OPT_ARG_NAMES,
	OPT_ACCESS,
	OPT_KEYMAP,
	OPT_ASCII,
	OPT_NO_MOUSE,
	OPT_NO_COLOR,
	OPT_COMMAND_OUTPUT,
	OPT_VERSION,
	OPT_HELP,
	OPT_NO_SYSCALLS,
	OPT_DEMO,
	OPT_FOLDED,
	OPT_THEME,
	OPT_VIEW,
};

const struct option_def options_table[] = {
	{ 'p', "pid", "PID,...", "watch these processes: all threads, children too", false },
	{ 't', "tid", "TID,...", "watch these threads", false },
	{ 'C', "cpu", "LIST", "watch these processors only, as in 0-3,6", false },
	{ 'e', "expr", "SET", "only these system calls, in strace's notation: "
	  "open,close  !read  %file  /^epoll/", false },
	{ 'F', "filter", "EXPR", "only calls that match: 'comm ~ \"nginx\" and dur > 10ms'", false },
	{ 'd', "min-duration", "MS", "only calls that took at least so many milliseconds", false },
	{ 'Z', "failed-only", NULL, "only calls that failed", false },
	{ 'g', "call-graph", "MODE", "stacks of what waits: auto, fp or off", false },
	{ 'm', "mmap-size", "SIZE", "ring buffer per processor, as in 4M", false },
	{ OPT_HISTORY, "history", "SIZE", "memory for past calls, 64M by default", false },
	{ OPT_SOURCE, "source", "NAME", "where calls come from: auto or perf", false },
	{ 'b', "batch", NULL, "no interface: a line for each call", false },
	{ OPT_JSON, "json", NULL, "the same as JSON, an object a line, then the summary", false },
	{ 's', "summary", NULL, "no interface: the summary only", false },
	{ 'S', "with-summary", NULL, "no interface: lines, then the summary", false },
	{ 'w', "output", "FILE", "where lines and summary go", false },
	{ 'n', "max-calls", "N", "end after so many calls", false },
	{ OPT_FOR, "for", "SECS", "end after so many seconds, as in 0.5 or 50ms", false },
	{ OPT_ARG_NAMES, "arg-names", NULL, "arguments with their names", false },
	{ OPT_ACCESS, "access", NULL, "say what you may watch here and what would grant more",
	  false },
	{ OPT_KEYMAP, "keymap", "NAME|FILE", "keys from this file", false },
	{ OPT_ASCII, "ascii", NULL, "draw with ASCII characters only", false },
	{ OPT_NO_MOUSE, "no-mouse", NULL, "leave the mouse to the terminal", false },
	{ OPT_NO_COLOR, "no-color", NULL, "no colours, as the variable NO_COLOR does", false },
	{ OPT_COMMAND_OUTPUT, "command-output", "FILE",
	  "what COMMAND writes while the interface runs", false },
	{ OPT_VERSION, "version", NULL, "the version", false },
	{ OPT_HELP, "help", NULL, "this list", false },
	{ 'u', "uid", "USER,...", "processes of these users", true },
	{ 'G', "cgroup", "CGROUP,...", "processes in these control groups", true },
	{ 'E', "event", "TP,...", "other tracepoints too", true },
	{ OPT_NO_SYSCALLS, "no-syscalls", NULL, "without system calls", true },
	{ 'o', "record", "FILE", "record to a file", true },
	{ 'i', "input", "FILE", "explore a recording of perf record or perf trace record", false },
	{ OPT_DEMO, "demo", NULL, "explore a recording that comes with the program", true },
	{ OPT_FOLDED, "folded", "FILE", "stacks for flame graphs", true },
	{ OPT_THEME, "theme", "NAME", "colours", true },
	{ OPT_VIEW, "view", "NAME", "the first view", true },
};
const size_t options_table_count = sizeof(options_table) / sizeof(options_table[0]);

/* What is needed while the arguments are read, and not afterwards. */
struct parse {
	struct options *options;
	const struct filter_names *names;
	struct str *message;
	bool help, version;
	bool batch, summary_only, with_summary;
	bool syscalls_given;
};

/* Adds a sentence; returns false so that a caller can return it. */
static bool refuse(struct parse *parse, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static bool refuse(struct parse *parse, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_vaddf(parse->message, format, args);
	va_end(args);
	str_addc(parse->message, '\n');
	return false;
}

/* The option as it would be typed: "-p" or "--json". */
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

/* -- Filters ----------------------------------------------------------------------- */

/* Takes over `more`: whatever held so far must hold too. */
static void add_filter(struct parse *parse, struct filter *more)
{
	struct filter *old = parse->options->engine.filter;

	if (!old) {
		parse->options->engine.filter = more;
		return;
	}
	parse->options->engine.filter = filter_and(old, more);
	filter_free(old);
	filter_free(more);
}

/* The sentence, the text that was meant, and a caret below its first wrong character. */
static bool refuse_filter(struct parse *parse, const char *option, const char *text,
			  const struct filter_error *error)
{
	struct str before = STR_INIT;
	size_t len = strlen(text);
	size_t column = error->column < len ? error->column : len;
	size_t marked = error->length && column + error->length <= len ? error->length : 1;

	refuse(parse, "%s: %s", option, error->err.text);
	str_add(parse->message, "    ");
	str_add_escaped(parse->message, text, len, ESCAPE_PLAIN);
	str_add(parse->message, "\n    ");
	/* Escaping widens: the caret counts what is shown. */
	str_add_escaped(&before, text, column, ESCAPE_PLAIN);
	str_repeat(parse->message, ' ', (size_t)utf8_text_width(before.data, before.len));
	str_repeat(parse->message, '^', marked);
	str_addc(parse->message, '\n');
	str_release(&before);
	return false;
}

static bool parse_filter(struct parse *parse, const char *option, const char *text)
{
	struct filter_error error = { .err.text = "" };
	struct filter *filter;

	if (filter_parse(&filter, text, parse->names, &error) < 0)
		return refuse_filter(parse, option, text, &error);
	add_filter(parse, filter);
	return true;
}

static bool parse_syscalls(struct parse *parse, const char *set)
{
	struct filter_error error = { .err.text = "" };
	struct filter *filter;

	if (parse->syscalls_given)
		return refuse(parse, "-e: given twice; put the system calls into one set, "
			      "as in -e open,close");
	parse->syscalls_given = true;
	if (!strncmp(set, "trace=", 6))
		set += 6;
	if (!*set)
		return refuse(parse, "-e: names no system call; -e none takes none of them");
	if (filter_parse_syscall_set(&filter, set, parse->names, &error) < 0)
		return refuse_filter(parse, "-e", set, &error);
	add_filter(parse, filter);
	return true;
}

static bool parse_min_duration(struct parse *parse, const char *text)
{
	char expression[64];
	struct err err;
	uint64_t ns;

	if (units_parse_duration(text, NS_PER_MS, &ns, &err) < 0)
		return refuse(parse, "-d: %s", err.text);
	snprintf(expression, sizeof(expression), "dur >= %" PRIu64 "ns", ns);
	return parse_filter(parse, "-d", expression);
}

/* -- Values -------------------------------------------------------------------------- */

static bool parse_size(struct parse *parse, const char *option, const char *text, uint64_t min,
		       uint64_t max, size_t *bytes)
{
	char low[UNITS_TEXT_BYTES], high[UNITS_TEXT_BYTES];
	struct err err;
	uint64_t value;

	if (units_parse_size(text, &value, &err) < 0)
		return refuse(parse, "%s: %s", option, err.text);
	if (value < min || value > max)
		return refuse(parse, "%s: %s is not between %s and %s", option, text,
			      units_format_bytes(low, min), units_format_bytes(high, max));
	*bytes = value;
	return true;
}

static bool parse_stacks(struct parse *parse, const char *text)
{
	parse->options->stacks_given = true;
	if (!strcmp(text, "auto"))
		parse->options->engine.stacks = STACKS_AUTO;
	else if (!strcmp(text, "fp"))
		parse->options->engine.stacks = STACKS_FP;
	else if (!strcmp(text, "off"))
		parse->options->engine.stacks = STACKS_OFF;
	else if (!strncmp(text, "dwarf", 5))
		return refuse(parse, "-g dwarf: not available in this version; "
			      "-g fp follows frame pointers");
	else
		return refuse(parse, "-g: '%s' is none of auto, fp, off", text);
	return true;
}

static bool parse_source(struct parse *parse, const char *text)
{
	if (!strcmp(text, "auto") || !strcmp(text, "perf"))
		return true;
	if (!strcmp(text, "bpf"))
		return refuse(parse, "--source bpf: not available in this version; "
			      "--source perf is");
	return refuse(parse, "--source: '%s' is none of auto, perf", text);
}

static bool parse_for(struct parse *parse, const char *text)
{
	struct err err;

	if (units_parse_duration(text, NS_PER_S, &parse->options->for_ns, &err) < 0)
		return refuse(parse, "--for: %s", err.text);
	if (!parse->options->for_ns)
		return refuse(parse, "--for: 0 would end before it begins");
	return true;
}

static bool parse_count(struct parse *parse, const char *text)
{
	struct err err;

	if (units_parse_number(text, 1, UINT64_MAX, &parse->options->engine.max_calls, &err) < 0)
		return refuse(parse, "-n: %s", err.text);
	return true;
}

typedef int target_add_fn(struct target *target, const char *list, struct err *err);

static bool parse_target(struct parse *parse, const char *option, target_add_fn *add,
			 const char *list)
{
	struct err err;

	if (add(&parse->options->engine.target, list, &err) < 0)
		return refuse(parse, "%s: %s", option, err.text);
	return true;
}

/* -- The command line ------------------------------------------------------------------ */

static bool take_option(struct parse *parse, int key, char *value)
{
	struct options *options = parse->options;
	const struct option_def *def = option_find(key);
	char shown[32];

	if (def && def->unbuilt)
		return refuse(parse, "%s: not available in this version",
			      option_shown(def, shown));
	switch (key) {
	case 'p':
		return parse_target(parse, "-p", target_add_pids, value);
	case 't':
		return parse_target(parse, "-t", target_add_tids, value);
	case 'C':
		return parse_target(parse, "-C", target_add_cpus, value);
	case 'e':
		return parse_syscalls(parse, value);
	case 'F':
		return parse_filter(parse, "-F", value);
	case 'd':
		return parse_min_duration(parse, value);
	case 'Z':
		return parse_filter(parse, "-Z", "failed");
	case 'g':
		return parse_stacks(parse, value);
	case 'm':
		return parse_size(parse, "-m", value, RING_BYTES_MIN, RING_BYTES_MAX,
				  &options->engine.ring_bytes);
	case OPT_HISTORY:
		return parse_size(parse, "--history", value, HISTORY_BYTES_MIN,
				  HISTORY_BYTES_MAX, &options->engine.history_bytes);
	case OPT_SOURCE:
		return parse_source(parse, value);
	case 'i':
		options->engine.recording = value;
		return true;
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
	case 'w':
		if (!*value)
			return refuse(parse, "-w: the file has no name");
		options->write_path = value;
		break;
	case 'n':
		return parse_count(parse, value);
	case OPT_FOR:
		return parse_for(parse, value);
	case OPT_ARG_NAMES:
		options->arg_names = true;
		break;
	case OPT_ACCESS:
		options->access = true;
		break;
	case OPT_KEYMAP:
		options->keymap = value;
		break;
	case OPT_ASCII:
		options->ascii = true;
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

/* For getopt_long: + so that the first word which is no option is COMMAND. */
static void make_getopt(struct str *letters, struct option longs[OPTIONS_MAX])
{
	str_add(letters, "+:");
	memset(longs, 0, OPTIONS_MAX * sizeof(*longs));
	for (size_t i = 0; i < options_table_count; i++) {
		const struct option_def *def = &options_table[i];

		longs[i] = (struct option){ .name = def->name, .val = def->key,
					    .has_arg = def->arg ? required_argument
								: no_argument };
		if (def->key >= 256)
			continue;
		str_addc(letters, (char)def->key);
		if (def->arg)
			str_addc(letters, ':');
	}
}

/* A word of the command line that is wrong, fit for a sentence. */
static bool refuse_word(struct parse *parse, const char *what, const char *word)
{
	char shown[64];

	return refuse(parse, "%s '%s'; stxtop --help lists the options", what,
		      escape_name(shown, sizeof(shown), word));
}

static bool refuse_unknown(struct parse *parse, char **argv)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	const struct option_def *def = option_find(optopt);

	if (!optopt)
		return refuse_word(parse, "there is no option", argv[optind - 1]);
	if (def && def->key >= 256)
		return refuse(parse, "--%s takes no value", def->name);
	if (def && !strncmp(argv[optind - 1], "--", 2))
		return refuse(parse, "--%s takes no value", def->name);
	return refuse_word(parse, "there is no option", letter);
}

static bool read_arguments(struct parse *parse, int argc, char **argv)
{
	struct option longs[OPTIONS_MAX];
	struct str letters = STR_INIT;
	char shown[32];
	bool ok = true;
	int key;

	_Static_assert(sizeof(options_table) / sizeof(options_table[0]) < OPTIONS_MAX,
		       "longs[] ends with a zero");
	make_getopt(&letters, longs);
	optind = 0; /* glibc: begin anew, also in a test's second parse */
	opterr = 0;
	while (ok && (key = getopt_long(argc, argv, letters.data, longs, NULL)) != -1) {
		if (key == '?')
			ok = refuse_unknown(parse, argv);
		else if (key == ':')
			ok = refuse(parse, "%s needs a value: %s",
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

static bool check_together(struct parse *parse)
{
	struct options *options = parse->options;
	const struct target *target = &options->engine.target;

	if (options->command && (target->pid_count || target->tid_count))
		return refuse(parse, "COMMAND and -p or -t: watch either a new program or "
			      "ones that run already");
	if (options->engine.recording &&
	    (options->command || target->pid_count || target->tid_count || target->cpu_count))
		return refuse(parse, "-i: what a recording holds is narrowed with -F, as in "
			      "-F 'pid == 42'; leave out COMMAND, -p, -t and -C");
	if (options->command && !*options->command[0])
		return refuse(parse, "COMMAND is an empty word");
	if (options->command_output && (options->batch || !options->command))
		return refuse(parse, "--command-output: only for COMMAND under the interface; "
			      "in batch it keeps its own output");
	return true;
}

enum options_result options_parse(struct options *options, int argc, char **argv,
				  const struct filter_names *names, struct str *message)
{
	struct parse parse = { .options = options, .names = names, .message = message };
	const char *no_color = getenv("NO_COLOR");

	memset(options, 0, sizeof(*options));
	target_init(&options->engine.target);
	options->engine.stacks = STACKS_AUTO;
	options->no_color = no_color && *no_color;

	if (!read_arguments(&parse, argc, argv))
		return OPTIONS_USAGE;
	if (parse.help)
		return OPTIONS_HELP;
	if (parse.version)
		return OPTIONS_VERSION;

	/* Whatever speaks of output or of an end is for batch. */
	options->batch = parse.batch || parse.summary_only || parse.with_summary ||
			 options->json || options->write_path || options->engine.max_calls ||
			 options->for_ns;
	options->lines = options->batch && (!parse.summary_only || parse.with_summary);
	options->summary = options->json || parse.summary_only || parse.with_summary;
	if (!check_together(&parse))
		return OPTIONS_USAGE;
	options->engine.interactive = !options->batch;
	/* Neither lines of text nor sums show a wait: then the scheduler is not watched. */
	if (options->batch && !options->stacks_given && !(options->json && options->lines))
		options->engine.stacks = STACKS_OFF;
	options->engine.lossless_reader = options->batch && options->lines;
	return OPTIONS_RUN;
}

void options_release(struct options *options)
{
	target_release(&options->engine.target);
	filter_free(options->engine.filter);
	options->engine.filter = NULL;
}

/* -- Help ---------------------------------------------------------------------------- */

#define HELP_LEFT_COLS 30

static void add_help(struct str *out, const struct option_def *def)
{
	size_t begin = out->len;

	if (def->key < 256)
		str_addf(out, "  -%c, --%s", def->key, def->name);
	else
		str_addf(out, "      --%s", def->name);
	if (def->arg)
		str_addf(out, " %s", def->arg);
	if (out->len - begin > HELP_LEFT_COLS - 2) {
		str_addc(out, '\n');
		begin = out->len;
	}
	str_repeat(out, ' ', HELP_LEFT_COLS - (out->len - begin));
	str_addf(out, "%s\n", def->help);
}

void options_help(struct str *out)
{
	str_add(out, "Usage: stxtop [OPTION...] [--] [COMMAND [ARG...]]\n"
		     "Watches system calls as they happen: of COMMAND and what it starts, of "
		     "processes\nnamed with -p, or of the whole system.\n\n");
	for (size_t i = 0; i < options_table_count; i++)
		if (!options_table[i].unbuilt)
			add_help(out, &options_table[i]);
	str_add(out, "\nExit status: COMMAND's own if there is one; 0; 1 after a failure; 2 for a "
		     "command\nline that is wrong. stxtop(1) says more.\n");
}
