/*
 * late_bytes - what a call pointed to, read from its process after the event.
 *
 * For what was not copied when the call was made. The memory is read without stopping anyone
 * (process_vm_readv), so it may have changed since: BYTES_LATE. Where it is a mapping of a
 * file that is private and may not be written, that the program runs code of, and memory and
 * file say the same, and the file has not changed since the call, it is what it was:
 * BYTES_IMAGE. So is what a process that has ended, or may not be read, had in the read-only parts
 * of the files that it ran.
 *
 * A thread of its own: it waits for a reader's process, as files and memory may be on what does
 * not answer.
 */
#ifndef LATE_LATE_BYTES_H
#define LATE_LATE_BYTES_H

#include "engine/base/str.h"
#include "engine/decode/call_text.h"
#include "engine/stack/spaces.h"

struct late_bytes;
struct reader;

/*
 * All are borrowed; spaces may be NULL, and so may who reads, see engine/helper/reader.h: then it
 * is done here. string_bytes as in call_text_options.
 */
struct late_bytes *late_bytes_new(const struct syscalls *syscalls, struct spaces *spaces,
				  struct reader *reader, uint32_t string_bytes);
void late_bytes_free(struct late_bytes *late);

/* Whose memory a call's was. */
struct late_memory {
	uint32_t generation; /* of spaces.h */
	bool gone; /* the process has ended: its number may be another's */
	/*
	 * The call has returned, and its thread has gone on: of what it pointed to, only what
	 * cannot have changed says anything.
	 */
	bool constants_only;
};

/*
 * Appends, in the format of capture.h, whatever the decoder would ask for of this call that is
 * not in `known`, which is in that format too. Behind it a chunk says when it had been read
 * (capture_chunks_read_ns()): whether that was in time is for others to find out.
 */
void late_bytes_read(struct late_bytes *late, const struct call *call,
		     const struct late_memory *memory, const void *known, size_t known_len,
		     struct str *chunks);

#endif
