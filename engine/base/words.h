/*
 * words - how alike two words are, for "did you mean", and which there are. Any thread.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Insertions, deletions, replacements and swaps of neighbours that make b of a
 * (optimal string alignment). Words above 63 bytes are as far apart as they are long.
 */
size_t words_distance(const char *a, size_t a_len, const char *b, size_t b_len);

/*
 * The nearest of many words to one that nobody knows:
 *
 *	struct words_nearest nearest = words_nearest_to("raed", 4);
 *	words_nearest_offer(&nearest, "read");
 *	puts(nearest.found ? nearest.found : "no idea");
 */
struct words_nearest {
	const char *found; /* borrowed from what was offered; NULL: nothing is near */
	const char *word;
	size_t len, distance;
};

struct words_nearest words_nearest_to(const char *word, size_t len);
void words_nearest_offer(struct words_nearest *nearest, const char *candidate);

/* Whether word, which is not empty, is one of those between the blanks of words. */
bool words_has(const char *words, const char *word);

#endif
