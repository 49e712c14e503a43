/*
 * command_output - what the traced command wrote: its last lines, escaped.
 *
 * Bounded in lines and bytes, oldest out first; a line is cut at
 * COMMAND_OUTPUT_LINE_BYTES. Reads a pipe without ever waiting. UI thread only.
 */
#ifndef SESSION_COMMAND_OUTPUT_H
#define SESSION_COMMAND_OUTPUT_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define COMMAND_OUTPUT_LINES 8192
#define COMMAND_OUTPUT_BYTES (2 * 1024 * 1024)
#define COMMAND_OUTPUT_LINE_BYTES 2048

struct command_output {
	int fd; /* -1: closed, or there is none. Not owned. */
	char *lines[COMMAND_OUTPUT_LINES]; /* a ring */
	size_t head, count, bytes;
	uint64_t dropped; /* lines before the first that is kept */
	struct str partial; /* a line that has no end yet, raw */
};

/* fd is made non-blocking; -1: none. */
void command_output_init(struct command_output *output, int fd);
void command_output_release(struct command_output *output);

/* Takes what is there, a bounded amount. True if it was anything. */
bool command_output_read(struct command_output *output);

/* index < count + 1 while a line is unfinished; escaped. */
size_t command_output_lines(const struct command_output *output);
void command_output_line(const struct command_output *output, size_t index, struct str *out);
/* The same for a screen: blanks in place of tabs, which copies keep. */
void command_output_shown(const struct command_output *output, size_t index, struct str *out);

#endif
