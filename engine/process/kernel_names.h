/*
 * kernel_names - where the kernel's functions are, by name.
 *
 * /proc/PID/stack tells names and offsets where everything else works with
 * addresses. Of functions with the same name the first one counts. Sixteen bytes for each, no
 * text: names are known by their hashes. Immutable once read; any thread.
 */
#ifndef PROCESS_KERNEL_NAMES_H
#define PROCESS_KERNEL_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct kernel_name {
	uint64_t hash;
	uint64_t address; /* 0: the slot is free */
};

struct kernel_names {
	struct kernel_name *slots;
	size_t capacity; /* a power of two; 0: empty */
	size_t count;
};

/* From /proc/kallsyms: some tens of milliseconds. Empty where it may not be read. */
void kernel_names_read(struct kernel_names *names);
/* One line of it. */
void kernel_names_add_line(struct kernel_names *names, const char *line);
void kernel_names_release(struct kernel_names *names);

/* 0: no such function. */
uint64_t kernel_names_find(const struct kernel_names *names, const char *name, size_t len);

#endif
