/*
 * words - how alike two words are, for "did you mean". Any thread.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stddef.h>

/*
 * Insertions, deletions, replacements and swaps of neighbours that make b of a
 * (optimal string alignment). Words above 63 bytes are as far apart as they are long.
 */
size_t words_distance(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
