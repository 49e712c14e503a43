/*
 * folded - a stack and its weight as one line for flamegraph.pl:
 *
 *	nginx;main;worker;read;do_syscall_64_[k];vfs_read_[k] 1234
 *
 * The outermost frame is first; kernel frames end with "_[k]". "[cut]" stands for unknown
 * callers. Any thread.
 */
#ifndef EXPORT_FOLDED_H
#define EXPORT_FOLDED_H

#include "engine/base/str.h"
#include "engine/stack/symbols.h"

/*
 * Add the stack. comm is escaped; frames are innermost first. A frame without a name is written as
 * its address, an empty comm as "?". A ';' in either becomes ':'.
 */
void folded_add_stack(struct str *out, const char *comm, const struct frame *frames, size_t count);
/* Add a line: stack and weight. */
void folded_add(struct str *out, const char *stack, uint64_t weight);

#endif
