#include "widgets/line_history.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void line_history_init(struct line_history *history)
{
	*history = (struct line_history){ .lines = NULL };
}

void line_history_release(struct line_history *history)
{
	for (size_t i = 0; i < history->count; i++)
		free(history->lines[i]);
	free(history->lines);
	line_history_init(history);
}

void line_history_add(struct line_history *history, const char *line)
{
	if (!*line || (history->count && !strcmp(history->lines[history->count - 1], line)))
		return;
	if (history->count == LINE_HISTORY_MAX) {
		free(history->lines[0]);
		history->count--;
		memmove(history->lines, history->lines + 1,
			history->count * sizeof(*history->lines));
	}
	history->lines = mem_grow(history->lines, &history->capacity, history->count + 1,
				  sizeof(*history->lines));
	history->lines[history->count++] = mem_strdup(line);
}

const char *line_history_get(const struct line_history *history, size_t index)
{
	return index < history->count ? history->lines[history->count - 1 - index] : NULL;
}
