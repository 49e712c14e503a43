/*
 * verifier_log - what the kernel's verifier writes of a program that it rejects.
 *
 * Some lines for each instruction that it looked at, the one that says what is wrong, and
 * statistics (Documentation/bpf/verifier.rst of the kernel). Any thread.
 */
#ifndef BPF_VERIFIER_LOG_H
#define BPF_VERIFIER_LOG_H

#include <stddef.h>

/* The line that says what is wrong, borrowed, without its end; its length, 0: there is none. */
size_t verifier_log_line(const char *log, const char **line);

#endif
