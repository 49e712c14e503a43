#include "engine/decode/constants.h"

#define SCAN 16

const char *constants_name(const struct constants *table, uint64_t value)
{
	const struct constant *list = table->list;
	size_t low = 0, high = table->count;

	if (value < table->count && list[value].value == value)
		return list[value].name;
	if (table->count > SCAN) {
		/* Tables ascend by value; a test verifies this. */
		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (list[middle].value == value)
				return list[middle].name;
			if (list[middle].value < value)
				low = middle + 1;
			else
				high = middle;
		}
		return NULL;
	}
	for (size_t i = 0; i < table->count; i++)
		if (list[i].value == value)
			return list[i].name;
	return NULL;
}
