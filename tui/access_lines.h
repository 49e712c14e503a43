/*
 * access_lines - the access table as lines of a screen: what works, what does not and why,
 * and lines for a shell, each whole so that it can be copied. UI thread only.
 */
#ifndef TUI_ACCESS_LINES_H
#define TUI_ACCESS_LINES_H

#include "engine/access.h"
#include "engine/base/str.h"
#include "widgets/role.h"

struct access_line {
	struct str text;
	size_t copy_from; /* what is copied of it begins here */
	enum role role;
};

struct access_lines {
	struct access_line *items;
	size_t count, capacity;
};

void access_lines_init(struct access_lines *lines);
void access_lines_release(struct access_lines *lines);

/*
 * Fills them anew. refusal: why nothing is watched at all, NULL: something is. Sentences are
 * wrapped to cols, lines for a shell are not.
 */
void access_lines_fill(struct access_lines *lines, const struct access *access,
		       const char *refusal, int cols);

#endif
