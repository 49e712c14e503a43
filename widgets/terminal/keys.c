#include "widgets/terminal/keys.h"

#include "engine/base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A key can have several names; the first one is used for output. */
static const struct {
	const char *name;
	uint32_t code;
} named[] = {
	{ "Enter", KEYS_ENTER }, { "Return", KEYS_ENTER },  { "Esc", KEYS_ESC },
	{ "Escape", KEYS_ESC },  { "Tab", KEYS_TAB },       { "Backspace", KEYS_BACKSPACE },
	{ "Del", KEYS_DEL },     { "Delete", KEYS_DEL },    { "Ins", KEYS_INS },
	{ "Insert", KEYS_INS },  { "Up", KEYS_UP },         { "Down", KEYS_DOWN },
	{ "Left", KEYS_LEFT },   { "Right", KEYS_RIGHT },   { "Home", KEYS_HOME },
	{ "End", KEYS_END },     { "PgUp", KEYS_PGUP },     { "PageUp", KEYS_PGUP },
	{ "PgDn", KEYS_PGDN },   { "PageDown", KEYS_PGDN }, { "Space", ' ' },
	{ "Hash", '#' },         { "Quote", '"' },
};

static const struct {
	const char *prefix;
	uint8_t mod;
} modifiers[] = {
	{ "Ctrl-", KEY_MOD_CTRL },
	{ "Alt-", KEY_MOD_ALT },
	{ "Shift-", KEY_MOD_SHIFT },
};

#define NAMED_COUNT (sizeof(named) / sizeof(named[0]))
#define MODIFIER_COUNT (sizeof(modifiers) / sizeof(modifiers[0]))

static bool parse_function_key(const char *name, uint32_t *code)
{
	char *end;
	unsigned long number;

	if ((name[0] != 'F' && name[0] != 'f') || name[1] < '1' || name[1] > '9')
		return false;
	number = strtoul(name + 1, &end, 10);
	if (*end || number > 24)
		return false;
	*code = KEYS_F1 + (uint32_t)number - 1;
	return true;
}

static bool parse_code(const char *name, uint32_t *code)
{
	size_t len = strlen(name);

	/* A character is its own name; control characters have names instead. */
	if (len && utf8_decode(name, len, code) == len)
		return *code > ' ' && (*code < 0x7f || *code >= 0xa0);
	for (size_t i = 0; i < NAMED_COUNT; i++) {
		if (!strcasecmp(name, named[i].name)) {
			*code = named[i].code;
			return true;
		}
	}
	return parse_function_key(name, code);
}

/* Terminals send the same byte for Ctrl with the letter and for the named key. */
static const struct {
	char letter;
	uint32_t code;
} dedup[] = {
	{ 'i', KEYS_TAB },
	{ 'm', KEYS_ENTER },
	{ '[', KEYS_ESC },
};

/* Convert the spellings of a key to one value. False: no terminal sends the key. */
static bool normalise(struct key *key)
{
	bool is_text = key->code < KEYS_ENTER;

	if (is_text && (key->mods & KEY_MOD_SHIFT)) {
		if (key->code < 'a' || key->code > 'z')
			return false;
		key->code -= 'a' - 'A';
		key->mods &= (uint8_t)~KEY_MOD_SHIFT;
	}
	if (is_text && (key->mods & KEY_MOD_CTRL)) {
		if (key->code >= 'A' && key->code <= 'Z')
			key->code += 'a' - 'A';
		for (size_t i = 0; i < sizeof(dedup) / sizeof(dedup[0]); i++) {
			if (key->code == (uint32_t)dedup[i].letter) {
				key->code = dedup[i].code;
				key->mods &= (uint8_t)~KEY_MOD_CTRL;
				return true;
			}
		}
		/* With Ctrl, terminals send only keys that have an ASCII control character. */
		return (key->code >= 'a' && key->code <= 'z') || key->code == ' ' ||
		       (key->code < 0x7f && strchr("\\]^_", (int)key->code));
	}
	return true;
}

int key_parse(const char *name, struct key *key)
{
	struct key parsed = { 0, 0 };
	size_t i;

	do {
		for (i = 0; i < MODIFIER_COUNT; i++) {
			size_t len = strlen(modifiers[i].prefix);

			if (!strncasecmp(name, modifiers[i].prefix, len) && name[len]) {
				parsed.mods |= modifiers[i].mod;
				name += len;
				break;
			}
		}
	} while (i < MODIFIER_COUNT);
	if (!parse_code(name, &parsed.code) || !normalise(&parsed))
		return -EINVAL;
	*key = parsed;
	return 0;
}

static void format_code(char *out, size_t out_bytes, uint32_t code)
{
	char text[5] = "";

	for (size_t i = 0; i < NAMED_COUNT; i++) {
		if (code == named[i].code) {
			snprintf(out, out_bytes, "%s", named[i].name);
			return;
		}
	}
	if (code >= KEYS_F1 && code <= KEYS_F24) {
		snprintf(out, out_bytes, "F%u", code - KEYS_F1 + 1);
		return;
	}
	if (code > ' ' && code != 0x7f && code < KEYS_ENTER)
		utf8_encode(code, text);
	snprintf(out, out_bytes, "%s", text[0] ? text : "?");
}

char *key_format(char out[KEY_NAME_BYTES], struct key key)
{
	char code[16];

	/* Write Ctrl-L as on keyboards and in manuals, although the value is lower case. */
	format_code(code, sizeof(code),
		    (key.mods & KEY_MOD_CTRL) && key.code >= 'a' && key.code <= 'z'
			    ? key.code - ('a' - 'A')
			    : key.code);
	snprintf(out, KEY_NAME_BYTES, "%s%s%s%s", key.mods & KEY_MOD_CTRL ? "Ctrl-" : "",
		 key.mods & KEY_MOD_ALT ? "Alt-" : "", key.mods & KEY_MOD_SHIFT ? "Shift-" : "",
		 code);
	return out;
}

char *key_format_short(char out[KEY_NAME_BYTES], struct key key)
{
	if (key.mods == KEY_MOD_CTRL && key.code >= 'a' && key.code <= 'z') {
		snprintf(out, KEY_NAME_BYTES, "^%c", (char)(key.code - 'a' + 'A'));
		return out;
	}
	return key_format(out, key);
}
