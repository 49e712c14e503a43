/*
 * access_lines - the access check as lines of text: what works, what fails and why, and shell
 * commands that can be pasted as shown. UI thread only.
 */
#ifndef PANES_ACCESS_LINES_H
#define PANES_ACCESS_LINES_H

#include "engine/base/str.h"
#include "engine/source/live/access.h"
#include "widgets/canvas/role.h"

struct access_line {
	struct str text;
	size_t label_bytes; /* in a command line: length of the label before the command */
	struct str copy; /* the whole command; empty: not a command line */
	enum role role;
};

struct access_lines {
	struct access_line *items;
	size_t count, capacity;
};

void access_lines_init(struct access_lines *lines);
void access_lines_release(struct access_lines *lines);

/*
 * Replace the lines. refusal: why nothing can be traced; NULL: tracing works. Lines are wrapped to
 * cols. Commands are continued with a backslash at the end of the line, as a shell expects.
 */
void access_lines_fill(struct access_lines *lines, const struct access *access, const char *refusal,
		       int cols);

#endif
