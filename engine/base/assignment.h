/*
 * assignment - a line NAME = VALUE of a text that people edit: settings, themes, filters.
 *
 * Empty lines and those whose first character is # say nothing. Blanks around name and value
 * do not count. Whatever a screen would obey is refused, but for tabs. Any thread.
 */
#ifndef BASE_ASSIGNMENT_H
#define BASE_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>

struct assignment {
	const char *name, *value; /* into the line, not terminated */
	size_t name_len, value_len;
};

/*
 * The next line of a text, without its end; false: that was all.
 *
 *	for (size_t at = 0; assignment_next_line(text, len, &at, &line, &line_len);)
 */
bool assignment_next_line(const char *text, size_t len, size_t *at, const char **line,
			  size_t *line_len);

/*
 * NULL, or what is wrong with it. A line that says nothing: name is NULL. Name and value may
 * be empty: what has to be there is the caller's to say.
 */
const char *assignment_parse(const char *line, size_t len, struct assignment *assignment);

/* Leaves out of the value what stands behind a # between blanks. For who wants that. */
void assignment_cut_remark(struct assignment *assignment);

#endif
