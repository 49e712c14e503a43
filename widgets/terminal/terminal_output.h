/*
 * terminal_output - bytes on their way to a terminal that may be slow, or not be read at all.
 *
 * Nothing here waits for the terminal but terminal_output_drain, which says for how long. That
 * takes a file description of our own, as the one that we were given is shared with the
 * shell and others, who want theirs to block; where the terminal cannot be opened again (its
 * file may be another user's), sending does wait. What is kept is bounded by who adds: no
 * more is added while terminal_output_is_pending. UI thread only.
 */
#ifndef TERMINAL_TERMINAL_OUTPUT_H
#define TERMINAL_TERMINAL_OUTPUT_H

#include "engine/base/str.h"

#include <stdbool.h>

struct terminal_output {
	int fd;
	bool is_own; /* opened here, non-blocking */
	struct str bytes;
	size_t sent; /* of bytes */
};

/* fd is borrowed: open until terminal_output_release. */
void terminal_output_init(struct terminal_output *output, int fd);
void terminal_output_release(struct terminal_output *output);

void terminal_output_add(struct terminal_output *output, const char *bytes, size_t len);
/* Sends what the terminal takes now; true: nothing is left. A terminal that is gone takes all. */
bool terminal_output_send(struct terminal_output *output);
static inline bool terminal_output_is_pending(const struct terminal_output *output)
{
	return output->bytes.len > 0;
}
/* Sends for at most so long; false: something is left. */
bool terminal_output_drain(struct terminal_output *output, int timeout_ms);
/* Forgets what was not sent. */
void terminal_output_drop(struct terminal_output *output);

#endif
