/*
 * fd_facts - what a source told of a descriptor itself: struct capture_file of capture.h.
 *
 * Better than what a call was given: links in its path are gone, and a pipe has its number.
 * Pure.
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
	const char *names; /* borrowed from the chunk, each with its NUL, the last one first */
	size_t len;
};

bool fd_facts_find(const struct fd_chunks pointed[2], int fd, struct fd_facts *facts);
/*
 * Of a socket: its number, and of some families its addresses (*addressed); the rest of `socket`
 * stays as it is. false: it is none.
 */
bool fd_facts_socket(const struct fd_facts *facts, struct fd_socket *socket, bool *addressed);
/*
 * As fds.h has texts: of a path, with what is no part of it behind a NUL. false, and nothing
 * appended: they do not say it.
 */
bool fd_facts_text(const struct fd_facts *facts, struct str *out);

#endif
