/*
 * comparison_words - what changed between two recordings, in words. Any thread.
 */
#ifndef COMPARE_COMPARISON_WORDS_H
#define COMPARE_COMPARISON_WORDS_H

#include "tui/compare/comparison.h"

/* The index-th change and its word, NULL past the last. */
const char *comparison_word(size_t index, enum comparison_change *change);

/* "slower 2.4x, newly failing ENOENT 12"; appended, nothing where nothing changed. */
void comparison_add_changes(struct str *out, const struct comparison *comparison,
			    const struct comparison_row *row);
/* How many more calls all processes together made in a second; false: about as many. */
bool comparison_add_rate(struct str *out, const struct comparison *comparison);

#endif
