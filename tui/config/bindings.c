#include "tui/config/bindings.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "tui/config/config_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A keymap is about a page of text; a larger file is not a keymap. */
#define KEYMAP_FILE_MAX_BYTES (64 * 1024)

struct bindings {
	struct keymap *keymap;
};

#define SHOWN_BYTES 256

static int read_all(int fd, struct str *text)
{
	for (;;) {
		ssize_t got;

		str_reserve(text, 4096);
		got = read(fd, text->data + text->len, 4096);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			return 0;
		text->len += (size_t)got;
		text->data[text->len] = '\0';
		if (text->len > KEYMAP_FILE_MAX_BYTES)
			return -EFBIG;
	}
}

static int parse_file(struct keymap *keymap, const char *path, struct err *err)
{
	struct str text = STR_INIT;
	char shown[SHOWN_BYTES];
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int rc;

	escape_name(shown, sizeof(shown), path);
	if (fd < 0)
		return err_set(err, -errno,
			       "cannot read keymap %s: %s; built-in keymaps: default, vi, emacs",
			       shown, strerror(errno));
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode))
		rc = -EISDIR;
	else
		rc = read_all(fd, &text);
	if (rc == -EFBIG)
		err_set(err, rc, "cannot read keymap %s: larger than %d KiB", shown,
			KEYMAP_FILE_MAX_BYTES / 1024);
	else if (rc)
		err_set(err, rc, "cannot read keymap %s: %s", shown, strerror(-rc));
	else
		keymap_parse(keymap, path, text.data, text.len);
	close(fd);
	str_release(&text);
	return rc;
}

static void parse_built_in(struct keymap *keymap, const struct keymap_text *text)
{
	keymap_parse(keymap, text->name, text->text, *text->len);
}

static int parse_named(struct keymap *keymap, const char *name, struct err *err)
{
	for (int i = 1; i < ACTION_KEYMAP_COUNT; i++) {
		if (strcmp(name, action_keymaps[i].name))
			continue;
		parse_built_in(keymap, &action_keymaps[i]);
		return 0;
	}
	return parse_file(keymap, name, err);
}

/* Read the user's keymap file, if there is one. */
static void parse_own(struct keymap *keymap)
{
	struct str path = STR_INIT, text = STR_INIT;
	struct err err;

	if (!config_file_path(BINDINGS_FILE, &path, &err)) {
		if (config_file_read(path.data, KEYMAP_FILE_MAX_BYTES, &text, &err))
			keymap_complain(keymap, "%s; none of its keys apply", err.text);
		else
			keymap_parse(keymap, path.data, text.data, text.len);
	}
	str_release(&text);
	str_release(&path);
}

/* Without these keys, the user could neither quit nor confirm. */
static const struct way_out {
	enum action_context context;
	enum action action, or_action;
	struct key key;
} ways_out[] = {
	{ CONTEXT_GLOBAL, ACTION_QUIT, ACTION_PALETTE, { 'c', KEY_MOD_CTRL } },
	{ CONTEXT_PROMPT, ACTION_ACCEPT, ACTION_ACCEPT, { KEYS_ENTER, 0 } },
	{ CONTEXT_PROMPT, ACTION_CANCEL, ACTION_CANCEL, { KEYS_ESC, 0 } },
	{ CONTEXT_PROMPT, ACTION_EDIT_BACKSPACE, ACTION_EDIT_BACKSPACE, { KEYS_BACKSPACE, 0 } },
	{ CONTEXT_MENU, ACTION_ACCEPT, ACTION_DRILL_IN, { KEYS_ENTER, 0 } },
	{ CONTEXT_MENU, ACTION_CANCEL, ACTION_BACK, { KEYS_ESC, 0 } },
	{ CONTEXT_MENU, ACTION_MOVE_UP, ACTION_MOVE_UP, { KEYS_UP, 0 } },
	{ CONTEXT_MENU, ACTION_MOVE_DOWN, ACTION_MOVE_DOWN, { KEYS_DOWN, 0 } },
};

static void keep_ways_out(struct keymap *keymap)
{
	for (size_t i = 0; i < sizeof(ways_out) / sizeof(ways_out[0]); i++) {
		const struct way_out *way = &ways_out[i];
		struct keystrokes keys;
		char name[KEYSTROKES_BYTES];

		if (keymap_keys(keymap, way->context, way->action, 0, &keys) ||
		    keymap_keys(keymap, way->context, way->or_action, 0, &keys))
			continue;
		keys = keystrokes_of(way->key);
		keymap_add(keymap, way->context, &keys, way->action);
		keymap_complain(keymap, "the keymap has no key for %s in [%s]: using %s",
				action_name(way->action),
				action_keymap_names.contexts[way->context],
				keystrokes_format(name, &keys));
	}
}

int bindings_new(struct bindings **out, const char *name, struct err *err)
{
	struct bindings *bindings = mem_zalloc(1, sizeof(*bindings));
	int rc = 0;

	bindings->keymap = keymap_new(&action_keymap_names);
	parse_built_in(bindings->keymap, &action_keymaps[0]);
	if (name && strcmp(name, action_keymaps[0].name))
		rc = parse_named(bindings->keymap, name, err);
	if (rc) {
		bindings_free(bindings);
		return rc;
	}
	keep_ways_out(bindings->keymap);
	*out = bindings;
	return 0;
}

int bindings_new_for_user(struct bindings **out, const char *name, struct err *err)
{
	int rc = bindings_new(out, name, err);

	if (!rc) {
		parse_own((*out)->keymap);
		keep_ways_out((*out)->keymap);
	}
	return rc;
}

void bindings_free(struct bindings *bindings)
{
	if (!bindings)
		return;
	keymap_free(bindings->keymap);
	free(bindings);
}

const char *bindings_problem(const struct bindings *bindings, size_t index)
{
	return keymap_problem(bindings->keymap, index);
}

int bindings_find(const struct bindings *bindings, enum action_context context,
		  const struct keystrokes *keys)
{
	return keymap_find(bindings->keymap, context, keys);
}

int bindings_action(const struct bindings *bindings, enum action_context context, struct key key)
{
	struct keystrokes keys = keystrokes_of(key);

	return keymap_find(bindings->keymap, context, &keys);
}

bool bindings_follow(const struct bindings *bindings, enum action_context context,
		     const struct keystrokes *part, size_t index, struct keystrokes *keys,
		     enum action *action)
{
	int number;

	if (!keymap_follow(bindings->keymap, context, part, index, keys, &number))
		return false;
	*action = (enum action)number;
	return true;
}

bool bindings_origin(const struct bindings *bindings, enum action_context context,
		     const struct keystrokes *keys, struct str *out)
{
	return keymap_origin(bindings->keymap, context, keys, out);
}

void bindings_list(const struct bindings *bindings, enum action_context context, enum action action,
		   struct str *out)
{
	keymap_list(bindings->keymap, context, action, out);
}

bool bindings_first(const struct bindings *bindings, enum action_context context,
		    enum action action, struct keystrokes *keys)
{
	return keymap_keys(bindings->keymap, context, action, 0, keys);
}

char *bindings_name(char out[KEYSTROKES_BYTES], const struct bindings *bindings, enum action action,
		    struct key usual)
{
	struct keystrokes keys = keystrokes_of(usual);

	if (keymap_find(bindings->keymap, CONTEXT_GLOBAL, &keys) == (int)action ||
	    bindings_first(bindings, CONTEXT_GLOBAL, action, &keys))
		return keystrokes_format(out, &keys);
	snprintf(out, KEYSTROKES_BYTES, ":%s", action_name(action));
	return out;
}

bool bindings_function_key(const struct bindings *bindings, enum action action,
			   struct keystrokes *keys)
{
	for (size_t i = 0; keymap_keys(bindings->keymap, CONTEXT_GLOBAL, action, i, keys); i++) {
		struct key first = keys->keys[0];

		if (keys->count == 1 && first.code >= KEYS_F1 && first.code <= KEYS_F24 &&
		    !first.mods)
			return true;
	}
	return bindings_first(bindings, CONTEXT_GLOBAL, action, keys);
}
