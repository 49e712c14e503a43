/*
 * reader_wire - the protocol between stxtop and its readers.
 *
 * Both sides are one binary on one machine, so packets are plain structs, one per packet of a
 * SOCK_SEQPACKET socket. The data of a request or a reply follows its struct. Each request gets one
 * reply. If the data does not fit into one reply, the next request continues where the reply ended.
 * Any thread.
 */
#ifndef HELPER_READER_WIRE_H
#define HELPER_READER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define READER_BYTES_MAX ((size_t)96 << 10) /* data per reply */
#define READER_PAYLOAD_MAX ((size_t)16 << 10) /* data per request */

enum reader_what {
	READER_MEMORY, /* up to `length` bytes at `address` of pid, see process_memory.h */
	READER_TASKS, /* see proc_probe.h */
	READER_OPEN, /* this one and the next three: see file_probe.h */
	READER_HAND_OVER,
	READER_SAME,
	READER_TEXT,
	READER_BUILD_ID, /* this one and the next three: see late_probe.h */
	READER_LATE,
	READER_CONSTANT,
	READER_MAP_LOOKUP,
	READER_FDS, /* see fd_probe.h */
	READER_FUTEX_OWNER, /* see futex_owner.h */
	READER_WHAT_COUNT
};

/* Flag for any request: read even if the last request about the process hung. */
#define READER_INSIST (1u << 31)
/*
 * Flag for requests about files that the process itself does not use, such as debug files and perf
 * maps. If one hangs, only requests with this flag are refused. pid 0: files without a process.
 */
#define READER_ASIDE (1u << 30)

struct reader_request {
	uint32_t what, flags;
	uint32_t pid, tid;
	uint64_t address, length;
	uint32_t number; /* chosen by reader.c; repeated in the reply */
	uint32_t payload_bytes;
};

struct reader_reply {
	uint32_t number;
	int32_t error; /* 0 or -errno */
	uint32_t bytes;
	uint32_t more; /* 1: there is more data, for another request */
};

/* Result of a handler. */
struct reader_result {
	unsigned char *bytes;
	size_t len;
	bool more;
	int fd; /* sent with the reply, then owned by the receiver; -1: none */
};

/* Reserve `bytes` bytes of the result for the caller to fill; NULL: no room. */
static inline void *reader_result_take(struct reader_result *result, size_t bytes)
{
	void *place = result->bytes + result->len;

	if (bytes > READER_BYTES_MAX - result->len)
		return NULL;
	result->len += bytes;
	return place;
}

/*
 * Serve a request in the reader process. Return 0 or -errno. *state belongs to the handler, is
 * initially NULL, and lasts as long as the process. fds: the two descriptors of the request, or -1;
 * the caller closes them.
 */
typedef int reader_handle_fn(void **state, const struct reader_request *request,
			     const void *payload, const int *fds, struct reader_result *result);

#endif
