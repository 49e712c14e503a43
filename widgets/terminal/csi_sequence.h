/*
 * csi_sequence - what stands behind Esc [ or Esc O (ECMA-48: parameters, intermediates, a final
 * byte), and the keys that xterm and its like send so, whatever terminfo says. Any thread.
 */
#ifndef TERMINAL_CSI_SEQUENCE_H
#define TERMINAL_CSI_SEQUENCE_H

#include "widgets/terminal/keys.h"

#define KEY_SEQUENCE_NUMBERS 4

struct key_sequence {
	int numbers[KEY_SEQUENCE_NUMBERS]; /* at most 999,999; those not given are 0 */
	int count; /* one more than there is room for: there were more */
	char leader; /* '<' and the like before the numbers, or 0 */
	char final;
};

enum key_sequence_state {
	KEY_SEQUENCE_WHOLE,
	KEY_SEQUENCE_CUT, /* it may go on */
	KEY_SEQUENCE_NONE, /* the bytes read are none */
};

/* Reads *read bytes: the sequence, or what of it there was before something else began. */
enum key_sequence_state key_sequence_read(struct key_sequence *sequence, const unsigned char *bytes,
					  size_t len, size_t *read);

/* xterm's modifier parameter: 1 + (1 Shift, 2 Alt, 4 Ctrl); Meta (8) is taken as Alt. */
uint8_t key_sequence_mods(int parameter);

/* False: it is no key that is known. */
bool key_sequence_key(const struct key_sequence *sequence, struct key *key);

#endif
