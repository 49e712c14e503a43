/*
 * verifier_log - finds the error in the verifier log of a rejected program.
 *
 * The log has several lines for each instruction, the error line, and statistics
 * (Documentation/bpf/verifier.rst of the kernel). Any thread.
 */
#ifndef BPF_VERIFIER_LOG_H
#define BPF_VERIFIER_LOG_H

#include <stddef.h>

/* Find the error line, borrowed, without its line end. Return its length, 0 if there is none. */
size_t verifier_log_line(const char *log, const char **line);

#endif
