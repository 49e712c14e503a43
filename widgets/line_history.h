/* line_history - lines typed before, newest last, no neighbour twice; bounded. UI thread only. */
#ifndef WIDGETS_LINE_HISTORY_H
#define WIDGETS_LINE_HISTORY_H

#include <stddef.h>

#define LINE_HISTORY_MAX 200

struct line_history {
	char **lines;
	size_t count, capacity;
};

void line_history_init(struct line_history *history);
void line_history_release(struct line_history *history);
/* Empty lines are not kept. */
void line_history_add(struct line_history *history, const char *line);
/* The index-th newest (0: the last typed), NULL past the oldest. Borrowed. */
const char *line_history_get(const struct line_history *history, size_t index);

#endif
