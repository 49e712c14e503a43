/*
 * settings - what a person chose for the interface, kept from one run to the next.
 *
 * They are in a file (settings_text.h) that is read at the start and written when the person
 * leaves, and then only if something was chosen anew: what the file says otherwise, its
 * remarks and what a later version put there stay. Only what is not the default is written.
 * A file with a mistake in it is told, read as far as it can be, and never written. What the
 * command line gives goes before the file and is not written, until something else is chosen.
 * UI thread only.
 */
#ifndef CONFIG_SETTINGS_H
#define CONFIG_SETTINGS_H

#include "tui/config/options.h"
#include "tui/config/settings_text.h"

#define SETTINGS_FILE "settings" /* for config_file_path() */

/* SETTING(ID, "name", "default", "what it is") */
#define SETTING_LIST(SETTING) \
	SETTING(THEME, "theme", "auto", "colours") \
	SETTING(KEYMAP, "keymap", "default", "keys") \
	SETTING(VIEW, "view", "overview", "the view to begin with") \
	SETTING(FOLLOW, "follow", "yes", "begin at the newest call and follow them") \
	SETTING(REFRESH, "refresh", "100ms", "time from one look at new calls to the next") \
	SETTING(STRING_SIZE, "string-size", "32", \
		"bytes shown of strings and buffers; more of them from the next start on") \
	SETTING(HISTORY, "history", "64M", "memory for past calls, from the next start on") \
	SETTING(SELF_USAGE, "own-use", "no", "memory and CPU of this program in the top line") \
	SETTING(ACCESSIBLE, "accessible", "no", \
		"for screen readers and braille, from the next start on") \
	SETTING(ASCII, "ascii", "no", "draw with ASCII characters only") \
	SETTING(MOUSE, "mouse", "yes", "use the mouse; otherwise it is the terminal's") \
	SETTING(HINTS, "hints", "yes", "a line of keys for who is new here, until one is used")

enum setting {
#define SETTING_ENUM(id, name, fallback, help) SETTING_##id,
	SETTING_LIST(SETTING_ENUM)
#undef SETTING_ENUM
		SETTING_COUNT
};

/* Names of more than one thing: what is behind them is whose it is, as in "sort.files.files". */
#define SETTING_COLUMNS "columns."
#define SETTING_SORT "sort."
#define SETTING_PANES "panes."

const char *setting_name(enum setting setting);
const char *setting_help(enum setting setting);
const char *setting_default(enum setting setting);
/* The index-th value that a list of them offers; NULL past the last. */
const char *setting_offer(enum setting setting, int index);
/* 0, or -EINVAL with what was expected. */
int setting_check(enum setting setting, const char *value, struct err *err);
/* Of a setting that is a number, a size or a time in ns, or yes (1) or no (0). */
uint64_t setting_number(enum setting setting, const char *value);

struct settings {
	struct str path; /* empty: there is no place for them */
	struct settings_list file; /* what it said at the start */
	struct settings_list given; /* by the command line */
	struct settings_list chosen; /* by the person, to be written; NULL: as by default */
	struct err problem; /* with the file; empty: none */
	bool broken; /* it is not to be written */
};

void settings_init(struct settings *settings);
void settings_release(struct settings *settings);

/* Reads the file; what is wrong with it is in .problem. */
void settings_read(struct settings *settings);
/* Takes what the command line gives, and fills in what it does not. */
void settings_meet_options(struct settings *settings, struct options *options);

/* What is in force; never NULL. */
const char *settings_value(const struct settings *settings, enum setting setting);
bool settings_is_given(const struct settings *settings, enum setting setting);
/* Of one that is yes or no. */
bool settings_is_on(const struct settings *settings, enum setting setting);
/* By the person, from now on. -EINVAL: it cannot be that. */
int settings_choose(struct settings *settings, enum setting setting, const char *value,
		    struct err *err);
/* Something of other names; NULL: as by default. */
void settings_put(struct settings *settings, const char *name, const char *value);

/* 0, also where there was nothing to write; -errno: why the file is as it was. Waits for it. */
int settings_save(struct settings *settings, struct err *err);

#endif
