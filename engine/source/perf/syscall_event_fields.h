/*
 * syscall_event_fields - the arguments in records of syscalls:sys_enter_NAME, and the kernel's own
 * copies of what they point to.
 *
 * Since Linux 6.19 such a record has, behind its arguments, a field `__data_loc char[]
 * __ARGUMENT_val` for some that are pointers (kernel/trace/trace_syscalls.c): 16 bits of offset, 16
 * of length, and the bytes behind all fields. A text that was too long ends with "...", which
 * may be its own: so much of it is left out. Which fields there are the format file says,
 * whatever the version.
 */
#ifndef PERF_SYSCALL_EVENT_FIELDS_H
#define PERF_SYSCALL_EVENT_FIELDS_H

#include "engine/record/capture.h"
#include "engine/record/record.h"
#include "engine/source/tracepoint.h"

#define SINGLE_TEXTS 4 /* more than any call has */
/* Chunks of all texts of a record, which the kernel keeps below a page. */
#define SINGLE_CHUNK_BYTES (8192 + SINGLE_TEXTS * (sizeof(struct capture_chunk) + 8))

struct syscall_event_fields {
	uint16_t offset; /* of the first argument */
	uint8_t args;
	uint8_t texts;
	struct {
		uint16_t offset; /* of its place and length */
		uint8_t arg;
	} text[SINGLE_TEXTS];
};

/* Arguments begin at `offset`. */
void syscall_event_fields_learn(struct syscall_event_fields *fields, const struct tracepoint *enter,
				uint16_t offset);
/* As many as the call has and the record holds, 0 for the others. */
void syscall_event_fields_args(const struct syscall_event_fields *fields, const unsigned char *raw,
			       size_t bytes, uint64_t args[SYSCALL_ARGS]);
/* The copies, as chunks of that origin; how many bytes of them. */
size_t syscall_event_fields_copies(const struct syscall_event_fields *fields,
				   const unsigned char *raw, size_t bytes,
				   const uint64_t args[SYSCALL_ARGS], uint8_t origin,
				   unsigned char chunks[SINGLE_CHUNK_BYTES]);

#endif
