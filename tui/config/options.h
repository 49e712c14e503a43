/*
 * options - the command line, parsed and checked.
 *
 * One table (options_table) has every option's name, argument and help; the
 * parser, --help and the test that compares the manual page come from it.
 * Nothing is printed here: what is wrong comes back as text, one line for each
 * line on standard error. Main thread.
 */
#ifndef CONFIG_OPTIONS_H
#define CONFIG_OPTIONS_H

#include "engine/base/str.h"
#include "engine/engine.h"
#include "engine/export/summary_form.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRING_SIZE_MAX 4095 /* and one, to know whether there is more */
#define HISTORY_BYTES_MAX (1ULL << 40)

struct options {
	/* What to watch and how; `filter` is owned, NULL: everything. */
	struct engine_options engine;
	bool stacks_given; /* -g was given */
	char *events; /* what engine.events is; owned, NULL: none */

	bool batch; /* no interface: any of -b --json --csv -s -S -w -n --for was given */
	bool json;
	bool csv; /* of lines or of the summary; never with json */
	bool lines; /* a line for each call */
	bool summary; /* at the end */
	struct summary_form form; /* of the summary */
	bool quiet; /* -q: no line about what was recorded */
	bool record_piped; /* -o -: text goes to standard error, COMMAND's too */
	bool demo; /* --demo: engine.recording is set by main */
	const char *against; /* --against: the recording that -i is compared with; NULL: none */
	bool arg_names;
	bool hex_strings; /* --hex: all of strings as \x */
	const char *write_path; /* NULL: standard output, with COMMAND standard error */
	const char *folded_path; /* --folded; NULL: not given */
	const char *trace_path; /* --chrome-trace; NULL: not given */
	uint64_t for_ns; /* 0: until the end */

	bool access; /* --access: say what works and leave */
	bool info; /* --info: say what a recording tells of itself and leave */

	/* The interface. Strings are borrowed from argv; NULL: not given. */
	const char *keymap; /* a name or a file */
	const char *theme; /* the same */
	int view; /* --view: the action that shows it; 0: the overview */
	bool ascii;
	bool accessible; /* with ascii */
	bool no_mouse;
	bool read_only; /* batch too: no process is sent a signal or stopped */
	bool no_color; /* --no-color or NO_COLOR */

	/* --flight and what belongs to it; engine.flight is this if it was given. Filter owned. */
	struct flight_request flight;

	struct catch_rule catches[CATCHES_MAX]; /* --catch */
	size_t catch_count;

	char **command; /* NULL: none; ends with NULL; borrowed from argv */
	const char *command_output; /* --command-output: a file for what COMMAND writes */
	int command_output_fd; /* set by main: the pipe from COMMAND otherwise; <= 0: none */
};

struct option_def {
	int key; /* the letter, or a number above 255 */
	const char *name; /* the long name */
	const char *arg; /* "PID,..."; NULL: none */
	const char *help;
};

extern const struct option_def options_table[];
extern const size_t options_table_count;

/* The index-th view by name, and the action that shows it; NULL past the last. */
const char *options_view_name(int index, int *action);
int options_find_view(const char *name); /* the action; -1: there is no such view */

enum options_result {
	OPTIONS_RUN,
	OPTIONS_HELP, /* print options_help() and leave with 0 */
	OPTIONS_VERSION, /* print the version and leave with 0 */
	OPTIONS_USAGE, /* print the message and leave with 2 */
};

/*
 * argv stays borrowed by options, and getopt permutes nothing: COMMAND's own
 * options are COMMAND's. On OPTIONS_USAGE the message has one or more lines,
 * each ended by a newline; on OPTIONS_RUN it has those that are to be told, if any. Release in
 * every case.
 */
enum options_result options_parse(struct options *options, int argc, char **argv,
				  const struct filter_names *names, struct str *message);
void options_release(struct options *options);

void options_help(struct str *out);

#endif
