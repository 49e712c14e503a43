#include "widgets/keymap.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TOKEN_BYTES 64
#define MAX_BINDINGS 2000 /* a keymap may come from anywhere; nobody has more keys */

struct binding {
	struct key key;
	int context;
	int action;
	int text;          /* which of the parsed texts it came from */
	unsigned int line;
};

struct keymap {
	const struct keymap_names *names;
	struct binding *bindings; /* in the order of the texts */
	size_t count, capacity;
	int texts; /* parsed so far */
};

/* One text being read. */
struct reader {
	struct keymap *keymap;
	const char *file;
	unsigned int line;
	int context;
	struct err *err;
};

struct keymap *keymap_new(const struct keymap_names *names)
{
	struct keymap *keymap = mem_zalloc(1, sizeof(*keymap));

	keymap->names = names;
	return keymap;
}

void keymap_free(struct keymap *keymap)
{
	if (!keymap)
		return;
	free(keymap->bindings);
	free(keymap);
}

/* What may have been meant: the beginning of a name counts too. NULL: nothing is near. */
static const char *find_nearest(const char *const *names, int count, const char *typed)
{
	size_t len = strlen(typed);
	struct words_nearest nearest = words_nearest_to(typed, len);

	for (int i = 0; i < count; i++)
		words_nearest_offer(&nearest, names[i]);
	for (int i = 0; i < count && !nearest.found && len >= 3; i++)
		if (!strncmp(names[i], typed, len))
			nearest.found = names[i];
	return nearest.found;
}

static int find_name(const char *const *names, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static struct binding *find_binding(const struct keymap *keymap, int context, struct key key)
{
	for (size_t i = 0; i < keymap->count; i++) {
		struct binding *binding = &keymap->bindings[i];

		if (binding->context == context && key_equal(binding->key, key))
			return binding;
	}
	return NULL;
}

static void remove_binding(struct keymap *keymap, struct binding *binding)
{
	size_t index = (size_t)(binding - keymap->bindings);

	keymap->count--;
	memmove(binding, binding + 1, (keymap->count - index) * sizeof(*binding));
}

static int fail_unknown(struct reader *reader, const char *what, const char *token,
			const char *const *names, int count)
{
	const char *nearest = names ? find_nearest(names, count, token) : NULL;
	char shown[MAX_TOKEN_BYTES * 4 + 1];

	escape_name(shown, sizeof(shown), token);
	if (nearest)
		return err_set(reader->err, -EINVAL, "%s:%u: unknown %s \"%s\" (nearest: %s)",
			       reader->file, reader->line, what, shown, nearest);
	return err_set(reader->err, -EINVAL, "%s:%u: unknown %s \"%s\"", reader->file,
		       reader->line, what, shown);
}

static int bind_key(struct reader *reader, int action, struct key key)
{
	struct keymap *keymap = reader->keymap;
	struct binding *old = find_binding(keymap, reader->context, key);

	if (old && old->text == keymap->texts) {
		char name[KEY_NAME_BYTES];

		return err_set(reader->err, -EINVAL,
			       "%s:%u: %s is bound to %s in line %u already", reader->file,
			       reader->line, key_format(name, key),
			       keymap->names->actions[old->action], old->line);
	}
	if (old)
		remove_binding(keymap, old);
	if (keymap->count >= MAX_BINDINGS)
		return err_set(reader->err, -EINVAL, "%s:%u: more than %d bindings",
			       reader->file, reader->line, MAX_BINDINGS);
	keymap->bindings = mem_grow(keymap->bindings, &keymap->capacity, keymap->count + 1,
				    sizeof(*keymap->bindings));
	keymap->bindings[keymap->count++] = (struct binding){
		.key = key, .context = reader->context, .action = action,
		.text = keymap->texts, .line = reader->line,
	};
	return 0;
}

/* The next word of a line; false at its end or a comment. */
static bool next_token(const char **at, const char *end, char token[MAX_TOKEN_BYTES],
		       bool *too_long)
{
	const char *start = *at;
	size_t len;

	*too_long = false;
	while (start < end && (*start == ' ' || *start == '\t' || *start == '\r'))
		start++;
	if (start == end || *start == '#')
		return false;
	for (*at = start; *at < end && **at != ' ' && **at != '\t' && **at != '\r';)
		(*at)++;
	len = (size_t)(*at - start);
	if (len >= MAX_TOKEN_BYTES) {
		*too_long = true;
		len = MAX_TOKEN_BYTES - 1;
	}
	memcpy(token, start, len);
	token[len] = '\0';
	/* A NUL inside would make the word look shorter than it is. */
	if (strlen(token) != len)
		*too_long = true;
	return true;
}

static int read_keys(struct reader *reader, int action, const char *at, const char *end)
{
	char token[MAX_TOKEN_BYTES];
	bool too_long;
	int keys = 0;

	while (next_token(&at, end, token, &too_long)) {
		struct binding *old;
		struct key key;
		int err;

		if (too_long || key_parse(token, &key))
			return fail_unknown(reader, "key", token, NULL, 0);
		if (action >= 0) {
			err = bind_key(reader, action, key);
			if (err)
				return err;
		} else {
			old = find_binding(reader->keymap, reader->context, key);
			if (old)
				remove_binding(reader->keymap, old);
		}
		keys++;
	}
	if (!keys)
		return err_set(reader->err, -EINVAL, "%s:%u: no key: write ACTION KEY [KEY...]",
			       reader->file, reader->line);
	return 0;
}

static int read_line(struct reader *reader, const char *at, const char *end)
{
	const struct keymap_names *names = reader->keymap->names;
	char token[MAX_TOKEN_BYTES], rest[MAX_TOKEN_BYTES];
	bool too_long, ignored;
	size_t len;
	int found;

	if (!next_token(&at, end, token, &too_long))
		return 0;
	len = strlen(token);
	if (token[0] == '[') {
		if (too_long || token[len - 1] != ']' || next_token(&at, end, rest, &ignored))
			return err_set(reader->err, -EINVAL,
				       "%s:%u: a section is one word in brackets: [%s]",
				       reader->file, reader->line, names->contexts[0]);
		token[len - 1] = '\0';
		found = find_name(names->contexts, names->context_count, token + 1);
		if (found < 0)
			return fail_unknown(reader, "section", token + 1, names->contexts,
					    names->context_count);
		reader->context = found;
		return 0;
	}
	if (!too_long && !strcmp(token, "unbind"))
		return read_keys(reader, KEYMAP_NONE, at, end);
	if (!too_long && !strcmp(token, "unbind-all")) {
		if (next_token(&at, end, rest, &ignored))
			return err_set(reader->err, -EINVAL, "%s:%u: unbind-all takes no keys",
				       reader->file, reader->line);
		reader->keymap->count = 0;
		return 0;
	}
	found = too_long ? -1 : find_name(names->actions, names->action_count, token);
	if (found < 0)
		return fail_unknown(reader, "action", token, names->actions,
				    names->action_count);
	return read_keys(reader, found, at, end);
}

int keymap_parse(struct keymap *keymap, const char *file, const char *text, size_t len,
		 struct err *err)
{
	struct keymap work = { .names = keymap->names, .texts = keymap->texts };
	struct reader reader = { .keymap = &work, .file = file, .err = err };
	const char *end = text + len;

	/* On a copy, so that a text with an error changes nothing. */
	work.bindings = mem_grow(NULL, &work.capacity, keymap->count + 1,
				 sizeof(*work.bindings));
	if (keymap->count)
		memcpy(work.bindings, keymap->bindings,
		       keymap->count * sizeof(*work.bindings));
	work.count = keymap->count;
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;
		int failed;

		reader.line++;
		failed = read_line(&reader, text, line_end);
		if (failed) {
			free(work.bindings);
			return failed;
		}
		text = newline ? newline + 1 : end;
	}
	work.texts++;
	free(keymap->bindings);
	*keymap = work;
	return 0;
}

int keymap_find(const struct keymap *keymap, int context, struct key key)
{
	const struct binding *binding = find_binding(keymap, context, key);

	return binding ? binding->action : KEYMAP_NONE;
}

bool keymap_key(const struct keymap *keymap, int context, int action, size_t index,
		struct key *key)
{
	for (size_t i = 0; i < keymap->count; i++) {
		const struct binding *binding = &keymap->bindings[i];

		if (binding->context != context || binding->action != action || index--)
			continue;
		*key = binding->key;
		return true;
	}
	return false;
}

void keymap_list(const struct keymap *keymap, int context, int action, struct str *out)
{
	char name[KEY_NAME_BYTES];
	struct key key;

	for (size_t i = 0; keymap_key(keymap, context, action, i, &key); i++) {
		if (i)
			str_addc(out, ' ');
		str_add(out, key_format(name, key));
	}
}
