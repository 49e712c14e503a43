/*
 * late_bytes - reads the memory that a call pointed to, after the call was made.
 *
 * Covers data that was not captured during the call. process_vm_readv() reads the memory without
 * stopping the process, so the memory can have changed since the call: the origin is BYTES_LATE.
 * The bytes are proven unchanged, with the origin BYTES_IMAGE, if all of these hold:
 * - the memory is a private, read-only mapping of a file from which the program runs code;
 * - memory and file are equal;
 * - the file has not changed since the call.
 * BYTES_IMAGE is also the origin of read-only data from the files of a process that has ended or
 * cannot be read.
 *
 * Needs a thread of its own, which waits for a reader process: files and memory can be on a file
 * server that does not answer.
 */
#ifndef LATE_LATE_BYTES_H
#define LATE_LATE_BYTES_H

#include "engine/base/str.h"
#include "engine/decode/call_text.h"
#include "engine/stack/spaces.h"

struct late_bytes;
struct reader;

/*
 * All arguments are borrowed. spaces NULL: accept any file, read no constants. reader NULL: read on
 * the calling thread (see engine/helper/reader.h). string_bytes as in call_text_options.
 */
struct late_bytes *late_bytes_new(const struct syscalls *syscalls, struct spaces *spaces,
				  struct reader *reader, uint32_t string_bytes);
void late_bytes_free(struct late_bytes *late);

/* Facts about the process of a call, needed to read its memory. */
struct late_memory {
	uint32_t generation; /* generation of the address space, see spaces.h */
	bool gone; /* the process has ended; its pid can be in use again */
	/*
	 * The call has returned and its thread has continued: only data that cannot have changed is
	 * valid.
	 */
	bool constants_only;
};

/*
 * Append the data that the decoder needs for this call and does not find in `known`; both have the
 * format of capture.h. A final chunk holds the time at which the late read ended
 * (capture_chunks_read_ns()); the caller checks whether the read was in time.
 */
void late_bytes_read(struct late_bytes *late, const struct call *call,
		     const struct late_memory *memory, const void *known, size_t known_len,
		     struct str *chunks);

#endif
