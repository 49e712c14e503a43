/*
 * fd_facts - facts about a descriptor that the source captured: struct capture_file of capture.h.
 *
 * These are more exact than the arguments of a call: links in the path are resolved, and a pipe has
 * its inode number. Pure.
 */
#ifndef FDS_FD_FACTS_H
#define FDS_FD_FACTS_H

#include "engine/base/str.h"
#include "engine/fds/fd_calls.h"
#include "engine/record/capture.h"

#include <stdbool.h>
#include <stddef.h>

struct fd_facts {
	struct capture_file file;
	const char *names; /* borrowed path components with their NULs, last one first */
	size_t len;
};

bool fd_facts_find(const struct fd_chunks pointed[2], int fd, struct fd_facts *facts);
/*
 * Fill in the inode of a socket, and its addresses if the facts have any; then *addressed is true.
 * Other members of `socket` stay unchanged. False: not a socket.
 */
bool fd_facts_socket(const struct fd_facts *facts, struct fd_socket *socket, bool *addressed);
/*
 * Append the text in the form of fds.h: a path; then, after a NUL, suffixes outside the path.
 * False, and nothing appended: the facts are incomplete.
 */
bool fd_facts_text(const struct fd_facts *facts, struct str *out);

#endif
