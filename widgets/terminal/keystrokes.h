/*
 * keystrokes - a sequence of keys with one meaning: gg, or Ctrl-X Ctrl-C. A single key is a
 * sequence of one. Any thread.
 *
 * A name is one word of a keymap:
 *	q  Ctrl-L            a key, as keys.h names it
 *	gg  ZZ               two characters in succession
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
/* Append a key. False: the sequence is full. */
bool keystrokes_add(struct keystrokes *sequence, struct key key);

bool keystrokes_equal(const struct keystrokes *a, const struct keystrokes *b);
/* True if `whole` begins with `part` and is longer. */
bool keystrokes_begins(const struct keystrokes *part, const struct keystrokes *whole);

/* Parse a name. 0, or -EINVAL if it is not a sequence; then *sequence is unchanged. */
int keystrokes_parse(const char *name, struct keystrokes *sequence);
/* Write the form that keystrokes_parse() reads; return out. */
char *keystrokes_format(char out[KEYSTROKES_BYTES], const struct keystrokes *sequence);
/* For display only, as key_format_short(): ^X^C, ^Xo, gg. */
char *keystrokes_format_short(char out[KEYSTROKES_BYTES], const struct keystrokes *sequence);

#endif
