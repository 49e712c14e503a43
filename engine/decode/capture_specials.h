/*
 * capture_specials - memory that show functions read and forms do not describe.
 *
 * The table belongs to families/. A form whose function follows a pointer has one line here for
 * each piece of memory that it reads. The line also says whether the function reads at the enter or
 * the exit. Constant data; any thread.
 */
#ifndef DECODE_CAPTURE_SPECIALS_H
#define DECODE_CAPTURE_SPECIALS_H

#include "engine/record/capture.h"

#include <stdbool.h>
#include <stddef.h>

/* Value for .max of a rule: the limit for shown strings. */
#define CAPTURE_SHOWN 0

struct capture_special {
	const char *call;
	bool at_exit;
	struct capture_rule rule; /* unit 0 counts as 1 */
};

/* Return an entry by index from 0, in copy order; NULL past the last. */
const struct capture_special *capture_special_at(size_t index);

#endif
