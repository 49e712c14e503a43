#include "tui/config/theme_choice.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "tui/config/config_file.h"
#include "widgets/canvas/theme_text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHOWN_BYTES 128
#define THEMES "themes/"
/* Maximum number of listed files: the directory can have any number of them. */
#define LISTED_MAX 50

void theme_choice_init(struct theme_choice *choice)
{
	*choice = (struct theme_choice){ .name = STR_INIT };
	str_add(&choice->name, THEME_AUTO);
	choice->theme = theme_guess(getenv("COLORFGBG"));
}

void theme_choice_release(struct theme_choice *choice)
{
	str_release(&choice->name);
	theme_free(choice->own);
}

static void take(struct theme_choice *choice, const char *name, const struct theme *theme,
		 struct theme *own)
{
	char *copy = mem_strdup(name); /* `name` can be choice->name itself */

	theme_free(choice->own);
	choice->own = own;
	choice->theme = theme;
	str_clear(&choice->name);
	str_add(&choice->name, copy);
	free(copy);
}

static int refuse(const char *name, struct err *err)
{
	struct str names = STR_INIT;
	char shown[SHOWN_BYTES];

	for (size_t i = 0; theme_at(i); i++)
		str_addf(&names, ", %s", theme_name(theme_at(i)));
	err_set(err, -ENOENT, "unknown theme %s: built-in themes are " THEME_AUTO "%s",
		escape_name(shown, sizeof(shown), name), names.data);
	str_release(&names);
	return -ENOENT;
}

static int find_file(const char *name, struct str *path, struct err *err)
{
	struct str in_themes = STR_INIT;
	int rc = 0;

	if (strchr(name, '/')) {
		str_add(path, name);
		return access(name, F_OK) ? refuse(name, err) : 0;
	}
	str_addf(&in_themes, THEMES "%s", name);
	if (!*name || config_file_path(in_themes.data, path, NULL) || access(path->data, F_OK))
		rc = refuse(name, err);
	str_release(&in_themes);
	return rc;
}

static int read_file(struct theme_choice *choice, const char *name, struct err *err)
{
	struct str path = STR_INIT, text = STR_INIT;
	char shown[SHOWN_BYTES], title[SHOWN_BYTES];
	struct theme *own;
	int rc = find_file(name, &path, err);

	if (!rc)
		rc = config_file_read(path.data, THEME_FILE_MAX_BYTES, &text, err);
	if (rc == -EINVAL)
		rc = -EILSEQ; /* not a text file; -EINVAL would mean an invalid line */
	if (!rc) {
		if (theme_parse(&own, escape_name(title, sizeof(title), name),
				escape_name(shown, sizeof(shown), path.data), text.data, text.len,
				err))
			rc = -EINVAL;
		take(choice, name, own, own);
	}
	str_release(&path);
	str_release(&text);
	return rc;
}

int theme_choice_set(struct theme_choice *choice, const char *name, struct err *err)
{
	const struct theme *theme = theme_find(name);

	if (!strcmp(name, THEME_AUTO))
		theme = theme_guess(getenv("COLORFGBG"));
	if (!theme)
		return read_file(choice, name, err);
	take(choice, name, theme, NULL);
	return 0;
}

/* ---- list ---- */

static int is_listed(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && !theme_find(entry->d_name) &&
	       strcmp(entry->d_name, THEME_AUTO) != 0 && strlen(entry->d_name) < THEME_NAME_BYTES;
}

static void list_files(void (*each)(void *ctx, const char *name, const char *help), void *ctx)
{
	struct str path = STR_INIT;
	struct dirent **entries = NULL;
	int count = -1;

	if (!config_file_path(THEMES, &path, NULL))
		count = scandir(path.data, &entries, is_listed, alphasort);
	for (int i = 0; i < count; i++) {
		if (i < LISTED_MAX)
			each(ctx, entries[i]->d_name, "user file");
		free(entries[i]);
	}
	free(entries);
	str_release(&path);
}

void theme_choice_list(void (*each)(void *ctx, const char *name, const char *help), void *ctx)
{
	each(ctx, THEME_AUTO, "light or dark, by the terminal's background");
	for (size_t i = 0; theme_at(i); i++)
		each(ctx, theme_name(theme_at(i)), theme_help(theme_at(i)));
	list_files(each, ctx);
}
