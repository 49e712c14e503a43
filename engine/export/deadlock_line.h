/*
 * deadlock_line - a deadlock as one line of text or JSON, as specified in stxtop(1).
 *
 * Names are already escaped for display. Any thread.
 */
#ifndef EXPORT_DEADLOCK_LINE_H
#define EXPORT_DEADLOCK_LINE_H

#include "engine/base/str.h"

#include <stdint.h>

struct deadlock_line_wait {
	uint32_t tid;
	const char *comm;
	uint64_t uaddr;
	uint32_t owner; /* tid of the next entry or, in the last entry, of the first */
};

/* left_out: number of further threads of the cycle, not in `waits`. */
void deadlock_line_add_text(struct str *out, const struct deadlock_line_wait *waits, size_t count,
			    size_t left_out);
void deadlock_line_add_json(struct str *out, const struct deadlock_line_wait *waits, size_t count);

#endif
