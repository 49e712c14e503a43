/*
 * utf8 - decodes and encodes UTF-8, and measures terminal columns.
 *
 * Input is untrusted: malformed, overlong and surrogate sequences are rejected. Widths come from
 * wcwidth(3), so set the locale first. Any thread.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Decode the character at text[0] into *code. Return its length in bytes (1..4), or 0 if no valid
 * character begins there (len is 0 or the bytes are malformed).
 */
size_t utf8_decode(const char *text, size_t len, uint32_t *code);

/* Encode code into out[4]. Return the length, or 0 if code is not a valid character. */
size_t utf8_encode(uint32_t code, char out[4]);

/* Return the width of a character: 0 (combining), 1 or 2 columns; -1: never show it unescaped. */
int utf8_width(uint32_t code);

/* Return the width of a string. Invalid bytes and characters of width -1 count as one column. */
int utf8_text_width(const char *text, size_t len);

/* Return how many bytes fit into max_cols columns, cut at a character boundary. */
size_t utf8_fit(const char *text, size_t len, int max_cols);

#endif
