/*
 * options_private - shared by the option table, the values and the parser.
 *
 * For options*.c only.
 */
#ifndef CONFIG_OPTIONS_PRIVATE_H
#define CONFIG_OPTIONS_PRIVATE_H

#include "tui/config/options.h"

#define OPTIONS_MAX 80 /* the table for getopt needs one zeroed entry more */

/* Options without a letter. */
enum {
	OPT_JSON = 256,
	OPT_FOR,
	OPT_SOURCE,
	OPT_HISTORY,
	OPT_ARG_NAMES,
	OPT_ACCESS,
	OPT_INFO,
	OPT_KEYMAP,
	OPT_ASCII,
	OPT_ACCESSIBLE,
	OPT_NO_MOUSE,
	OPT_READ_ONLY,
	OPT_NO_COLOR,
	OPT_COMMAND_OUTPUT,
	OPT_VERSION,
	OPT_HELP,
	OPT_NO_SYSCALLS,
	OPT_DEMO,
	OPT_FOLDED,
	OPT_THEME,
	OPT_VIEW,
	OPT_DEBUGINFOD,
	OPT_STRING_SIZE,
	OPT_HEX,
	OPT_CATCH,
	OPT_AGAINST,
	OPT_SUMMARY_BY,
	OPT_SUMMARY_COLUMNS,
	OPT_SUMMARY_SORT,
	OPT_CSV,
	OPT_CHROME_TRACE,
	OPT_ROTATE,
	OPT_NO_NAMES,
	OPT_FLIGHT,
	OPT_FLIGHT_FILE,
	OPT_FLIGHT_SPAN,
	OPT_FLIGHT_SIZE,
	OPT_FLIGHT_AGAIN,
	OPT_FLIGHT_KEEP,
	OPT_FROM,
	OPT_UNTIL,
	OPT_SPEED,
	OPT_SYMFS,
	OPT_DEBUG_DIR,
	OPT_BUILDID_DIR,
	OPT_KALLSYMS,
	OPT_VMLINUX,
};

/* State that is needed only while the arguments are parsed. */
struct parse {
	struct options *options;
	const struct filter_names *names;
	struct str *message;
	bool help, version;
	bool batch, summary_only, with_summary;
	bool form_given; /* an option for the summary's form was given */
	bool flight_tuned; /* --flight-... was given; in batch mode, --flight must be too */
	bool syscalls_given;
	bool descriptors;
	bool owners_given;
	bool no_syscalls;
	struct filter *calls; /* -e, -P, -d and -Z combined; owned; NULL: none given */
	struct str events; /* all -E lists */
	struct str paths; /* -P: expression without its closing brace; empty: none */
};

/* Append a sentence to the message. Return false, for the caller to return. */
bool options_refuse(struct parse *parse, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* As options_refuse(), for a filter expression; a caret marks the place of the error. */
bool options_refuse_filter(struct parse *parse, const char *option, const char *text,
			   const struct filter_error *error);

/* Each function takes the value of one option. False: refused. */
bool options_take_filter(struct parse *parse, const char *option, const char *text);
bool options_take_syscalls(struct parse *parse, const char *set);
/* -P: match any of the given paths. Call options_close_paths() after the last option. */
bool options_take_path(struct parse *parse, const char *path);
bool options_close_paths(struct parse *parse);
/* -d, -Z: an expression over calls. Call options_close_calls() after the last option. */
bool options_take_calls(struct parse *parse, const char *option, const char *text);
bool options_close_calls(struct parse *parse);
bool options_take_events(struct parse *parse, const char *list);
bool options_take_level(struct parse *parse, const char *text);
bool options_take_rotation(struct parse *parse, const char *text);
/* Take a location of files of the recorded machine; check that these options apply. */
bool options_take_place(struct parse *parse, int key, const char *value);
bool options_check_places(struct parse *parse);
bool options_take_min_duration(struct parse *parse, const char *text);
bool options_take_ring(struct parse *parse, const char *text);
bool options_take_history(struct parse *parse, const char *text);
bool options_take_string_size(struct parse *parse, const char *text);
bool options_take_stacks(struct parse *parse, const char *text);
bool options_take_source(struct parse *parse, const char *text);
bool options_take_view(struct parse *parse, const char *name);
bool options_take_for(struct parse *parse, const char *text);
/* Take a time in a recording, in ns (--from, --until), or the playback speed (--speed). */
bool options_take_time(struct parse *parse, const char *option, const char *text, uint64_t *ns);
bool options_take_speed(struct parse *parse, const char *text);
bool options_take_count(struct parse *parse, const char *text);
bool options_take_catch(struct parse *parse, const char *text);

/* Take the flight recorder option `key`. Call options_check_flight() after the last option. */
bool options_take_flight(struct parse *parse, int key, const char *text);
bool options_check_flight(struct parse *parse);

/* Take the option `key`, which sets the form of the summary. */
bool options_take_form(struct parse *parse, int key, const char *text);

/* Translate a list of owners into a filter expression. */
typedef int owners_fn(const char *list, struct str *expression, struct err *err);
bool options_take_owners(struct parse *parse, const char *option, owners_fn *write,
			 const char *list);

typedef int target_add_fn(struct target *target, const char *list, struct err *err);
bool options_take_target(struct parse *parse, const char *option, target_add_fn *add,
			 const char *list);

#endif
