/*
 * folded - a stack and its weight as one line that flamegraph.pl takes:
 *
 *	nginx;main;worker;read;do_syscall_64_[k];vfs_read_[k] 1234
 *
 * Outermost frame first, kernel frames marked by "_[k]". Any thread.
 */
#ifndef EXPORT_FOLDED_H
#define EXPORT_FOLDED_H

#include "engine/base/str.h"
#include "engine/stack/symbols.h"

/*
 * The stack: comm is escaped; frames are innermost first. Frames without a name are their
 * addresses, a comm without one is "?", and a ';' in either is ':'.
 */
void folded_add_stack(struct str *out, const char *comm, const struct frame *frames, size_t count);
/* Its line. */
void folded_add(struct str *out, const char *stack, uint64_t weight);

#endif
