/*
 * names_file - names of addresses that somebody told, for stacks whose files are not here.
 *
 * A text, a frame a line, with tabs between:
 *
 *	PID  IP  KIND  OFFSET  LINE  INLINED  SYMBOL  DSO  FILE
 *
 * PID is 0 for the kernel's (KIND "kernel"), IP is in hexadecimal, an empty text is not known.
 * Frames of one address stand one behind the other, inlined ones before the one they are in.
 * Immutable once made: any thread.
 */
#ifndef STACK_NAMES_FILE_H
#define STACK_NAMES_FILE_H

#include "engine/stack/frame.h"

#include <stddef.h>
#include <stdint.h>

struct names_file;

/* Lines that are not as above are left out. Nothing of the text is kept. */
struct names_file *names_file_new(const char *text, size_t len);
void names_file_free(struct names_file *reported);

/*
 * The frames of an address, at most max; 0: nobody told. pid 0: the kernel's. Texts live as
 * long as `told`.
 */
size_t names_file_find(const struct names_file *reported, uint32_t pid, uint64_t ip,
		       struct frame *frames, size_t max);

#endif
