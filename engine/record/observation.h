/*
 * observation - one thing that was found out of a process beside its records: by asking /proc, or
 * by reading its memory. A recording keeps them, as nobody can ask again later.
 *
 * Who finds it out tells it (observation_fn); it is borrowed for that call. Texts are raw bytes of
 * others unless said. Times are those of records.
 */
#ifndef RECORD_OBSERVATION_H
#define RECORD_OBSERVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum observation_kind {
	OBSERVATION_FD, /* what a descriptor is */
	OBSERVATION_UNSEEN, /* calls that change descriptors are missed */
	OBSERVATION_PLACE, /* what memory a futex is in */
	OBSERVATION_VARIABLE, /* what the variable there is called */
	OBSERVATION_HOLDER, /* who holds the lock that a thread waits for */
	OBSERVATION_DEADLOCK, /* a cycle of threads was found, and confirmed */
	OBSERVATION_BYTES, /* what a call pointed to, as it was read later */
	OBSERVATION_KIND_COUNT
};

/* A thread of a deadlock; it waits for what the next one holds. */
struct observation_wait {
	uint32_t pid, tid, owner, unused;
	uint64_t uaddr, enter_ns;
};

struct observation {
	enum observation_kind kind;
	uint32_t pid, tid;
	uint64_t fed_ns; /* all records up to then had been fed when it became known */
	union {
		struct {
			int fd;
			uint64_t from_ns; /* since then it is that; 0: from before */
			uint64_t asked_ns, reported_ns;
			bool cloexec, cloexec_known;
			bool renamed; /* it was called otherwise at first */
			/* The text is of a socket: its protocol and addresses, each with a NUL. */
			bool socket;
			uint64_t inode;
		} fd;
		struct {
			uint64_t from_ns;
			/* From then on, no longer; neither: up to then. */
			bool begins, ends;
		} unseen;
		struct {
			uint64_t uaddr;
			uint64_t memory_ns; /* since then the process has that memory */
			bool shared; /* the futex, by its calls */
			bool found, mapped_shared; /* futex_pending.h; the text is its label */
			uint64_t device, inode, offset;
		} futex; /* of variables, the first three */
		struct {
			uint64_t uaddr, enter_ns; /* of the waiting call */
			uint32_t owner; /* 0: nobody knows any more */
		} holder;
		struct {
			uint64_t found_ns;
			uint32_t threads; /* the text is an array of struct observation_wait, */
			/* of fewer where there are very many */
		} deadlock;
		struct {
			uint64_t enter_ns;
			uint32_t nr;
			uint8_t state; /* enum call_state; the text is chunks of capture.h */
		} call;
	};
	const void *text;
	size_t len;
};

#define OBSERVATION_TEXT_MAX 49152

typedef void observation_fn(void *ctx, const struct observation *observation);

#endif
