#include "widgets/terminal/keystrokes.h"

#include "engine/base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct keystrokes keystrokes_of(struct key key)
{
	return (struct keystrokes){ .keys = { key }, .count = 1 };
}

bool keystrokes_add(struct keystrokes *sequence, struct key key)
{
	if (sequence->count == KEYSTROKES_MAX)
		return false;
	sequence->keys[sequence->count++] = key;
	return true;
}

static bool same_beginning(const struct keystrokes *a, const struct keystrokes *b, int count)
{
	for (int i = 0; i < count; i++)
		if (!key_equal(a->keys[i], b->keys[i]))
			return false;
	return true;
}

bool keystrokes_equal(const struct keystrokes *a, const struct keystrokes *b)
{
	return a->count == b->count && same_beginning(a, b, a->count);
}

bool keystrokes_begins(const struct keystrokes *part, const struct keystrokes *whole)
{
	return part->count < whole->count && same_beginning(part, whole, part->count);
}

/* Parse "Ctrl-X Ctrl-C", including the quotes. */
static int parse_quoted(const char *name, struct keystrokes *sequence)
{
	struct keystrokes parsed = { .count = 0 };
	const char *at = name + 1 + strspn(name + 1, " ");
	size_t len = strlen(name);

	if (len < 3 || name[len - 1] != '"')
		return -EINVAL;
	while (at < name + len - 1) {
		size_t part = strcspn(at, " \"");
		char text[KEY_NAME_BYTES];
		struct key key;

		if (part >= sizeof(text))
			return -EINVAL;
		memcpy(text, at, part);
		text[part] = '\0';
		if (key_parse(text, &key) || !keystrokes_add(&parsed, key))
			return -EINVAL;
		at += part;
		at += strspn(at, " ");
	}
	if (!parsed.count)
		return -EINVAL;
	*sequence = parsed;
	return 0;
}

/* Parse exactly two characters: with more, every misspelt name would be a sequence. */
static int parse_pair(const char *name, struct keystrokes *sequence)
{
	struct keystrokes parsed = { .count = 2 };
	size_t len = strlen(name), at = 0;

	for (int i = 0; i < 2; i++) {
		char text[5] = "";
		size_t bytes = utf8_decode(name + at, len - at, &parsed.keys[i].code);

		if (!bytes)
			return -EINVAL;
		memcpy(text, name + at, bytes);
		if (*text == '"' || key_parse(text, &parsed.keys[i]))
			return -EINVAL;
		at += bytes;
	}
	if (at != len)
		return -EINVAL;
	*sequence = parsed;
	return 0;
}

int keystrokes_parse(const char *name, struct keystrokes *sequence)
{
	struct key key;

	if (*name == '"' && name[1])
		return parse_quoted(name, sequence);
	if (!key_parse(name, &key)) {
		*sequence = keystrokes_of(key);
		return 0;
	}
	return parse_pair(name, sequence);
}

char *keystrokes_format(char out[KEYSTROKES_BYTES], const struct keystrokes *sequence)
{
	char names[KEYSTROKES_MAX][KEY_NAME_BYTES];
	struct keystrokes parsed;
	size_t used = 0;

	if (sequence->count == 1)
		return key_format(out, sequence->keys[0]);
	for (int i = 0; i < sequence->count; i++)
		key_format(names[i], sequence->keys[i]);
	if (sequence->count == 2) {
		snprintf(out, KEYSTROKES_BYTES, "%s%s", names[0], names[1]);
		if (!keystrokes_parse(out, &parsed) && keystrokes_equal(&parsed, sequence))
			return out;
	}
	out[used++] = '"';
	for (int i = 0; i < sequence->count; i++)
		used += (size_t)snprintf(out + used, KEYSTROKES_BYTES - used, "%s%s", i ? " " : "",
					 names[i]);
	snprintf(out + used, KEYSTROKES_BYTES - used, "\"");
	return out;
}

char *keystrokes_format_short(char out[KEYSTROKES_BYTES], const struct keystrokes *sequence)
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < sequence->count; i++) {
		char name[KEY_NAME_BYTES];

		key_format_short(name, sequence->keys[i]);
		used += (size_t)snprintf(out + used, KEYSTROKES_BYTES - used, "%s", name);
	}
	return out;
}
