/*
 * command_output - the last output lines of the traced command, escaped.
 *
 * Bounded in lines and bytes; the oldest lines are evicted first. A line is truncated at
 * COMMAND_OUTPUT_LINE_BYTES. Reads the pipe without blocking. UI thread only.
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
	int fd; /* -1: closed or none. Not owned. */
	char *lines[COMMAND_OUTPUT_LINES]; /* ring */
	size_t head, count, bytes;
	uint64_t dropped; /* lines evicted before the first stored one */
	struct str partial; /* unfinished line, raw */
};

/* Start reading from `fd`, which becomes non-blocking; -1: none. */
void command_output_init(struct command_output *output, int fd);
void command_output_release(struct command_output *output);

/* Read a bounded amount. True if output arrived or the pipe was closed. */
bool command_output_read(struct command_output *output);

/* The count includes an unfinished line. command_output_line() appends one line, escaped. */
size_t command_output_lines(const struct command_output *output);
void command_output_line(const struct command_output *output, size_t index, struct str *out);
/* Append the line for the screen: tabs become blanks. Copied text retains the tabs. */
void command_output_shown(const struct command_output *output, size_t index, struct str *out);

#endif
