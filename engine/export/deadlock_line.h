/*
 * deadlock_line - a deadlock as one line of text or JSON: the contract is in stxtop(1).
 *
 * Names are escaped for people already. Any thread.
 */
#ifndef EXPORT_DEADLOCK_LINE_H
#define EXPORT_DEADLOCK_LINE_H

#include "engine/base/str.h"

#include <stdint.h>

struct deadlock_line_wait {
	uint32_t tid;
	const char *comm;
	uint64_t uaddr;
	uint32_t owner; /* the next one's tid, the last one's the first's */
};

/* left_out: how many more threads the cycle has that are not in waits. */
void deadlock_line_add_text(struct str *out, const struct deadlock_line_wait *waits, size_t count,
			    size_t left_out);
void deadlock_line_add_json(struct str *out, const struct deadlock_line_wait *waits, size_t count);

#endif
