/*
 * unwind_cfi - the entries of .eh_frame and .debug_frame, one after the other.
 *
 * DWARF 5, 6.4.1, and the Linux Standard Base, 10.6, for what .eh_frame does
 * otherwise. 64-bit entries are passed over: no compiler writes them. Every
 * length is checked. Worker process only.
 */
#ifndef WORKER_UNWIND_CFI_H
#define WORKER_UNWIND_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfi {
	const unsigned char *bytes;
	size_t len;
	uint64_t address; /* of the first byte */
	bool is_eh;
};

struct cfi_entry {
	size_t at, end; /* in the section, its length included */
	size_t body; /* behind its length and id */
	size_t common_at; /* of the common entry that it refers to */
	bool is_common;
};

/* The entry at *at, which moves behind it; false at the end. */
bool cfi_next(const struct cfi *cfi, size_t *at, struct cfi_entry *entry);
/* Which code it describes. */
bool cfi_range(const struct cfi *cfi, const struct cfi_entry *entry, uint64_t *start,
	       uint64_t *bytes);
/* See unwind_table_debug(). */
size_t cfi_rewrite(const struct cfi *cfi, size_t at, uint64_t bias, unsigned char *out, size_t max,
		   size_t *frame_at);

#endif
