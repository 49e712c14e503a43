#include "tui/view/totals_order.h"

#include <stdlib.h>

struct order {
	enum totals_column column;
	bool descending;
	bool by_text; /* keys are text prefixes: if equal, compare the texts */
};

/*
 * Order rows with equal values by id. Ids of comms and control groups differ from run to run, so
 * rows that differ in no other number are sorted by name first.
 */
static int compare_equals(const struct totals_order *left, const struct totals_order *right)
{
	const struct engine_row *one = left->row, *other = right->row;

	if (one->pid == other->pid && one->tid == other->tid && one->nr == other->nr &&
	    one->uid == other->uid) {
		int order = totals_compare(one, other, TOTALS_NAME);

		if (order)
			return order;
	}
	return (left->id > right->id) - (left->id < right->id);
}

static int compare(const void *a, const void *b, void *data)
{
	const struct order *order = data;
	const struct totals_order *left = a, *right = b;
	int result = (left->key > right->key) - (left->key < right->key);

	if (left->late != right->late)
		return left->late ? 1 : -1;
	if (!result && order->by_text)
		result = totals_compare(left->row, right->row, order->column);
	if (result)
		return order->descending ? -result : result;
	return compare_equals(left, right);
}

/* Return the first 8 bytes as a number that sorts like strcmp(). */
static uint64_t text_key(const char *text)
{
	uint64_t key = 0;

	for (int i = 0; i < 8; i++) {
		key = key << 8 | (unsigned char)*text;
		text += *text != '\0';
	}
	return key;
}

void totals_order_sort(struct totals_order *ranks, size_t count, enum totals_column column,
		       bool descending)
{
	struct order order = { .column = column, .descending = descending };

	for (size_t i = 0; i < count; i++) {
		if (totals_key(ranks[i].row, column, &ranks[i].key))
			continue;
		order.by_text = true;
		ranks[i].key = text_key(totals_text(ranks[i].row, column));
	}
	if (count)
		qsort_r(ranks, count, sizeof(*ranks), compare, &order);
}
