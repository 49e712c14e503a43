#include "tui/dialogs/path_choice.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Maximum number of names: a longer list is useless for completion. */
#define NAMES_MAX 20000

void path_choice_init(struct path_choice *choice)
{
	memset(choice, 0, sizeof(*choice));
	str_init(&choice->dir);
}

static void forget(struct path_choice *choice)
{
	for (size_t i = 0; i < choice->count; i++)
		free(choice->names[i]);
	choice->count = 0;
}

void path_choice_release(struct path_choice *choice)
{
	forget(choice);
	free(choice->names);
	str_release(&choice->dir);
}

void path_choice_expand(const char *text, struct str *out)
{
	const char *home = getenv("HOME");

	if (!strncmp(text, "~/", 2) && home && *home == '/') {
		str_add(out, home);
		text++;
	}
	str_add(out, text);
}

/* Return the start of the last path component. */
static size_t name_start(const char *text, size_t len)
{
	while (len && text[len - 1] != '/')
		len--;
	return len;
}

static void directory_of(const char *text, struct str *out)
{
	path_choice_expand(text, out);
	str_cut(out, name_start(out->data, out->len));
	if (!out->len)
		str_add(out, "./");
}

/* ---- reading ---- */

static bool can_be_typed(const char *name)
{
	struct str escaped = STR_INIT;
	bool same;

	str_add_escaped(&escaped, name, strlen(name), ESCAPE_PLAIN);
	same = !strcmp(escaped.data, name);
	str_release(&escaped);
	return same;
}

static bool is_directory(DIR *dir, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
		return entry->d_type == DT_DIR;
	return !fstatat(dirfd(dir), entry->d_name, &st, 0) && S_ISDIR(st.st_mode);
}

static void add_name(struct path_choice *choice, const char *name, bool directory)
{
	struct str text = STR_INIT;

	str_add(&text, name);
	if (directory)
		str_addc(&text, '/');
	choice->names = mem_grow(choice->names, &choice->capacity, choice->count + 1,
				 sizeof(*choice->names));
	choice->names[choice->count++] = str_steal(&text);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Background thread. */
static void read_names(void *ctx)
{
	struct path_choice *choice = ctx;
	DIR *dir = opendir(choice->dir.data);
	struct dirent *entry;

	while (dir && choice->count < NAMES_MAX && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    can_be_typed(entry->d_name))
			add_name(choice, entry->d_name, is_directory(dir, entry));
	if (dir)
		closedir(dir);
	if (choice->count)
		qsort(choice->names, choice->count, sizeof(*choice->names), compare);
	atomic_store(&choice->busy, false);
}

void path_choice_look(struct path_choice *choice, struct background *background, const char *text)
{
	struct str dir = STR_INIT;

	if (atomic_load(&choice->busy))
		return;
	directory_of(text, &dir);
	if (!choice->known || strcmp(dir.data, choice->dir.data)) {
		forget(choice);
		str_clear(&choice->dir);
		str_add(&choice->dir, dir.data);
		choice->known = true;
		atomic_store(&choice->busy, true);
		if (!background_look(background, read_names, choice)) {
			choice->known = false;
			atomic_store(&choice->busy, false);
		}
	}
	str_release(&dir);
}

/* ---- completion ---- */

void path_choice_complete(void *data, const char *text, size_t cursor,
			  struct prompt_candidates *candidates)
{
	struct path_choice *choice = data;
	size_t start = name_start(text, cursor), len = cursor - start;
	struct str dir = STR_INIT, typed = STR_INIT;

	candidates->word_start = start;
	str_addn(&typed, text, start);
	directory_of(typed.data, &dir);
	if (!atomic_load(&choice->busy) && choice->known && !strcmp(dir.data, choice->dir.data))
		for (size_t i = 0; i < choice->count; i++)
			/* Offer hidden files only after a typed prefix. */
			if (!strncmp(choice->names[i], text + start, len) &&
			    (len || choice->names[i][0] != '.'))
				prompt_candidates_add(candidates, choice->names[i], NULL);
	str_release(&dir);
	str_release(&typed);
}
