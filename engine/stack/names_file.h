/*
 * names_file - names of addresses read from a text, for stacks whose files are missing.
 *
 * One frame per line, fields separated by tabs:
 *
 *	PID  IP  KIND  OFFSET  LINE  INLINED  SYMBOL  DSO  FILE
 *
 * PID is 0 for the kernel (KIND "kernel"), IP is hexadecimal, an empty text is unknown. The frames
 * of one address are consecutive lines, inlined functions before the function that contains them.
 * Immutable once made: any thread.
 */
#ifndef STACK_NAMES_FILE_H
#define STACK_NAMES_FILE_H

#include "engine/stack/frame.h"

#include <stddef.h>
#include <stdint.h>

struct names_file;

/* Parse and copy the text. Lines with another number of fields are skipped. */
struct names_file *names_file_new(const char *text, size_t len);
void names_file_free(struct names_file *reported);

/*
 * Copy the frames of an address, at most max; 0: none. pid 0: the kernel. Texts live as long as
 * `reported`.
 */
size_t names_file_find(const struct names_file *reported, uint32_t pid, uint64_t ip,
		       struct frame *frames, size_t max);

#endif
