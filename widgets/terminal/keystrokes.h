/*
 * keystrokes - keys that are pressed one after the other and mean one thing: gg, or
 * Ctrl-X Ctrl-C. A key alone is a sequence of one. Any thread.
 *
 * Names are what a keymap has between two blanks:
 *	q  Ctrl-L            a key, as keys.h names it
 *	gg  ZZ               two characters, one after the other
 *	"Ctrl-X Ctrl-C"      keys in quotes; the key " itself is Quote
 */
#ifndef TERMINAL_KEYSTROKES_H
#define TERMINAL_KEYSTROKES_H

#include "widgets/terminal/keys.h"

#define KEYSTROKES_MAX 4
#define KEYSTROKES_BYTES (KEYSTROKES_MAX * KEY_NAME_BYTES + 2)

struct keystrokes {
	struct key keys[KEYSTROKES_MAX];
	int count;
};

struct keystrokes keystrokes_of(struct key key);
/* False: it has no room for one more. */
bool keystrokes_add(struct keystrokes *sequence, struct key key);

bool keystrokes_equal(const struct keystrokes *a, const struct keystrokes *b);
/* Whether `whole` begins with `part` and goes on. */
bool keystrokes_begins(const struct keystrokes *part, const struct keystrokes *whole);

/* 0, or -EINVAL when name is none; then *sequence is untouched. */
int keystrokes_parse(const char *name, struct keystrokes *sequence);
/* As it is parsed; returns out. */
char *keystrokes_format(char out[KEYSTROKES_BYTES], const struct keystrokes *sequence);
/* For people alone, as in key_format_short: ^X^C, ^Xo, gg. */
char *keystrokes_format_short(char out[KEYSTROKES_BYTES], const struct keystrokes *sequence);

#endif
