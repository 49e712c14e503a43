/*
 * comparison_words - changes between two recordings, in words. Any thread.
 */
#ifndef COMPARE_COMPARISON_WORDS_H
#define COMPARE_COMPARISON_WORDS_H

#include "tui/compare/comparison.h"

/* Return the word of the index-th change and set *change; NULL past the last. */
const char *comparison_word(size_t index, enum comparison_change *change);

/* Append "slower 2.4x, newly failing ENOENT 12"; nothing if the row has no changes. */
void comparison_add_changes(struct str *out, const struct comparison *comparison,
			    const struct comparison_row *row);
/* Append how the rate of all calls changed. False: about the same rate. */
bool comparison_add_rate(struct str *out, const struct comparison *comparison);

#endif
