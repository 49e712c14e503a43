#include "engine/base/words.h"

#include <stdint.h>
#include <string.h>

#define WORD_BYTES 64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t words_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	uint8_t rows[3][WORD_BYTES];
	uint8_t *before = rows[0], *above = rows[1], *row = rows[2];

	if (a_len >= WORD_BYTES || b_len >= WORD_BYTES)
		return a_len > b_len ? a_len : b_len;
	for (size_t j = 0; j <= b_len; j++)
		above[j] = (uint8_t)j;
	for (size_t i = 1; i <= a_len; i++) {
		uint8_t *spare = before;

		row[0] = (uint8_t)i;
		for (size_t j = 1; j <= b_len; j++) {
			size_t cost = a[i - 1] != b[j - 1];
			size_t best = least(above[j - 1] + cost,
					    least(above[j], row[j - 1]) + (size_t)1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = least(best, before[j - 2] + (size_t)1);
			row[j] = (uint8_t)best;
		}
		before = above;
		above = row;
		row = spare;
	}
	return above[b_len];
}

struct words_nearest words_nearest_to(const char *word, size_t len)
{
	/* This initial distance rejects candidates that are too different to be a typo. */
	return (struct words_nearest){ .word = word, .len = len, .distance = len / 3 + 2 };
}

void words_nearest_offer(struct words_nearest *nearest, const char *candidate)
{
	size_t len = strlen(candidate), distance;
	size_t apart = len > nearest->len ? len - nearest->len : nearest->len - len;

	/* The length difference, a lower bound of the distance, rules out most candidates. */
	if (apart >= nearest->distance)
		return;
	distance = words_distance(candidate, len, nearest->word, nearest->len);
	if (distance < nearest->distance) {
		nearest->distance = distance;
		nearest->found = candidate;
	}
}

bool words_has(const char *words, const char *word)
{
	size_t len = strlen(word);
	const char *at = words;

	while (len && (at = strstr(at, word))) {
		if ((at == words || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
		at++;
	}
	return false;
}
