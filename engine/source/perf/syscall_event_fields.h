/*
 * syscall_event_fields - arguments in records of syscalls:sys_enter_NAME, and the kernel's copies
 * of the data that they point to.
 *
 * Since Linux 6.19 such a record has, after the arguments, a field `__data_loc char[]
 * __ARGUMENT_val` for some pointers (kernel/trace/trace_syscalls.c). The field has 16 bits of
 * offset and 16 bits of length; the bytes follow all fields. A truncated text ends with "...", but
 * a complete one can end with it too. The dots are removed from both. The format file lists these
 * fields, so no kernel version is assumed.
 */
#ifndef PERF_SYSCALL_EVENT_FIELDS_H
#define PERF_SYSCALL_EVENT_FIELDS_H

#include "engine/record/capture.h"
#include "engine/record/record.h"
#include "engine/source/tracepoint.h"

#define SINGLE_TEXTS 4 /* maximum number of copied texts; more than any call has */
/* Maximum size of the chunks of one record; the kernel limits a record to less than a page. */
#define SINGLE_CHUNK_BYTES (8192 + SINGLE_TEXTS * (sizeof(struct capture_chunk) + 8))

struct syscall_event_fields {
	uint16_t offset; /* offset of the first argument */
	uint8_t args;
	uint8_t texts;
	struct {
		uint16_t offset; /* offset of the word that holds place and length */
		uint8_t arg;
	} text[SINGLE_TEXTS];
};

/* Learn the fields of a call, whose first argument is at `offset`. */
void syscall_event_fields_learn(struct syscall_event_fields *fields, const struct tracepoint *enter,
				uint16_t offset);
/* Copy the arguments that the call has and the record contains; set the remaining ones to 0. */
void syscall_event_fields_args(const struct syscall_event_fields *fields, const unsigned char *raw,
			       size_t bytes, uint64_t args[SYSCALL_ARGS]);
/* Write the kernel's copies as chunks with this origin. Return their total size in bytes. */
size_t syscall_event_fields_copies(const struct syscall_event_fields *fields,
				   const unsigned char *raw, size_t bytes,
				   const uint64_t args[SYSCALL_ARGS], uint8_t origin,
				   unsigned char chunks[SINGLE_CHUNK_BYTES]);

#endif
