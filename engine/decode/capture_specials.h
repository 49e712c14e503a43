/*
 * capture_specials - what the decoder's functions read that forms do not say.
 *
 * The table belongs to families/: a form whose function follows a pointer by itself has a
 * line here for each piece that it reads, with the moment of which it asks. Constant data;
 * any thread.
 */
#ifndef DECODE_CAPTURE_SPECIALS_H
#define DECODE_CAPTURE_SPECIALS_H

#include "engine/record/capture.h"

#include <stdbool.h>
#include <stddef.h>

/* Instead of a rule's max: as much as is shown of a string. */
#define CAPTURE_SHOWN 0

struct capture_special {
	const char *call;
	bool at_exit;
	struct capture_rule rule; /* unit 0: 1 */
};

/* In the order in which they are copied; NULL past the last. */
const struct capture_special *capture_special_at(size_t index);

#endif
