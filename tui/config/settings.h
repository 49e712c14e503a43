/*
 * settings - the user's choices for the interface, stored between runs.
 *
 * The settings file (settings_text.h) is read at the start. It is written at exit if a setting was
 * changed. Other lines, remarks and settings of a later version are preserved. Only values other
 * than the default are written. A file with errors is reported, read as far as possible, and never
 * written. The command line overrides the file; its values are not written unless the user changes
 * the setting. UI thread only.
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
	SETTING(VIEW, "view", "overview", "initial view") \
	SETTING(FOLLOW, "follow", "yes", "start at the newest call and follow") \
	SETTING(REFRESH, "refresh", "100ms", "refresh interval") \
	SETTING(STRING_SIZE, "string-size", "32", \
		"bytes shown of strings and buffers (larger values at next start)") \
	SETTING(HISTORY, "history", "64M", "history size (takes effect at next start)") \
	SETTING(SELF_USAGE, "own-use", "no", "memory and CPU of stxtop in the top line") \
	SETTING(ACCESSIBLE, "accessible", "no", "for screen readers and braille (at next start)") \
	SETTING(ASCII, "ascii", "no", "draw with ASCII characters only") \
	SETTING(MOUSE, "mouse", "yes", "use the mouse; no: leave it to the terminal") \
	SETTING(HINTS, "hints", "yes", "a line of keys for new users, until one is used")

enum setting {
#define SETTING_ENUM(id, name, fallback, help) SETTING_##id,
	SETTING_LIST(SETTING_ENUM)
#undef SETTING_ENUM
		SETTING_COUNT
};

/*
 * Prefixes of settings per view or pane; the remainder names the object, as in "sort.files.files".
 */
#define SETTING_COLUMNS "columns."
#define SETTING_SORT "sort."
#define SETTING_PANES "panes."

const char *setting_name(enum setting setting);
const char *setting_help(enum setting setting);
const char *setting_default(enum setting setting);
/* Return the index-th value to offer in a list; NULL past the last. */
const char *setting_offer(enum setting setting, int index);
/* Check a value. -EINVAL with a message that names the expected values. */
int setting_check(enum setting setting, const char *value, struct err *err);
/*
 * Return the value of a numeric setting: a number, a size in bytes, a time in ns, yes (1) or no
 * (0).
 */
uint64_t setting_number(enum setting setting, const char *value);

struct settings {
	struct str path; /* empty: no configuration directory */
	struct settings_list file; /* content at the start */
	struct settings_list given; /* from the command line */
	struct settings_list chosen; /* by the user, to be written; value NULL: the default */
	struct err problem; /* error in the file; empty: none */
	bool broken; /* the file has errors, so it must not be written */
};

void settings_init(struct settings *settings);
void settings_release(struct settings *settings);

/* Read the file; errors are in .problem. */
void settings_read(struct settings *settings);
/* Take the values of the command line, and set the remaining options from the settings. */
void settings_meet_options(struct settings *settings, struct options *options);

/* Return the value in force; never NULL. */
const char *settings_value(const struct settings *settings, enum setting setting);
bool settings_is_given(const struct settings *settings, enum setting setting);
/* True if a yes/no setting is on. */
bool settings_is_on(const struct settings *settings, enum setting setting);
/* Set a value that the user chose. -EINVAL: the value is invalid. */
int settings_choose(struct settings *settings, enum setting setting, const char *value,
		    struct err *err);
/* Set a value without checking it, for names with a prefix; NULL: the default. */
void settings_put(struct settings *settings, const char *name, const char *value);

/*
 * Write the changes; 0 if there are none. -errno with the reason; the file is then unchanged.
 * Blocks on the disk.
 */
int settings_save(struct settings *settings, struct err *err);

#endif
