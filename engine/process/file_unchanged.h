/* file_unchanged - whether a file is as it was at the time of a call. Any thread. */
#ifndef PROCESS_FILE_UNCHANGED_H
#define PROCESS_FILE_UNCHANGED_H

#include <stdbool.h>
#include <stdint.h>

/* since_ns is CLOCK_MONOTONIC; what cannot be found out counts as changed. */
bool file_age_changed(int fd, uint64_t since_ns);

#endif
