/*
 * line_history - previously typed lines, newest last, no adjacent duplicates; bounded. UI thread
 * only.
 */
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
/* Append a copy of line; an empty line is ignored. */
void line_history_add(struct line_history *history, const char *line);
/* Return the index-th newest line (0: the newest), NULL past the oldest. Borrowed. */
const char *line_history_get(const struct line_history *history, size_t index);

#endif
