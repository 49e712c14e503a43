/*
 * capture - bytes that a call pointed to, copied while it was entered or left.
 *
 * The format in which a source hands them on and a history keeps them: chunks
 * one behind the other, each a header and its bytes, padded to 8. A chunk says
 * at which address of the calling process it was read, so that what a struct
 * points to (the buffers of a vector, the name in a message) needs no rules of
 * its own. Only fixed-size integers: programs in the kernel write it too.
 *
 * To be kept with a call, the chunks of one call go into the history's arena
 * as they are, and the call has their id and length; no id means no chunks.
 */
#ifndef RECORD_CAPTURE_H
#define RECORD_CAPTURE_H

#include <stdint.h>

enum capture_flag {
	CAPTURE_AT_EXIT = 1 << 0, /* copied when the call returned, else when it was entered */
	CAPTURE_CUT = 1 << 1, /* there was more, for which there was no room */
	CAPTURE_LATER = 1 << 2, /* what it was given, but copied while it went on, or after */
	CAPTURE_NO_MEMORY = 1 << 3, /* a struct capture_file: `address` is its descriptor */
	CAPTURE_TIME = 1 << 4, /* no bytes: `address` is when others beside it had been read */
};

struct capture_chunk {
	uint64_t address;
	uint32_t len; /* bytes that follow, without the padding */
	uint8_t arg; /* the argument on whose behalf it was read */
	uint8_t flags; /* enum capture_flag */
	uint8_t origin; /* enum bytes_origin of engine/decode/call_bytes.h */
	uint8_t unused;
};

/*
 * What a descriptor of the caller was when a call returned; AT_FDCWD: its current directory.
 * Behind it are the names of its path, each with its NUL, the last name first.
 */
struct capture_file {
	uint64_t inode;
	uint32_t magic; /* of its file system (linux/magic.h) */
	uint32_t device; /* of a node of one: major << 20 | minor */
	uint16_t mode; /* as st_mode */
	uint8_t flags; /* enum capture_file_flag */
	uint8_t unused[5];
};

enum capture_file_flag {
	CAPTURE_FILE_WHOLE = 1 << 0, /* the names go back to the root of its namespace */
	CAPTURE_FILE_DELETED = 1 << 1, /* it was at that path */
};

/* In place of names, of a socket. */
struct capture_socket {
	uint16_t family, type;
	uint16_t local_port, remote_port;
	uint8_t local[16], remote[16]; /* of IPv4 the first four */
	uint64_t peer; /* of a Unix socket: the inode of its other end, 0 where that is not known */
	uint32_t id; /* of a netlink socket: 0 before it has one */
	uint16_t protocol;
	uint16_t unused;
};

#define CAPTURE_CHUNK_BYTES(len) \
	(sizeof(struct capture_chunk) + (((uint64_t)(len) + 7) & ~(uint64_t)7))

/*
 * What a source is told to copy: rules for each system call, made from how the decoder shows
 * it (engine/decode/capture_rules.h). Numbers are whatever a program put into its registers:
 * a source bounds them by `max`.
 */
#define CAPTURE_CALLS 512 /* of numbers beyond nothing is copied */
#define CAPTURE_RULES 16 /* of one call at most */
#define CAPTURE_BYTES_MAX 4096 /* of one chunk */
#define CAPTURE_ITEMS 32 /* of an array whose elements are followed */
#define CAPTURE_POINTERS 1024 /* of an array that is only counted */

/* What is at the address. */
enum capture_kind {
	CAPTURE_TEXT, /* ends with a NUL */
	CAPTURE_BYTES, /* as many as the size says */
	CAPTURE_REQUEST, /* as many as the table has for the request, the second argument */
	CAPTURE_VECTOR, /* that many struct iovec */
	CAPTURE_MESSAGE, /* a struct msghdr */
	CAPTURE_MESSAGES, /* that many struct mmsghdr */
	CAPTURE_STRINGS, /* pointers to texts, up to a NULL */
	CAPTURE_COUNTED, /* pointers up to a NULL that are not followed */
	CAPTURE_IOCBS, /* that many pointers to struct iocb */
	/* No memory, but struct capture_file. */
	CAPTURE_DESCRIPTOR, /* of the number that the size counts */
	CAPTURE_DIRECTORY, /* of the current directory */
	CAPTURE_RIGHTS, /* of the descriptors that came with a struct msghdr */
	CAPTURE_KIND_COUNT
};

/* How much there is: a number, rounded up to 2^shift and divided by it, times `unit`. */
enum capture_size {
	CAPTURE_ALL, /* max bytes */
	CAPTURE_BY_ARG, /* argument `size_arg` */
	CAPTURE_BY_RESULT, /* what the call returned */
	CAPTURE_BY_INT, /* the int at what argument `size_arg` points to, plus `size_at` */
	CAPTURE_BY_LONG, /* the same, of 8 bytes */
	CAPTURE_SIZE_COUNT
};

enum capture_rule_flag {
	CAPTURE_INDIRECT = 1 << 0, /* the address is what is at `at`, not `at` itself */
	CAPTURE_BUFFERS = 1 << 1, /* of vectors and messages: what they point to, too */
	CAPTURE_CHANGES = 1 << 2, /* the call writes there: at its exit it is too late */
	CAPTURE_IF_ANY = 1 << 3, /* only where the call returned more than 0 */
	CAPTURE_FAILED = 1 << 4, /* also where it failed */
	/* Only where argument `only_arg` ... */
	CAPTURE_ONLY_IS = 1 << 5, /* is `only` */
	CAPTURE_ONLY_ONE_OF = 1 << 6, /* has one of the low six bits whose numbers are set in it */
	CAPTURE_ONLY_WITH = 1 << 7, /* has one of its bits */
};

struct capture_rule {
	uint64_t only;
	uint8_t arg;
	uint8_t kind; /* enum capture_kind */
	uint8_t size; /* enum capture_size */
	uint8_t size_arg; /* of those that have one */
	uint16_t unit;
	uint16_t max; /* bytes; of BYTES there may be more than one chunk has */
	uint16_t at; /* the address is so far behind what the argument points to */
	uint16_t size_at;
	uint8_t shift;
	uint8_t flags; /* enum capture_rule_flag */
	uint8_t only_arg;
	uint8_t unused;
};

struct capture_call {
	uint8_t at_enter, at_exit; /* rules: those first, then these, of calls that succeeded ... */
	uint8_t failed; /* ... of which some are for those that failed, too */
	uint8_t unused[5];
	struct capture_rule rules[CAPTURE_RULES];
};

/*
 * What requests of ioctl() read and fill in, in a table that is looked into from
 * CAPTURE_REQUEST_AT() on, around its end; code 0 is none.
 */
#define CAPTURE_REQUESTS 1024
#define CAPTURE_REQUEST_TRIES 8
#define CAPTURE_REQUEST_AT(code, i) \
	((((uint32_t)(code)*0x9e3779b1u >> 22) + (i)) & (CAPTURE_REQUESTS - 1))

struct capture_request {
	uint32_t code;
	uint16_t at_enter, at_exit; /* bytes */
};

struct capture_rules {
	uint8_t origin, late_origin; /* that chunks get, and those that are CAPTURE_LATER */
	uint16_t text_bytes; /* of buffers that elements of arrays point to */
	struct capture_call calls[CAPTURE_CALLS];
	struct capture_request requests[CAPTURE_REQUESTS];
};

#endif
