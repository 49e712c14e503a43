/*
 * words - finds similar words for "did you mean", and words in a list. Any thread.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Return the optimal string alignment distance: insertions, deletions, replacements and swaps of
 * adjacent characters. If a word exceeds 63 bytes, return the length of the longer one.
 */
size_t words_distance(const char *a, size_t a_len, const char *b, size_t b_len);

/*
 * Find the candidate nearest to an unknown word:
 *
 *	struct words_nearest nearest = words_nearest_to("raed", 4);
 *	words_nearest_offer(&nearest, "read");
 *	puts(nearest.found ? nearest.found : "no idea");
 */
struct words_nearest {
	const char *found; /* points to the nearest candidate; NULL: none is near */
	const char *word;
	size_t len, distance;
};

struct words_nearest words_nearest_to(const char *word, size_t len);
void words_nearest_offer(struct words_nearest *nearest, const char *candidate);

/* True if `word` is one of the blank-separated words. False for an empty word. */
bool words_has(const char *words, const char *word);

#endif
