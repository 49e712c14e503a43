/*
 * capture_chunks - reads the chunks of capture.h; input is untrusted and bounds are checked.
 */
#ifndef RECORD_CAPTURE_CHUNKS_H
#define RECORD_CAPTURE_CHUNKS_H

#include "engine/record/capture.h"

#include <stdbool.h>
#include <stddef.h>

/* Find the chunk that holds `address`, and its bytes. False if no chunk does. */
bool capture_chunks_find(const void *chunks, size_t len, uint64_t address, bool at_exit,
			 struct capture_chunk *chunk, const uint8_t **bytes);
/* Copy len bytes at `address` from one chunk. False if the chunk has fewer. */
bool capture_chunks_read(const void *chunks, size_t chunks_len, uint64_t address, bool at_exit,
			 void *to, size_t len);
/* Return the text at `address`: without its NUL, borrowed, not terminated. False if unknown. */
bool capture_chunks_text(const void *chunks, size_t chunks_len, uint64_t address, bool at_exit,
			 const char **text, size_t *len);

/* Return the time by which the late reads were complete (CAPTURE_TIME); 0: no such chunk. */
uint64_t capture_chunks_read_ns(const void *chunks, size_t len);
/* Return the next raw chunk, including header and padding; NULL at the end. */
const void *capture_chunks_next(const void **at, size_t *left, struct capture_chunk *chunk,
				size_t *whole);

/*
 * Return the struct capture_file of a descriptor with the names behind it: *len bytes, unaligned.
 * NULL if there is none.
 */
const uint8_t *capture_chunks_file(const void *chunks, size_t chunks_len, int fd, size_t *len);

#endif
