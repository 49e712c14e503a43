/* file_unchanged - tests whether a file changed after a call. Any thread. */
#ifndef PROCESS_FILE_UNCHANGED_H
#define PROCESS_FILE_UNCHANGED_H

#include <stdbool.h>
#include <stdint.h>

/* True if the file changed, or may have changed, after since_ns (CLOCK_MONOTONIC). */
bool file_age_changed(int fd, uint64_t since_ns);

#endif
