#include "engine/record/errno_counts.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 2
#define NUMBER_MAX 4095 /* MAX_ERRNO, include/linux/err.h */

void errno_counts_release(struct errno_counts *counts)
{
	free(counts->list);
	memset(counts, 0, sizeof(*counts));
}

static struct errno_count *append(struct errno_counts *counts, uint32_t number)
{
	struct errno_count *added;

	if (counts->len == counts->cap) {
		size_t cap = counts->cap ? (size_t)counts->cap * 2 : FIRST_CAP;

		counts->list = mem_realloc(counts->list, cap, sizeof(*counts->list));
		counts->cap = (uint16_t)cap;
	}
	added = &counts->list[counts->len++];
	*added = (struct errno_count){ .number = number };
	return added;
}

void errno_counts_add(struct errno_counts *counts, uint32_t number, uint64_t count)
{
	if (number > NUMBER_MAX)
		number = ERRNO_COUNTS_UNKNOWN;
	for (size_t i = 0; i < counts->len; i++) {
		if (counts->list[i].number == number) {
			counts->list[i].count += count;
			return;
		}
	}
	append(counts, number)->count = count;
}

void errno_counts_merge(struct errno_counts *into, const struct errno_counts *from)
{
	for (size_t i = 0; i < from->len; i++)
		errno_counts_add(into, from->list[i].number, from->list[i].count);
}

static int compare(const void *a, const void *b)
{
	const struct errno_count *one = a, *other = b;

	if (one->count != other->count)
		return one->count > other->count ? -1 : 1;
	return (one->number > other->number) - (one->number < other->number);
}

size_t errno_counts_top(const struct errno_counts *counts, struct errno_count *top, size_t max)
{
	size_t reported = counts->len < max ? counts->len : max;
	struct errno_count *sorted;

	if (!counts->len)
		return 0;
	sorted = mem_alloc(counts->len * sizeof(*sorted));
	memcpy(sorted, counts->list, counts->len * sizeof(*sorted));
	qsort(sorted, counts->len, sizeof(*sorted), compare);
	memcpy(top, sorted, reported * sizeof(*top));
	free(sorted);
	return reported;
}
