/* history - lines typed before, newest last, no neighbour twice; bounded. UI thread only. */
#ifndef WIDGETS_HISTORY_H
#define WIDGETS_HISTORY_H

#include <stddef.h>

#define HISTORY_MAX 200

struct history {
	char **lines;
	size_t count, capacity;
};

void history_init(struct history *history);
void history_release(struct history *history);
void history_add(struct history *history, const char *line); /* empty lines are not kept */
/* The index-th newest (0: the last typed), NULL past the oldest. Borrowed. */
const char *history_get(const struct history *history, size_t index);

#endif
