/*
 * unwind_cfi - the entries (CIE, FDE) of .eh_frame and .debug_frame in sequence.
 *
 * Sources: DWARF 5, section 6.4.1; Linux Standard Base, section 10.6, for the differences of
 * .eh_frame. Entries in the 64-bit format are skipped, as no compiler writes them. Every length is
 * checked. Worker process only.
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
	size_t at, end; /* offsets in the section; includes the length field */
	size_t body; /* after length and id */
	size_t common_at; /* offset of its common entry (CIE) */
	bool is_common;
};

/* Read the entry at *at and advance *at past it. False at the end. */
bool cfi_next(const struct cfi *cfi, size_t *at, struct cfi_entry *entry);
/* Get the code range that the entry describes. */
bool cfi_range(const struct cfi *cfi, const struct cfi_entry *entry, uint64_t *start,
	       uint64_t *bytes);
/* See unwind_table_debug(). */
size_t cfi_rewrite(const struct cfi *cfi, size_t at, uint64_t bias, unsigned char *out, size_t max,
		   size_t *frame_at);

#endif
