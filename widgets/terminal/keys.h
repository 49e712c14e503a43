/*
 * keys - keys of the keyboard and their names.
 * A key is a Unicode character or one of enum key_code, with modifiers. Names as people
 * write them: a A / F1 Enter Esc Tab Shift-Tab Space Ctrl-L Alt-x PgUp Ctrl-Left Hash (#)
 * Quote (").
 * One key has one spelling as a value: Shift is part of the character for characters (A, not
 * Shift-a), Ctrl keeps lower case letters, and Ctrl-I is Tab because terminals send the same.
 * Names are read in any case but for single letters.
 * Any thread.
 */
#ifndef TERMINAL_KEYS_H
#define TERMINAL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_code {
	KEYS_ENTER = 0x110000, /* the first number that is no Unicode character */
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
	KEYS_F1, /* F1 to F24 follow each other */
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

/* Whether the key stands for a character that a prompt would insert. */
static inline bool key_is_text(struct key key)
{
	return key.code >= ' ' && key.code < KEYS_ENTER && key.code != 127 && !key.mods;
}

/* 0, or -EINVAL when name is no key; then *key is untouched. */
int key_parse(const char *name, struct key *key);
char *key_format(char out[KEY_NAME_BYTES], struct key key); /* returns out */
/* For the F-bar and tables of keys: as key_format, but "^L" for Ctrl-L. */
char *key_format_short(char out[KEY_NAME_BYTES], struct key key);

#endif
