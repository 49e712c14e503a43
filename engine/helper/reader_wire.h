/*
 * reader_wire - what the program and its readers say to each other.
 *
 * Both are one binary on one machine: structs as they lie in memory, one per packet of a
 * SOCK_SEQPACKET socket, the bytes of a request or a reply behind them. One request is answered by
 * one reply; what does not fit in one is asked for again from where it ended. Any thread.
 */
#ifndef HELPER_READER_WIRE_H
#define HELPER_READER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define READER_BYTES_MAX ((size_t)96 << 10) /* of what a reply brings */
#define READER_PAYLOAD_MAX ((size_t)16 << 10) /* of what goes with a request */

enum reader_what {
	READER_MEMORY, /* of pid, `length` bytes at `address`: those that are present */
	READER_TASKS, /* see proc_probe.h */
	READER_OPEN, /* see file_probe.h, as the next ones */
	READER_HAND_OVER,
	READER_SAME,
	READER_TEXT,
	READER_BUILD_ID,
	READER_LATE, /* see late_probe.h, as the next ones */
	READER_CONSTANT,
	READER_MAP_LOOKUP,
	READER_FDS, /* see fd_probe.h */
	READER_FUTEX_OWNER, /* see futex_owner.h */
	READER_WHAT_COUNT
};

/* A flag of any request: also where the process hung the last time. */
#define READER_INSIST (1u << 31)

struct reader_request {
	uint32_t what, flags;
	uint32_t pid, tid;
	uint64_t address, length;
	uint32_t number; /* the reply has it too */
	uint32_t payload_bytes;
};

struct reader_reply {
	uint32_t number;
	int32_t error; /* 0 or -errno */
	uint32_t bytes;
	uint32_t more; /* 1: there is more, which can be asked for */
};

/* What a handler answers. */
struct reader_result {
	unsigned char *bytes;
	size_t len;
	bool more;
	int fd; /* that goes with it, and is the other side's then; -1: none */
};

/* Room for so many more bytes, to be filled; NULL: there is none. */
static inline void *reader_result_take(struct reader_result *result, size_t bytes)
{
	void *place = result->bytes + result->len;

	if (bytes > READER_BYTES_MAX - result->len)
		return NULL;
	result->len += bytes;
	return place;
}

/*
 * Answers a request in the reader's process: 0 or -errno. *state is its own, NULL at first, and
 * lasts as long as the process. fds: the two that came with the request, or -1; its caller closes
 * them.
 */
typedef int reader_handle_fn(void **state, const struct reader_request *request,
			     const void *payload, const int *fds, struct reader_result *result);

#endif
