/* file_age - whether a file is as it was at the time of a call. Any thread. */
#ifndef ENGINE_FILE_AGE_H
#define ENGINE_FILE_AGE_H

#include <stdbool.h>
#include <stdint.h>

/* since_ns is CLOCK_MONOTONIC; what cannot be found out counts as changed. */
bool file_age_changed(int fd, uint64_t since_ns);

#endif
