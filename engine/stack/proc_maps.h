/*
 * proc_maps - parser of /proc/PID/maps (proc_pid_maps(5)).
 *
 * Pure function. The kernel writes the text, but the process chooses the paths in it. Any thread.
 */
#ifndef STACK_PROC_MAPS_H
#define STACK_PROC_MAPS_H

#include <stddef.h>

struct mapping;

/*
 * Called for each valid line. mapping->path is NULL; the path is path[path_len], with \012 from the
 * kernel decoded to a newline.
 */
typedef void proc_maps_fn(void *arg, const struct mapping *mapping, const char *path,
			  size_t path_len);

/* Skip malformed lines (truncated, overflowing, empty range). Return the number of valid lines. */
size_t proc_maps_parse(const char *text, size_t len, proc_maps_fn *found, void *arg);

#endif
