/*
 * section_cursor - a bounded reader over one feature section of a perf.data file.
 *
 * A read past the end returns NULL or 0, and so do all later reads. Borrows the bytes. Any thread.
 */
#ifndef RECORDING_SECTION_CURSOR_H
#define RECORDING_SECTION_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct section_cursor {
	const char *at, *end;
	bool broken;
};

static inline const char *section_take(struct section_cursor *cursor, uint64_t bytes)
{
	const char *at = cursor->at;

	if (cursor->broken || bytes > (uint64_t)(cursor->end - cursor->at)) {
		cursor->broken = true;
		return NULL;
	}
	cursor->at += bytes;
	return at;
}

static inline uint64_t section_take_number(struct section_cursor *cursor, size_t bytes)
{
	uint64_t value = 0;
	const char *at = section_take(cursor, bytes);

	if (at)
		memcpy(&value, at, bytes); /* little-endian, as the file's magic shows */
	return value;
}

static inline const char *section_take_string(struct section_cursor *cursor)
{
	const char *start = cursor->at;
	const char *end = cursor->broken ? NULL
					 : memchr(start, '\0', (size_t)(cursor->end - start));

	if (!end) {
		cursor->broken = true;
		return NULL;
	}
	cursor->at = end + 1;
	return start;
}

/* Take a text: 4 bytes of length, then its bytes. *len: bytes before the first NUL. */
static inline const char *section_take_text(struct section_cursor *cursor, size_t *len)
{
	uint64_t bytes = section_take_number(cursor, 4);
	const char *text = section_take(cursor, bytes);

	*len = text ? strnlen(text, bytes) : 0;
	return text;
}

#endif
