/*
 * assignment - parses NAME = VALUE lines of files that users edit: settings, themes, filters.
 *
 * Empty lines and lines that begin with # hold no assignment. Blanks around name and value are
 * trimmed. Control characters other than tabs are rejected, because a terminal would obey them. Any
 * thread.
 */
#ifndef BASE_ASSIGNMENT_H
#define BASE_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>

struct assignment {
	const char *name, *value; /* both point into the line; not NUL-terminated */
	size_t name_len, value_len;
};

/*
 * Return the next line of a text, without its newline. False at the end of the text.
 *
 *	for (size_t at = 0; assignment_next_line(text, len, &at, &line, &line_len);)
 */
bool assignment_next_line(const char *text, size_t len, size_t *at, const char **line,
			  size_t *line_len);

/*
 * Parse one line. Return NULL, or the reason why the line is invalid. `name` is NULL for an empty
 * line or a comment. Name and value may be empty: the caller checks for required ones.
 */
const char *assignment_parse(const char *line, size_t len, struct assignment *assignment);

/*
 * Remove a remark from the value: a # between blanks, and all text after it. The caller decides,
 * because the values of some files can contain a #.
 */
void assignment_cut_remark(struct assignment *assignment);

#endif
