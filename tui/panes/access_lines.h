/*
 * access_lines - the access table as lines of a screen: what works, what does not and why,
 * and lines for a shell, which a shell takes as they are shown. UI thread only.
 */
#ifndef PANES_ACCESS_LINES_H
#define PANES_ACCESS_LINES_H

#include "engine/base/str.h"
#include "engine/source/live/access.h"
#include "widgets/canvas/role.h"

struct access_line {
	struct str text;
	size_t label_bytes; /* of a shell's line: what is in front of it, and not part of it */
	struct str copy; /* the whole of a shell's line; empty: it is none */
	enum role role;
};

struct access_lines {
	struct access_line *items;
	size_t count, capacity;
};

void access_lines_init(struct access_lines *lines);
void access_lines_release(struct access_lines *lines);

/*
 * Fills them anew. refusal: why nothing is watched at all, NULL: something is. All are wrapped
 * to cols, lines for a shell as a shell reads on: with a backslash at the end.
 */
void access_lines_fill(struct access_lines *lines, const struct access *access, const char *refusal,
		       int cols);

#endif
