/*
 * utf8 - characters and their width in terminal columns.
 *
 * Bytes come from anywhere: malformed, overlong and surrogate sequences are
 * never taken for characters. Widths come from wcwidth(3), so the locale must
 * have been set. Any thread.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Decodes the character that begins at text[0]. Returns its length in bytes
 * (1..4) and sets *code, or returns 0 where no valid character begins (len is
 * 0 or the bytes are malformed).
 */
size_t utf8_decode(const char *text, size_t len, uint32_t *code);

/* Writes code as UTF-8 to out[4] and returns its length; 0 if it is no character. */
size_t utf8_encode(uint32_t code, char out[4]);

/* Columns of one character: 0 (combining), 1 or 2; -1 if it must not be shown raw. */
int utf8_width(uint32_t code);

/* Columns of a whole string; bytes that are no character count as one each. */
int utf8_text_width(const char *text, size_t len);

/* The number of bytes that fit in max_cols columns, cut between characters. */
size_t utf8_fit(const char *text, size_t len, int max_cols);

#endif
