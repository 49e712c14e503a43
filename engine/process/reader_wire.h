/*
 * reader_wire - what the program and its readers say to each other.
 *
 * Both are one binary on one machine: structs as they lie in memory, one per packet of a
 * SOCK_SEQPACKET socket, the bytes of a request or a reply behind them. One request is answered by
 * one reply; what does not fit in one is asked for again from where it ended. Any thread.
 */
#ifndef PROCESS_READER_WIRE_H
#define PROCESS_READER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define READER_BYTES_MAX ((size_t)96 << 10) /* of what a reply brings */
#define READER_PAYLOAD_MAX ((size_t)16 << 10) /* of what goes with a request */

enum reader_what {
	READER_MEMORY,   /* of pid, `length` bytes at `address`: those that are present */
	READER_TASKS,    /* see proc_probe.h */
	READER_FDS,      /* see fd_probe.h */
	READER_MAPS,     /* the text of /proc/PID/maps: from its beginning, address 0; or further */
	READER_MAPPING,  /* what is mapped at `address`: a struct mapped_at */
	READER_BUILD_ID, /* payload: a mapping, see file_probe.h */
	READER_IMAGE,    /* the same: whether a file has these bytes */
	READER_CONSTANT, /* the same: what a file has there */
	READER_PERF_MAP, /* of pid: its text, as READER_MAPS */
	READER_FILE,     /* the same: takes the socket of a worker, to which the file goes */
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
struct reader_answer {
	unsigned char *bytes;
	size_t len;
	bool more;
};

/* Room for so many more bytes, to be filled; NULL: there is none. */
static inline void *reader_answer_take(struct reader_answer *answer, size_t bytes)
{
	void *place = answer->bytes + answer->len;

	if (bytes > READER_BYTES_MAX - answer->len)
		return NULL;
	answer->len += bytes;
	return place;
}

/*
 * Answers a request in the reader's process: 0 or -errno. *state is its own, NULL at first, and
 * lasts as long as the process. fd: what came with the request, or -1; its caller closes it.
 */
typedef int reader_handle_fn(void **state, const struct reader_request *request,
			     const void *payload, int fd, struct reader_answer *answer);

#endif
