/*
 * perf_cursor - the unread bytes of a record; never reads past their end.
 *
 * Borrows from the record. One thread.
 */
#ifndef PERF_PERF_CURSOR_H
#define PERF_PERF_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct perf_cursor {
	const unsigned char *at;
	size_t left;
};

/* Return the next bytes; NULL if fewer are left. */
static inline const void *perf_cursor_take(struct perf_cursor *cursor, size_t bytes)
{
	const unsigned char *at = cursor->at;

	if (bytes > cursor->left)
		return NULL;
	cursor->at += bytes;
	cursor->left -= bytes;
	return at;
}

static inline bool perf_cursor_u64(struct perf_cursor *cursor, uint64_t *value)
{
	const void *at = perf_cursor_take(cursor, sizeof(*value));

	if (at)
		memcpy(value, at, sizeof(*value));
	return at;
}

/* Return the string at the cursor; NULL if it does not end within the unread bytes. */
static inline const char *perf_cursor_text(const struct perf_cursor *cursor)
{
	return cursor->left && memchr(cursor->at, '\0', cursor->left) ? (const char *)cursor->at
								      : NULL;
}

#endif
