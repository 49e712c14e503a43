/*
 * options - parses and checks the command line.
 *
 * One table (options_table) has name, argument and help of every option. The parser, --help and the
 * test of the manual page use it. Nothing is printed here: errors are returned as text, one line
 * per line of standard error. Main thread.
 */
#ifndef CONFIG_OPTIONS_H
#define CONFIG_OPTIONS_H

#include "engine/base/str.h"
#include "engine/engine.h"
#include "engine/export/summary_form.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRING_SIZE_MAX 4095 /* one byte more is read, to detect truncation */
#define HISTORY_BYTES_MAX (1ULL << 40)

struct options {
	/* Target and mode of collection. `filter` is owned; NULL: every call. */
	struct engine_options engine;
	bool stacks_given; /* -g was given */
	char *events; /* text of engine.events; owned; NULL: none */

	bool batch; /* no interface; implied by options that set the output or the end of the run */
	bool json;
	bool csv; /* lines or summary as CSV; excludes json */
	bool lines; /* print a line for each call */
	bool summary; /* print a summary at the end */
	struct summary_form form; /* form of the summary */
	bool quiet; /* -q: no line about the recording that was written */
	bool record_piped; /* -o -: text and output of COMMAND go to standard error */
	bool demo; /* --demo: engine.recording is set by main */
	const char *against; /* --against: recording to compare with -i; NULL: none */
	bool arg_names;
	bool hex_strings; /* --hex: strings as \x escapes throughout */
	const char *write_path; /* NULL: standard output; with COMMAND, standard error */
	const char *folded_path; /* --folded; NULL: not given */
	const char *trace_path; /* --chrome-trace; NULL: not given */
	uint64_t for_ns; /* 0: no limit */

	bool access; /* --access: report the available access and exit */
	bool info; /* --info: print the header of a recording and exit */

	/* The interface. Strings are borrowed from argv; NULL: not given. */
	const char *keymap; /* name or file */
	const char *theme; /* name or file */
	int view; /* --view: the action that shows it; 0: not given */
	bool ascii;
	bool accessible; /* implies ascii */
	bool no_mouse;
	bool read_only; /* also in batch: send no signal to a process and stop none */
	bool no_color; /* --no-color or NO_COLOR */

	/* --flight and --flight-*; only with --flight, engine.flight points here. Owns .filter. */
	struct flight_request flight;

	struct catch_rule catches[CATCHES_MAX]; /* --catch */
	size_t catch_count;

	char **command; /* NULL: none; ends with NULL; borrowed from argv */
	const char *command_output; /* --command-output: file for the output of COMMAND */
	int command_output_fd; /* set by main: pipe from COMMAND, if it has no file; <= 0: none */
};

struct option_def {
	int key; /* short option, or a number above 255 */
	const char *name; /* long option */
	const char *arg; /* "PID,..."; NULL: none */
	const char *help;
};

extern const struct option_def options_table[];
extern const size_t options_table_count;

/* Return the name of the index-th view and the action that shows it; NULL past the last. */
const char *options_view_name(int index, int *action);
int options_find_view(const char *name); /* the action, or -1: no such view */

enum options_result {
	OPTIONS_RUN,
	OPTIONS_HELP, /* print options_help() and exit with 0 */
	OPTIONS_VERSION, /* print the version and exit with 0 */
	OPTIONS_USAGE, /* print the message and exit with 2 */
};

/*
 * Parse the command line. Options borrow argv. getopt does not permute: the options of COMMAND
 * belong to COMMAND. On OPTIONS_USAGE the message has one or more lines, each with a newline. On
 * OPTIONS_RUN it holds warnings to print, if any. Release the options in every case.
 */
enum options_result options_parse(struct options *options, int argc, char **argv,
				  const struct filter_names *names, struct str *message);
void options_release(struct options *options);

void options_help(struct str *out);

#endif
