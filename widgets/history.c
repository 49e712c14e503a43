#include "widgets/history.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void history_init(struct history *history)
{
	*history = (struct history){ .lines = NULL };
}

void history_release(struct history *history)
{
	for (size_t i = 0; i < history->count; i++)
		free(history->lines[i]);
	free(history->lines);
	history_init(history);
}

void history_add(struct history *history, const char *line)
{
	if (!*line || (history->count && !strcmp(history->lines[history->count - 1], line)))
		return;
	if (history->count == HISTORY_MAX) {
		free(history->lines[0]);
		history->count--;
		memmove(history->lines, history->lines + 1,
			history->count * sizeof(*history->lines));
	}
	history->lines = mem_grow(history->lines, &history->capacity, history->count + 1,
				  sizeof(*history->lines));
	history->lines[history->count++] = mem_strdup(line);
}

const char *history_get(const struct history *history, size_t index)
{
	return index < history->count ? history->lines[history->count - 1 - index] : NULL;
}
