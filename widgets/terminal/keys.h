/*
 * keys - keys of the keyboard and their names.
 *
 * A key is a Unicode character or an enum key_code, with modifiers. Names are the usual ones: a A /
 * F1 Enter Esc Tab Shift-Tab Space Ctrl-L Alt-x PgUp Ctrl-Left Hash (#) Quote (").
 *
 * The value of a key is unique: Shift is part of the character (A, not Shift-a), Ctrl uses
 * lower-case letters, and Ctrl-I is Tab because terminals send the same byte. Names are
 * case-insensitive, except single letters. Any thread.
 */
#ifndef TERMINAL_KEYS_H
#define TERMINAL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_code {
	KEYS_ENTER = 0x110000, /* first number beyond Unicode */
	KEYS_ESC,
	KEYS_TAB,
	KEYS_BACKSPACE,
	KEYS_DEL,
	KEYS_INS,
	KEYS_UP,
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_HOME,
	KEYS_END,
	KEYS_PGUP,
	KEYS_PGDN,
	KEYS_F1, /* F1 to F24 are contiguous */
	KEYS_F24 = KEYS_F1 + 23,
};

enum key_mods {
	KEY_MOD_SHIFT = 1 << 0,
	KEY_MOD_ALT = 1 << 1,
	KEY_MOD_CTRL = 1 << 2,
};

struct key {
	uint32_t code; /* a character or enum key_code */
	uint8_t mods; /* enum key_mods */
};

#define KEY_NAME_BYTES 32

static inline bool key_equal(struct key a, struct key b)
{
	return a.code == b.code && a.mods == b.mods;
}

/* True if the key is a character that a prompt inserts. */
static inline bool key_is_text(struct key key)
{
	return key.code >= ' ' && key.code < KEYS_ENTER && key.code != 127 && !key.mods;
}

/* Parse a key name. 0, or -EINVAL if it is not a key; then *key is unchanged. */
int key_parse(const char *name, struct key *key);
char *key_format(char out[KEY_NAME_BYTES], struct key key); /* returns out */
/* As key_format(), but "^L" for Ctrl-L: for the bottom line and tables of keys. */
char *key_format_short(char out[KEY_NAME_BYTES], struct key key);

#endif
