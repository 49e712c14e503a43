#include "tui/sums_rank.h"

#include <stdlib.h>

struct order {
	enum sums_column column;
	bool descending;
	bool by_text; /* keys are beginnings: equal ones say nothing yet */
};

static int compare(const void *a, const void *b, void *data)
{
	const struct order *order = data;
	const struct sums_rank *left = a, *right = b;
	int result = (left->key > right->key) - (left->key < right->key);

	if (left->late != right->late)
		return left->late ? 1 : -1;
	if (!result && order->by_text)
		result = sums_compare(left->row, right->row, order->column);
	if (result)
		return order->descending ? -result : result;
	return (left->id > right->id) - (left->id < right->id);
}

/* In the order of strcmp(). */
static uint64_t text_key(const char *text)
{
	uint64_t key = 0;

	for (int i = 0; i < 8; i++) {
		key = key << 8 | (unsigned char)*text;
		text += *text != '\0';
	}
	return key;
}

void sums_rank_sort(struct sums_rank *ranks, size_t count, enum sums_column column,
		    bool descending)
{
	struct order order = { .column = column, .descending = descending };

	for (size_t i = 0; i < count; i++) {
		if (sums_key(ranks[i].row, column, &ranks[i].key))
			continue;
		order.by_text = true;
		ranks[i].key = text_key(sums_text(ranks[i].row, column));
	}
	if (count)
		qsort_r(ranks, count, sizeof(*ranks), compare, &order);
}
