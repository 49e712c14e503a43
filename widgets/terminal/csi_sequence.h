/*
 * csi_sequence - parses the bytes after Esc [ or Esc O (ECMA-48: parameters, intermediates, a final
 * byte), and maps the key sequences of xterm and compatible terminals, independent of terminfo. Any
 * thread.
 */
#ifndef TERMINAL_CSI_SEQUENCE_H
#define TERMINAL_CSI_SEQUENCE_H

#include "widgets/terminal/keys.h"

#define KEY_SEQUENCE_NUMBERS 4

struct key_sequence {
	int numbers[KEY_SEQUENCE_NUMBERS]; /* at most 999,999; missing ones are 0 */
	int count; /* KEY_SEQUENCE_NUMBERS + 1: more than fit */
	char leader; /* '<' and similar before the numbers, or 0 */
	char final;
};

enum key_sequence_state {
	KEY_SEQUENCE_WHOLE,
	KEY_SEQUENCE_CUT, /* incomplete so far */
	KEY_SEQUENCE_NONE, /* not a sequence */
};

/* Parse the sequence. *read is its length, or the number of bytes before an invalid byte. */
enum key_sequence_state key_sequence_read(struct key_sequence *sequence, const unsigned char *bytes,
					  size_t len, size_t *read);

/* Decode xterm's modifier parameter: 1 + (1 Shift, 2 Alt, 4 Ctrl); Meta (8) counts as Alt. */
uint8_t key_sequence_mods(int parameter);

/* Return false if the key is unknown. */
bool key_sequence_key(const struct key_sequence *sequence, struct key *key);

#endif
