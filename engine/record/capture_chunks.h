/*
 * capture_chunks - reads what capture.h describes, which may be anything: bounds are checked.
 */
#ifndef RECORD_CAPTURE_CHUNKS_H
#define RECORD_CAPTURE_CHUNKS_H

#include "engine/record/capture.h"

#include <stdbool.h>
#include <stddef.h>

/* The chunk that holds `address`, with its bytes; false: none does. */
bool capture_chunks_find(const void *chunks, size_t len, uint64_t address, bool at_exit,
			 struct capture_chunk *chunk, const uint8_t **bytes);
/* Copies what one chunk has from `address` on, len bytes of it; false: it has not so much. */
bool capture_chunks_read(const void *chunks, size_t chunks_len, uint64_t address, bool at_exit,
			 void *to, size_t len);
/* The text at `address` without its NUL, borrowed, not terminated; false: not known. */
bool capture_chunks_text(const void *chunks, size_t chunks_len, uint64_t address, bool at_exit,
			 const char **text, size_t *len);

/* When those that were read from the process's memory had been read; 0: none was. */
uint64_t capture_chunks_read_ns(const void *chunks, size_t len);
/* The next chunk, header and padding included, as it stands there; NULL: there is none. */
const void *capture_chunks_next(const void **at, size_t *left, struct capture_chunk *chunk,
				size_t *whole);

/*
 * What is told of a descriptor itself: a struct capture_file and the names behind it, *len bytes,
 * not aligned. NULL: nothing is.
 */
const uint8_t *capture_chunks_file(const void *chunks, size_t chunks_len, int fd, size_t *len);

#endif
