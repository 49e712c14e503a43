/*
 * kernel_names - addresses of kernel functions by name.
 *
 * /proc/PID/stack shows names and offsets, while the stacks in stxtop consist of addresses. If
 * several functions share a name, the first one is used. The table stores 16 bytes per function:
 * names are identified by their hashes, without text. Immutable once read; any thread.
 */
#ifndef PROCESS_KERNEL_NAMES_H
#define PROCESS_KERNEL_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct kernel_name {
	uint64_t hash;
	uint64_t address; /* 0: this slot is free */
};

struct kernel_names {
	struct kernel_name *slots;
	size_t capacity; /* a power of two; 0: empty */
	size_t count;
};

/* Read /proc/kallsyms; takes tens of milliseconds. The table stays empty without permission. */
void kernel_names_read(struct kernel_names *names);
/* Add one line of /proc/kallsyms. */
void kernel_names_add_line(struct kernel_names *names, const char *line);
void kernel_names_release(struct kernel_names *names);

/* Return the address; 0: no such function. */
uint64_t kernel_names_find(const struct kernel_names *names, const char *name, size_t len);

#endif
