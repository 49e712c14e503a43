/*
 * syscall_event_fields - arguments in records of syscalls:sys_enter_NAME, and the kernel's copies
 * of the data that they point to.
 *
 * Since Linux 6.19 such a record has, after the arguments, a field `__data_loc char[]
 * __ARGUMENT_val` for some pointers (kernel/trace/trace_syscalls.c): 16 bits of offset, 16 bits of
 * length, and the bytes after all fields. A truncated text ends with "...", which may also be its
 * own, so these are removed. The format file lists the fields, whatever the version.
 */
#ifndef PERF_SYSCALL_EVENT_FIELDS_H
#define PERF_SYSCALL_EVENT_FIELDS_H

#include "engine/record/capture.h"
#include "engine/record/record.h"
#include "engine/source/tracepoint.h"

#define SINGLE_TEXTS 4 /* more than any call has */
/* Chunks of all texts of a record; the kernel limits it to less than a page. */
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

/* Learn the fields of a call, whose first argument is at `offset`. */
void syscall_event_fields_learn(struct syscall_event_fields *fields, const struct tracepoint *enter,
				uint16_t offset);
/* Copy the arguments that the call has and the record contains; set the remaining ones to 0. */
void syscall_event_fields_args(const struct syscall_event_fields *fields, const unsigned char *raw,
			       size_t bytes, uint64_t args[SYSCALL_ARGS]);
/* Write the copies as chunks of that origin. Return their size in bytes. */
size_t syscall_event_fields_copies(const struct syscall_event_fields *fields,
				   const unsigned char *raw, size_t bytes,
				   const uint64_t args[SYSCALL_ARGS], uint8_t origin,
				   unsigned char chunks[SINGLE_CHUNK_BYTES]);

#endif
