/*
 * proc_maps - the text of /proc/PID/maps, line by line (proc_pid_maps(5)).
 *
 * A pure function: the bytes come from the kernel, but the paths in them are
 * whatever a process chose. Any thread.
 */
#ifndef STACK_PROC_MAPS_H
#define STACK_PROC_MAPS_H

#include <stddef.h>

struct mapping;

/*
 * Called for each line that makes sense. mapping->path is NULL; the path is in
 * path[path_len], with the kernel's \012 turned back into a newline.
 */
typedef void proc_maps_fn(void *arg, const struct mapping *mapping, const char *path,
			  size_t path_len);

/* Lines that make no sense (cut, out of order, overflowing) are skipped. Returns the others. */
size_t proc_maps_parse(const char *text, size_t len, proc_maps_fn *found, void *arg);

#endif
