/*
 * terminal_output - output buffer for a terminal that can be slow, or that no program reads.
 *
 * Only terminal_output_drain() waits for the terminal, with a time limit. Non-blocking output needs
 * a file description of its own: the inherited one is shared with the shell and other programs,
 * which need it to block. If the terminal cannot be opened again, for example because its file
 * belongs to another user, sending blocks. The callers bound the buffer: they add nothing while
 * terminal_output_is_pending(). UI thread only.
 */
#ifndef TERMINAL_TERMINAL_OUTPUT_H
#define TERMINAL_TERMINAL_OUTPUT_H

#include "engine/base/str.h"

#include <stdbool.h>

struct terminal_output {
	int fd;
	bool is_own; /* opened here, non-blocking */
	struct str bytes;
	size_t sent; /* offset into bytes */
};

/* fd is borrowed and must stay open until terminal_output_release(). */
void terminal_output_init(struct terminal_output *output, int fd);
void terminal_output_release(struct terminal_output *output);

void terminal_output_add(struct terminal_output *output, const char *bytes, size_t len);
/*
 * Send what the terminal accepts now. True: the buffer is empty. A terminal that is gone accepts
 * all bytes.
 */
bool terminal_output_send(struct terminal_output *output);
static inline bool terminal_output_is_pending(const struct terminal_output *output)
{
	return output->bytes.len > 0;
}
/* Send for at most timeout_ms. False: bytes remain. */
bool terminal_output_drain(struct terminal_output *output, int timeout_ms);
/* Drop unsent bytes. */
void terminal_output_drop(struct terminal_output *output);

#endif
