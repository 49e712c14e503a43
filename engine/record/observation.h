/*
 * observation - a fact about a process that its records do not contain, read from /proc or from its
 * memory. Recordings store observations, because the process may be gone when they are read.
 *
 * The producer passes an observation to an observation_fn, which borrows it for that call. Texts
 * are raw bytes of other processes unless stated otherwise. Times are those of records.
 */
#ifndef RECORD_OBSERVATION_H
#define RECORD_OBSERVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum observation_kind {
	OBSERVATION_FD, /* the file behind a descriptor */
	OBSERVATION_UNSEEN, /* calls that change descriptors are not collected */
	OBSERVATION_PLACE, /* the mapping that contains a futex */
	OBSERVATION_VARIABLE, /* the name of the variable at a futex */
	OBSERVATION_HOLDER, /* the owner of the lock that a thread waits for */
	OBSERVATION_DEADLOCK, /* a confirmed cycle of waiting threads */
	OBSERVATION_BYTES, /* late read: bytes that a call points to */
	OBSERVATION_KIND_COUNT
};

/* A thread of a deadlock. It waits for a lock that the next thread holds. */
struct observation_wait {
	uint32_t pid, tid, owner, unused;
	uint64_t uaddr, enter_ns;
};

struct observation {
	enum observation_kind kind;
	uint32_t pid, tid;
	uint64_t fed_ns; /* all records up to this time had been fed when the fact was found */
	union {
		struct {
			int fd;
			uint64_t from_ns; /* start of the version; 0: before the recording */
			uint64_t asked_ns, reported_ns;
			bool cloexec, cloexec_known;
			/*
			 * The descriptor belongs to this thread alone since before the recording.
			 * Without a text, `inode` is the tid of a thread that shares it, or 0.
			 */
			bool own;
			bool renamed; /* the name changed after the descriptor was opened */
			/* Text of a socket: protocol and both addresses, each with a NUL. */
			bool socket;
			uint64_t inode;
		} fd;
		struct {
			uint64_t from_ns;
			/* Missing calls. begins: since from_ns; ends: until it; neither: at it. */
			bool begins, ends;
		} unseen;
		struct {
			uint64_t uaddr;
			uint64_t memory_ns; /* start of the address space: fork or last exec */
			bool shared; /* the futex is shared by the flags of its calls */
			bool found, mapped_shared; /* see struct futex_answer; text: the label */
			uint64_t device, inode, offset;
		} futex; /* OBSERVATION_VARIABLE uses the first three members */
		struct {
			uint64_t uaddr, enter_ns; /* of the waiting call */
			uint32_t owner; /* 0: no longer known */
		} holder;
		struct {
			uint64_t found_ns;
			uint32_t threads; /* number in the cycle; the array can be truncated */
			/* The text is an array of struct observation_wait. */
		} deadlock;
		struct {
			uint64_t enter_ns;
			uint32_t nr;
			uint8_t state; /* enum call_state; the text is chunks (capture.h) */
		} call;
	};
	const void *text;
	size_t len;
};

#define OBSERVATION_TEXT_MAX 49152

typedef void observation_fn(void *ctx, const struct observation *observation);

#endif
