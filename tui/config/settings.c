#include "tui/config/settings.h"

#include "engine/base/escape.h"
#include "engine/base/units.h"
#include "engine/base/words.h"
#include "tui/config/config_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_BYTES 128

static const char preface[] =
	"# Settings of stxtop, described in stxtop(1). On a clean exit, stxtop rewrites the\n"
	"# lines of changed settings and keeps all other lines.\n";

static const char *const families[] = { SETTING_COLUMNS, SETTING_SORT, SETTING_PANES };

void settings_init(struct settings *settings)
{
	*settings = (struct settings){ .path = STR_INIT };
}

void settings_release(struct settings *settings)
{
	str_release(&settings->path);
	settings_list_release(&settings->file);
	settings_list_release(&settings->given);
	settings_list_release(&settings->chosen);
}

/* ---- read ---- */

static int find_setting(const char *name)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		if (!strcmp(setting_name((enum setting)i), name))
			return i;
	return -1;
}

static bool is_family(const char *name)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strncmp(name, families[i], strlen(families[i])))
			return true;
	return false;
}

/* Report an unknown name if it looks misspelled; otherwise it can belong to a later version. */
static void look_at_unknown(const struct settings_item *item, const char *file, struct err *note)
{
	struct words_nearest nearest = words_nearest_to(item->name, strlen(item->name));

	for (int i = 0; i < SETTING_COUNT; i++)
		words_nearest_offer(&nearest, setting_name((enum setting)i));
	if (nearest.found && !note->text[0])
		err_set(note, -EINVAL, "%s:%u: unknown setting %s (nearest: %s)", file, item->line,
			item->name, nearest.found);
}

/* Check the values of known settings. -EINVAL with the first error. */
static int check(const struct settings_list *list, const char *file, struct err *err,
		 struct err *note)
{
	struct err wrong;

	for (size_t i = 0; i < list->count; i++) {
		const struct settings_item *item = &list->items[i];
		int setting = find_setting(item->name);

		if (setting < 0) {
			if (!is_family(item->name))
				look_at_unknown(item, file, note);
			continue;
		}
		if (setting_check((enum setting)setting, item->value, &wrong))
			return err_set(err, -EINVAL, "%s:%u: %s", file, item->line, wrong.text);
	}
	return 0;
}

/* Read the current file. -errno: the file must not be written. */
static int read_file(const struct settings *settings, struct str *text, struct settings_list *list,
		     struct err *err, struct err *note)
{
	char shown[SHOWN_BYTES];
	int rc = config_file_read(settings->path.data, SETTINGS_BYTES, text, err), wrong;

	if (rc)
		return rc;
	escape_name(shown, sizeof(shown), settings->path.data);
	rc = settings_list_parse(list, shown, text->data, text->len, err);
	wrong = check(list, shown, rc ? NULL : err, note);
	return rc ? rc : wrong;
}

void settings_read(struct settings *settings)
{
	struct str text = STR_INIT;
	struct err note = { .text = "" };

	str_clear(&settings->path);
	settings_list_release(&settings->file);
	settings->broken = false;
	settings->problem.text[0] = '\0';
	if (config_file_path(SETTINGS_FILE, &settings->path, NULL))
		return; /* settings_save() reports this error */
	if (read_file(settings, &text, &settings->file, &settings->problem, &note))
		settings->broken = true;
	else
		settings->problem = note;
	str_release(&text);
}

/* ---- values in force ---- */

static const char *listed(const struct settings_list *list, const char *name)
{
	const struct settings_item *item = settings_list_find(list, name);

	return item ? item->value : NULL;
}

const char *settings_value(const struct settings *settings, enum setting setting)
{
	const char *name = setting_name(setting), *value;
	const struct settings_item *chosen = settings_list_find(&settings->chosen, name);
	struct err ignored;

	if (chosen)
		return chosen->value ? chosen->value : setting_default(setting);
	value = listed(&settings->given, name);
	if (value)
		return value;
	value = listed(&settings->file, name);
	return value && !setting_check(setting, value, &ignored) ? value : setting_default(setting);
}

bool settings_is_given(const struct settings *settings, enum setting setting)
{
	return settings_list_find(&settings->given, setting_name(setting)) != NULL;
}

static void give(struct settings *settings, enum setting setting, const char *value)
{
	if (value)
		settings_list_put(&settings->given, setting_name(setting), value);
}

static void give_number(struct settings *settings, enum setting setting, uint64_t number)
{
	char text[UNITS_TEXT_BYTES];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	give(settings, setting, number ? text : NULL);
}

bool settings_is_on(const struct settings *settings, enum setting setting)
{
	return setting_number(setting, settings_value(settings, setting)) != 0;
}

void settings_meet_options(struct settings *settings, struct options *options)
{
	const char *keymap;

	give(settings, SETTING_THEME, options->theme);
	give(settings, SETTING_KEYMAP, options->keymap);
	give(settings, SETTING_ACCESSIBLE, options->accessible ? "yes" : NULL);
	give(settings, SETTING_ASCII, options->ascii ? "yes" : NULL);
	give(settings, SETTING_MOUSE, options->no_mouse ? "no" : NULL);
	give_number(settings, SETTING_STRING_SIZE, options->engine.string_bytes);
	give_number(settings, SETTING_HISTORY, options->engine.history_bytes);

	options->theme = settings_value(settings, SETTING_THEME);
	keymap = settings_value(settings, SETTING_KEYMAP);
	/* NULL, unlike "default", also loads the user's keymap file. */
	options->keymap = options->keymap || strcmp(keymap, setting_default(SETTING_KEYMAP)) != 0
				  ? keymap
				  : NULL;
	options->accessible = settings_is_on(settings, SETTING_ACCESSIBLE);
	options->ascii = options->accessible || settings_is_on(settings, SETTING_ASCII);
	options->no_mouse = !settings_is_on(settings, SETTING_MOUSE);
	if (!options->view)
		options->view = options_find_view(settings_value(settings, SETTING_VIEW));
	options->engine.string_bytes = (uint32_t)setting_number(
		SETTING_STRING_SIZE, settings_value(settings, SETTING_STRING_SIZE));
	options->engine.history_bytes = setting_number(SETTING_HISTORY,
						       settings_value(settings, SETTING_HISTORY));
}

/* ---- change ---- */

int settings_choose(struct settings *settings, enum setting setting, const char *value,
		    struct err *err)
{
	int rc = setting_check(setting, value, err);

	if (!rc)
		settings_put(settings, setting_name(setting),
			     strcmp(value, setting_default(setting)) ? value : NULL);
	return rc;
}

void settings_put(struct settings *settings, const char *name, const char *value)
{
	settings_list_put(&settings->chosen, name, value);
}

/* ---- write ---- */

static bool any_to_add(const struct settings_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].value)
			return true;
	return false;
}

static int write_text(const struct settings *settings, const struct str *old, struct err *err)
{
	struct str next = STR_INIT;
	int rc = 0;

	if (!old->len && any_to_add(&settings->chosen))
		str_add(&next, preface);
	settings_text_edit(old->data, old->len, &settings->chosen, &next);
	if (strcmp(next.data, old->data))
		rc = config_file_write(settings->path.data, &next, err);
	str_release(&next);
	return rc;
}

/* Another stxtop can have changed the file since the start: apply only the changes made here. */
int settings_save(struct settings *settings, struct err *err)
{
	struct settings_list now = SETTINGS_LIST_INIT;
	struct err note = { .text = "" };
	struct str old = STR_INIT;
	int rc;

	if (!settings->chosen.count)
		return 0;
	if (!settings->path.len)
		return config_file_path(SETTINGS_FILE, &settings->path, err);
	rc = read_file(settings, &old, &now, err, &note);
	if (rc)
		err_prefix(err, "settings not saved, file unchanged: ");
	else
		rc = write_text(settings, &old, err);
	settings_list_release(&now);
	str_release(&old);
	return rc;
}
