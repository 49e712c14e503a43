#include "widgets/terminal/screen_keys.h"

#include "widgets/terminal/csi_sequence.h"

#include <stdio.h>
#include <string.h>

#include <curses.h>
#include <term.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_BYTES 32
#define FUNCTION_KEYS 36

static const struct {
	const char *name; /* in terminfo(5) */
	struct key key;
} named_keys[] = {
	{ "kent", { KEYS_ENTER, 0 } },         { "kbs", { KEYS_BACKSPACE, 0 } },
	{ "kdch1", { KEYS_DEL, 0 } },          { "kich1", { KEYS_INS, 0 } },
	{ "kcuu1", { KEYS_UP, 0 } },           { "kcud1", { KEYS_DOWN, 0 } },
	{ "kcub1", { KEYS_LEFT, 0 } },         { "kcuf1", { KEYS_RIGHT, 0 } },
	{ "khome", { KEYS_HOME, 0 } },         { "kend", { KEYS_END, 0 } },
	{ "kpp", { KEYS_PGUP, 0 } },           { "knp", { KEYS_PGDN, 0 } },
	{ "ka1", { KEYS_HOME, 0 } }, /* the corners of the numeric keypad */
	{ "ka3", { KEYS_PGUP, 0 } },           { "kc1", { KEYS_END, 0 } },
	{ "kc3", { KEYS_PGDN, 0 } },           { "kcbt", { KEYS_TAB, KEY_MOD_SHIFT } },
	{ "kri", { KEYS_UP, KEY_MOD_SHIFT } }, { "kind", { KEYS_DOWN, KEY_MOD_SHIFT } },
};

/* The bare name means Shift. An appended digit is 1 + xterm's modifier bits: kLFT5 is Ctrl-Left. */
static const struct {
	const char *name;
	uint32_t code;
} modified_keys[] = {
	{ "kUP", KEYS_UP },    { "kDN", KEYS_DOWN }, { "kLFT", KEYS_LEFT }, { "kRIT", KEYS_RIGHT },
	{ "kHOM", KEYS_HOME }, { "kEND", KEYS_END }, { "kPRV", KEYS_PGUP }, { "kNXT", KEYS_PGDN },
	{ "kDC", KEYS_DEL },   { "kIC", KEYS_INS },
};

static void add(struct key_string *strings, size_t *count, const char *name, struct key key)
{
	const char *bytes = tigetstr(name);
	unsigned char first = bytes && bytes != (const char *)-1 ? (unsigned char)bytes[0] : 0;
	size_t len;

	if (*count == SCREEN_KEYS_MAX || !first || (first >= ' ' && first != 127))
		return;
	len = strlen(bytes);
	/* Ignore a bare Esc, with which every sequence begins. */
	if (len > MAX_BYTES || !strcmp(bytes, "\033"))
		return;
	strings[(*count)++] = (struct key_string){ bytes, len, key };
}

/* terminfo numbers shifted keys consecutively: F13 is Shift-F1, F25 is Ctrl-F1. */
static struct key function_key(unsigned int number)
{
	static const uint8_t mods[] = { 0, KEY_MOD_SHIFT, KEY_MOD_CTRL };

	return (struct key){ KEYS_F1 + (number - 1) % 12, mods[(number - 1) / 12] };
}

size_t screen_keys_load(struct key_string *strings)
{
	size_t count = 0;
	char name[16];

	for (size_t i = 0; i < COUNT(named_keys); i++)
		add(strings, &count, named_keys[i].name, named_keys[i].key);
	for (unsigned int number = 1; number <= FUNCTION_KEYS; number++) {
		snprintf(name, sizeof(name), "kf%u", number);
		add(strings, &count, name, function_key(number));
	}
	for (size_t i = 0; i < COUNT(modified_keys); i++) {
		struct key key = { modified_keys[i].code, KEY_MOD_SHIFT };

		add(strings, &count, modified_keys[i].name, key);
		for (int digit = 2; digit <= 8; digit++) {
			key.mods = key_sequence_mods(digit);
			snprintf(name, sizeof(name), "%s%d", modified_keys[i].name, digit);
			add(strings, &count, name, key);
		}
	}
	return count;
}
