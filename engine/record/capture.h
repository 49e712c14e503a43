/*
 * capture - bytes that a call points to, copied at its enter or exit.
 *
 * Format between source and history: consecutive chunks, each a header and its bytes, padded to 8.
 * Each chunk has the address in the calling process from which it was read. The decoder finds
 * memory that a struct points to (buffers of a vector, the name in a message) by that address. All
 * members are fixed-size integers, because BPF programs write the format too.
 *
 * The history stores the chunks of a call unchanged in its arena. The call holds their position
 * there (bytes_at); 0: no chunks.
 */
#ifndef RECORD_CAPTURE_H
#define RECORD_CAPTURE_H

#include <stdint.h>

enum capture_flag {
	CAPTURE_AT_EXIT = 1 << 0, /* copied at the exit, otherwise at the enter */
	CAPTURE_CUT = 1 << 1, /* truncated for lack of room */
	CAPTURE_LATER = 1 << 2, /* an input that was copied during or after the call */
	CAPTURE_NO_MEMORY = 1 << 3, /* a struct capture_file: `address` is its descriptor */
	CAPTURE_TIME = 1 << 4, /* no bytes; `address`: time by which the late reads were complete */
};

struct capture_chunk {
	uint64_t address;
	uint32_t len; /* bytes that follow, without padding */
	uint8_t arg; /* index of the argument that leads to these bytes */
	uint8_t flags; /* enum capture_flag */
	uint8_t origin; /* enum bytes_origin of engine/decode/call_bytes.h */
	uint8_t unused;
};

/*
 * The file behind a descriptor of the caller when a call returned; AT_FDCWD: its current directory.
 * The components of its path follow, each with its NUL, last component first.
 */
struct capture_file {
	uint64_t inode;
	uint32_t magic; /* of the file system (linux/magic.h) */
	uint32_t device; /* of a device node: major << 20 | minor */
	uint16_t mode; /* as st_mode */
	uint8_t flags; /* enum capture_file_flag */
	uint8_t unused[5];
};

enum capture_file_flag {
	CAPTURE_FILE_WHOLE = 1 << 0, /* the path reaches the root of its mount namespace */
	CAPTURE_FILE_DELETED = 1 << 1, /* the file was deleted from that path */
};

/* Follows the struct capture_file of a socket, instead of a path. */
struct capture_socket {
	uint16_t family, type;
	uint16_t local_port, remote_port;
	uint8_t local[16], remote[16]; /* IPv4: the first four bytes */
	uint64_t peer; /* Unix socket: inode of the peer socket; 0: unknown */
	uint32_t id; /* netlink socket: port id; 0 before it has one */
	uint16_t protocol;
	uint16_t unused;
};

#define CAPTURE_CHUNK_BYTES(len) \
	(sizeof(struct capture_chunk) + (((uint64_t)(len) + 7) & ~(uint64_t)7))

/*
 * Rules for what a source copies per syscall, derived from how the decoder shows the arguments
 * (engine/decode/capture_rules.h). Sizes come from registers and memory of the program and are
 * untrusted: the source bounds them by `max`.
 */
#define CAPTURE_CALLS 512 /* this and higher syscall numbers have no rules */
#define CAPTURE_RULES 16 /* maximum number of rules per syscall */
#define CAPTURE_BYTES_MAX 4096 /* maximum number of bytes per chunk */
#define CAPTURE_ITEMS 32 /* maximum number of array elements whose pointers are followed */
#define CAPTURE_POINTERS 1024 /* maximum number of array elements that are only counted */

/* Type of the data at the address. */
enum capture_kind {
	CAPTURE_TEXT, /* NUL-terminated */
	CAPTURE_BYTES, /* as many bytes as the rule's size */
	CAPTURE_REQUEST, /* ioctl(): the request table has the size, by the second argument */
	CAPTURE_VECTOR, /* array of struct iovec */
	CAPTURE_MESSAGE, /* one struct msghdr */
	CAPTURE_MESSAGES, /* array of struct mmsghdr */
	CAPTURE_STRINGS, /* NULL-terminated array of pointers to texts */
	CAPTURE_COUNTED, /* NULL-terminated array of pointers that are not followed */
	CAPTURE_IOCBS, /* array of pointers to struct iocb */
	/* These produce struct capture_file instead of memory. */
	CAPTURE_DESCRIPTOR, /* the file of the descriptor that `size` yields */
	CAPTURE_DIRECTORY, /* the current directory */
	CAPTURE_RIGHTS, /* the files of descriptors received with a struct msghdr */
	CAPTURE_KIND_COUNT
};

/* How to compute the size: number / 2^shift, rounded up, times `unit`. The number is: */
enum capture_size {
	CAPTURE_ALL, /* no number: the size is `max` */
	CAPTURE_BY_ARG, /* argument `size_arg` */
	CAPTURE_BY_RESULT, /* return value */
	CAPTURE_BY_INT, /* the int at address argument `size_arg` + `size_at` */
	CAPTURE_BY_LONG, /* the same with 8 bytes */
	CAPTURE_SIZE_COUNT
};

enum capture_rule_flag {
	CAPTURE_INDIRECT = 1 << 0, /* the address is read at argument + `at`; else it is that sum */
	CAPTURE_BUFFERS = 1 << 1, /* vectors and messages: also copy the buffers */
	CAPTURE_CHANGES = 1 << 2, /* the call changes the data: no copy after a successful exit */
	CAPTURE_IF_ANY = 1 << 3, /* only if the call returned more than 0 */
	CAPTURE_FAILED = 1 << 4, /* also if the call failed */
	/* Only if argument `only_arg` ... */
	CAPTURE_ONLY_IS = 1 << 5, /* equals `only` */
	CAPTURE_ONLY_ONE_OF = 1 << 6, /* is a bit number, modulo 64, that is set in `only` */
	CAPTURE_ONLY_WITH = 1 << 7, /* shares a bit with `only` */
};

struct capture_rule {
	uint64_t only;
	uint8_t arg;
	uint8_t kind; /* enum capture_kind */
	uint8_t size; /* enum capture_size */
	uint8_t size_arg; /* argument index, for sizes that use one */
	uint16_t unit;
	uint16_t max; /* in bytes; CAPTURE_BYTES can fill several chunks */
	uint16_t at; /* offset from the argument to the address */
	uint16_t size_at;
	uint8_t shift;
	uint8_t flags; /* enum capture_rule_flag */
	uint8_t only_arg;
	uint8_t unused;
};

struct capture_call {
	uint8_t at_enter, at_exit; /* number of enter rules, which come first, and of exit rules */
	uint8_t failed; /* 1: at least one of these applies to failed calls too */
	uint8_t unused[5];
	struct capture_rule rules[CAPTURE_RULES];
};

/*
 * Bytes that ioctl() requests read and write. The table is an open-addressed hash table: probe from
 * CAPTURE_REQUEST_AT(code, 0), wrapping at the end. Code 0 marks a free slot.
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
	uint8_t origin, late_origin; /* origin of chunks, and of CAPTURE_LATER chunks */
	uint16_t text_bytes; /* limit for each buffer that an iovec or iocb points to */
	struct capture_call calls[CAPTURE_CALLS];
	struct capture_request requests[CAPTURE_REQUESTS];
};

#endif
