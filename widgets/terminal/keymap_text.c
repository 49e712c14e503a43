/* keymap_text - keymap_parse(): converts lines of text into bindings and problems. */
#include "widgets/terminal/keymap_private.h"

#include "engine/base/escape.h"
#include "engine/base/words.h"

#include <string.h>

#define MAX_TOKEN_BYTES 160 /* size of a word; a sequence of the longest key names fits */
#define PLACE "%s:%u: "

/* State of one text while it is read. */
struct reader {
	struct keymap *keymap;
	const char *file; /* escaped */
	int text;
	unsigned int line;
	int context;
	size_t first_problem; /* index of the first problem of this text */
	bool has_bound; /* a key was bound or unbound: too late for include */
	bool included; /* true for a text that another one includes */
};

/* A word of a line. */
struct token {
	char text[MAX_TOKEN_BYTES];
	bool is_broken; /* too long, an unclosed quote, or invalid bytes */
};

static void parse_text(struct reader *reader, const char *text, size_t len);

/* Return the likely intended name; the beginning of a name counts as near. NULL: none. */
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

/* True after too many problems: the text is probably not a keymap. */
static bool gave_up(const struct reader *reader)
{
	return reader->keymap->problem_count - reader->first_problem >= KEYMAP_MAX_PROBLEMS;
}

static void complain_of(struct reader *reader, const char *what, const char *typed,
			const char *nearest)
{
	char shown[MAX_TOKEN_BYTES * 4 + 1];

	escape_name(shown, sizeof(shown), typed);
	if (nearest)
		keymap_complain(reader->keymap, PLACE "unknown %s \"%s\" (nearest: %s)",
				reader->file, reader->line, what, shown, nearest);
	else
		keymap_complain(reader->keymap, PLACE "unknown %s \"%s\"", reader->file,
				reader->line, what, shown);
}

/* ---- binding ---- */

static const char *action_of(const struct reader *reader, const struct keymap_binding *binding)
{
	return reader->keymap->names->actions[binding->action];
}

/* Report two conflicting lines of one text. */
static void complain_of_clash(struct reader *reader, const struct keymap_binding *old,
			      const struct keystrokes *keys, int action)
{
	char before[KEYSTROKES_BYTES], now[KEYSTROKES_BYTES];

	keystrokes_format(before, &old->keys);
	keystrokes_format(now, keys);
	if (!keystrokes_equal(&old->keys, keys))
		keymap_complain(reader->keymap,
				PLACE "%s conflicts with %s (%s, line %u), which is now unbound",
				reader->file, reader->line, now, before, action_of(reader, old),
				old->line);
	else if (old->action == action)
		keymap_complain(reader->keymap, PLACE "%s is already bound to %s, in line %u",
				reader->file, reader->line, now, action_of(reader, old), old->line);
	else
		keymap_complain(reader->keymap,
				PLACE "%s is also bound to %s in line %u; this line applies",
				reader->file, reader->line, now, action_of(reader, old), old->line);
}

static void bind(struct reader *reader, int action, const struct keystrokes *keys)
{
	struct keymap *keymap = reader->keymap;
	struct keymap_binding binding = {
		.keys = *keys,
		.context = reader->context,
		.action = action,
		.text = reader->text,
		.line = reader->line,
	};

	for (size_t i = keymap->count; i-- > 0;) {
		struct keymap_binding *old = &keymap->bindings[i];

		if (old->context != reader->context ||
		    (!keystrokes_equal(&old->keys, keys) && !keystrokes_begins(&old->keys, keys) &&
		     !keystrokes_begins(keys, &old->keys)))
			continue;
		if (old->text == reader->text)
			complain_of_clash(reader, old, keys, action);
		keymap_remove(keymap, old);
	}
	if (!keymap_append(keymap, &binding))
		keymap_complain(keymap, PLACE "more than %d bindings", reader->file, reader->line,
				KEYMAP_MAX_BINDINGS);
}

static void unbind(struct reader *reader, const struct keystrokes *keys)
{
	struct keymap *keymap = reader->keymap;

	for (size_t i = keymap->count; i-- > 0;) {
		struct keymap_binding *old = &keymap->bindings[i];

		if (old->context == reader->context &&
		    (keystrokes_equal(&old->keys, keys) || keystrokes_begins(keys, &old->keys)))
			keymap_remove(keymap, old);
	}
}

/* ---- words and lines ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Return the end of the word at `at`; a quoted word can contain blanks. */
static const char *token_end(const char *at, const char *end, bool *is_broken)
{
	const char *closing;

	if (*at == '"' && end - at > 1 && !is_blank(at[1])) {
		closing = memchr(at + 1, '"', (size_t)(end - at - 1));
		if (closing && (closing + 1 == end || is_blank(closing[1])))
			return closing + 1;
		*is_broken = true;
		return end;
	}
	while (at < end && !is_blank(*at))
		at++;
	return at;
}

/* Read the next word of a line; false at its end or at a comment. */
static bool next_token(const char **at, const char *end, struct token *token)
{
	const char *start = *at;
	size_t len;

	token->is_broken = false;
	while (start < end && is_blank(*start))
		start++;
	if (start == end || *start == '#')
		return false;
	*at = token_end(start, end, &token->is_broken);
	len = (size_t)(*at - start);
	if (len >= MAX_TOKEN_BYTES) {
		token->is_broken = true;
		len = MAX_TOKEN_BYTES - 1;
	}
	memcpy(token->text, start, len);
	token->text[len] = '\0';
	/* A NUL byte would hide the bytes after it. */
	if (strlen(token->text) != len)
		token->is_broken = true;
	return true;
}

static void read_keys(struct reader *reader, int action, const char *at, const char *end)
{
	struct token token;
	int keys = 0;

	for (; !gave_up(reader) && next_token(&at, end, &token); keys++) {
		struct keystrokes sequence;

		if (token.is_broken || keystrokes_parse(token.text, &sequence))
			complain_of(reader, "key", token.text, NULL);
		else if (action == KEYMAP_NONE)
			unbind(reader, &sequence);
		else
			bind(reader, action, &sequence);
	}
	if (!keys)
		keymap_complain(reader->keymap, PLACE "no key: write %s KEY [KEY...]", reader->file,
				reader->line,
				action == KEYMAP_NONE ? "unbind"
						      : reader->keymap->names->actions[action]);
}

static void read_section(struct reader *reader, struct token *token, const char *at,
			 const char *end)
{
	const struct keymap_names *names = reader->keymap->names;
	size_t len = strlen(token->text);
	struct token rest;
	int found;

	if (token->is_broken || token->text[len - 1] != ']' || next_token(&at, end, &rest)) {
		keymap_complain(reader->keymap, PLACE "a section is one word in brackets: [%s]",
				reader->file, reader->line, names->contexts[0]);
		reader->context = -1;
		return;
	}
	token->text[len - 1] = '\0';
	found = find_name(names->contexts, names->context_count, token->text + 1);
	if (found < 0)
		complain_of(reader, "section", token->text + 1,
			    find_nearest(names->contexts, names->context_count, token->text + 1));
	/* The lines of an unknown section apply to no context. */
	reader->context = found;
}

static const struct keymap_text *find_text(const struct keymap_names *names, const char *name)
{
	for (int i = 0; i < names->text_count; i++)
		if (!strcmp(names->texts[i].name, name))
			return &names->texts[i];
	return NULL;
}

static void begin(struct reader *reader, const char *file)
{
	reader->text = keymap_begin_text(reader->keymap, file);
	reader->file = reader->keymap->files[reader->text];
}

static void include_text(struct reader *reader, const struct keymap_text *text)
{
	struct reader other = { .keymap = reader->keymap,
				.included = true,
				.first_problem = reader->first_problem };

	begin(&other, text->name);
	parse_text(&other, text->text, *text->len);
}

static void include(struct reader *reader, const char *at, const char *end)
{
	const struct keymap_names *names = reader->keymap->names;
	const struct keymap_text *found;
	struct token token, rest;

	if (!next_token(&at, end, &token) || next_token(&at, end, &rest)) {
		keymap_complain(reader->keymap, PLACE "expected include and the name of a keymap",
				reader->file, reader->line);
		return;
	}
	found = token.is_broken ? NULL : find_text(names, token.text);
	if (!found || reader->included) {
		complain_of(reader, "keymap", token.text, NULL);
	} else if (reader->has_bound) {
		keymap_complain(reader->keymap,
				PLACE "include must precede all bindings: it would override them",
				reader->file, reader->line);
	} else {
		reader->keymap->count = 0;
		include_text(reader, names->texts);
		if (found != names->texts)
			include_text(reader, found);
	}
}

static void read_action(struct reader *reader, const struct token *token, const char *at,
			const char *end)
{
	const struct keymap_names *names = reader->keymap->names;
	int found = token->is_broken ? -1
				     : find_name(names->actions, names->action_count, token->text);

	if (found < 0)
		complain_of(reader, "action", token->text,
			    find_nearest(names->actions, names->action_count, token->text));
	else if (reader->context >= 0 && names->fits && !names->fits(reader->context, found))
		keymap_complain(reader->keymap, PLACE "%s does nothing in [%s]", reader->file,
				reader->line, token->text, names->contexts[reader->context]);
	else if (reader->context >= 0)
		read_keys(reader, found, at, end);
	reader->has_bound = true;
}

static void read_line(struct reader *reader, const char *at, const char *end)
{
	struct token token, rest;

	if (!next_token(&at, end, &token))
		return;
	if (token.text[0] == '[') {
		read_section(reader, &token, at, end);
	} else if (!token.is_broken && !strcmp(token.text, "unbind")) {
		if (reader->context >= 0)
			read_keys(reader, KEYMAP_NONE, at, end);
		reader->has_bound = true;
	} else if (!token.is_broken && !strcmp(token.text, "unbind-all")) {
		if (next_token(&at, end, &rest))
			keymap_complain(reader->keymap, PLACE "unbind-all takes no keys",
					reader->file, reader->line);
		else
			reader->keymap->count = 0;
	} else if (!token.is_broken && !strcmp(token.text, "include")) {
		include(reader, at, end);
	} else {
		read_action(reader, &token, at, end);
	}
}

static void parse_text(struct reader *reader, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		reader->line++;
		if (reader->line > KEYMAP_MAX_LINES) {
			keymap_complain(reader->keymap,
					PLACE "more than %d lines: the rest is ignored",
					reader->file, reader->line, KEYMAP_MAX_LINES);
			return;
		}
		read_line(reader, text, newline ? newline : end);
		if (gave_up(reader)) {
			keymap_complain(reader->keymap, PLACE "%d errors: the rest is ignored",
					reader->file, reader->line, KEYMAP_MAX_PROBLEMS);
			return;
		}
		text = newline ? newline + 1 : end;
	}
}

int keymap_parse(struct keymap *keymap, const char *file, const char *text, size_t len)
{
	struct reader reader = { .keymap = keymap, .first_problem = keymap->problem_count };

	begin(&reader, file);
	parse_text(&reader, text, len);
	return (int)(keymap->problem_count - reader.first_problem);
}
