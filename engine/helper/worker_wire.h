/*
 * worker_wire - the protocol between stxtop and its stack worker.
 *
 * Both sides are one binary on one machine, so messages are plain structs. A packet of a
 * SOCK_SEQPACKET socket holds one message, with files as descriptors beside it. The worker reads
 * foreign files and may be compromised: wire_read_* check all its messages and never read past the
 * received bytes. Any thread.
 */
#ifndef HELPER_WORKER_WIRE_H
#define HELPER_WORKER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_BYTES_MAX ((size_t)64 << 10) /* per message */
#define WIRE_OFFSETS_MAX 256u /* per request */
#define WIRE_NAME_MAX 1023u
#define WIRE_PATH_MAX 1023u
#define WIRE_FRAMES_MAX 24u /* at one address: inlined functions and their caller */
#define WIRE_ID_MAX 64u
#define WIRE_FILE_NAME_MAX 255u

enum wire_kind {
	WIRE_HELLO, /* worker to stxtop, first message: the sandbox is in force */
	WIRE_OPEN, /* opens the file of the passed descriptor; reply: wire_file, or -EAGAIN */
	WIRE_NAMES, /* looks up the functions at the offsets, in symbol tables alone */
	WIRE_LINES, /* looks up source lines and inlined functions at the offsets, in DWARF */
	WIRE_RING, /* maps the passed memory with the samples; offsets[0]: its size */
	WIRE_MAP, /* adds a mapping of `file` (0: none); offsets as in wire_map */
	WIRE_FORGET, /* offsets: spaces that changed or are no longer in use */
	WIRE_UNWIND, /* unwinds the samples at these offsets in the ring; reply: wire_unwound */
	WIRE_KIND_COUNT
};

enum wire_role {
	WIRE_MAIN, /* the mapped file */
	WIRE_DEBUG, /* separate debug file of the mapped file */
	WIRE_ALT, /* file that several debug files share (dwz) */
};

struct wire_request {
	uint32_t kind;
	uint32_t file; /* an id that stxtop chose */
	uint32_t role; /* for WIRE_OPEN */
	uint32_t count;
	uint64_t offsets[WIRE_OFFSETS_MAX]; /* in the mapped file, unless the kind says otherwise */
};

struct wire_reply {
	uint32_t kind;
	int32_t error; /* 0 or -errno */
	uint32_t count; /* the first `count` offsets have a reply */
	uint32_t bytes; /* bytes of data after this struct */
};

enum wire_file_flag {
	WIRE_HAS_SYMTAB = 1 << 0,
	WIRE_HAS_DYNSYM = 1 << 1,
	WIRE_HAS_DWARF = 1 << 2,
	WIRE_WANTS_DEBUG = 1 << 3, /* a separate debug file may have more symbols */
	WIRE_WANTS_ALT = 1 << 4,
	WIRE_HAS_UNWIND = 1 << 5, /* has data for unwinding */
};

struct wire_file {
	uint32_t flags;
	uint32_t build_id_bytes;
	uint8_t build_id[WIRE_ID_MAX];
	uint32_t alt_id_bytes; /* id of the shared debug file that this file refers to */
	uint8_t alt_id[WIRE_ID_MAX];
	uint64_t code_offset, code_bytes; /* of the first executable segment */
	char debuglink[WIRE_FILE_NAME_MAX + 1]; /* NUL-terminated; "": none */
};

/* One frame of a reply; name_bytes and path_bytes of text follow it. */
struct wire_frame {
	uint64_t offset; /* from the start of the function */
	uint32_t line;
	uint16_t name_bytes;
	uint16_t path_bytes;
	uint8_t inlined; /* 1: inlined into the next frame */
};

/* A reply is a uint32_t number of frames, then the frames. */
struct wire_writer {
	unsigned char *at, *end;
	bool full; /* something did not fit; all later writes were dropped too */
};

void wire_write_count(struct wire_writer *writer, uint32_t count);
void wire_write_bytes(struct wire_writer *writer, const void *bytes, size_t len);
/* Truncates name and path to their limits. path may be NULL. */
void wire_write_frame(struct wire_writer *writer, const char *name, const char *path,
		      uint64_t offset, uint32_t line, bool inlined);

/* -- Unwinding: samples are in memory shared by both sides, see unwinder.h. ------- */

#define WIRE_UNWIND_FRAMES_MAX 512u
#define WIRE_READS_MAX 2048u

/* The order of the offsets in WIRE_MAP. */
enum wire_map {
	WIRE_MAP_SPACE,
	WIRE_MAP_START,
	WIRE_MAP_END,
	WIRE_MAP_FILE_OFFSET, /* file offset of START */
	WIRE_MAP_ADDRESS, /* the requested address, between START and END */
	WIRE_MAP_IS_CODE, /* 1: executable; 0: not executable, or unknown */
	WIRE_MAP_COUNT
};

/* At the start of the ring: the file in use, to be blamed if the worker dies. */
struct wire_blame {
	_Atomic uint32_t file; /* 0: none */
};

#define WIRE_RING_FIRST 64u /* offset of the first sample; all are multiples of 8 */

/* Registers of x86-64, as DWARF numbers them. */
enum { WIRE_REGS = 17, WIRE_REG_BP = 6, WIRE_REG_SP = 7, WIRE_REG_IP = 16 };

/* A sample in the ring, followed by the stack bytes from the stack pointer upwards. */
struct wire_sample {
	uint32_t space; /* an id that stxtop chose */
	uint32_t bytes;
	uint64_t known; /* bitmap of the registers with a value in regs */
	uint64_t regs[WIRE_REGS];
};

enum wire_unwound_state {
	WIRE_UNWOUND, /* up to the outermost frame */
	WIRE_STOPPED, /* could not continue */
	WIRE_CUT, /* the stack continues, but there are too many frames */
	WIRE_NEEDS_MAP, /* the mapping of `address` is unknown: repeat after WIRE_MAP */
	WIRE_UNWOUND_STATE_COUNT
};

/* A reply, followed by `frames` uint64_t and `reads` struct wire_read. */
struct wire_unwound {
	uint16_t state;
	uint16_t frames;
	uint16_t reads; /* inputs of the result, in order; 0: too many to list */
	uint16_t guessed; /* first guessed frame, by index; all later ones are guessed; 0: none */
	uint64_t address;
};

/* An input: register number `at`, or the word `at` bytes from the stack pointer. */
struct wire_read {
	int32_t at;
	uint32_t is_register;
};

struct wire_reader {
	const unsigned char *at, *end;
};

/* False: the message is malformed. */
bool wire_read_count(struct wire_reader *reader, uint32_t *count);
/* name and path are borrowed from the message and are not NUL-terminated. */
bool wire_read_frame(struct wire_reader *reader, struct wire_frame *frame, const char **name,
		     const char **path);
/* ips and reads are borrowed from the message, which is aligned to 8. */
bool wire_read_unwound(struct wire_reader *reader, struct wire_unwound *unwound,
		       const uint64_t **ips, const struct wire_read **reads);
bool wire_read_file(struct wire_reader *reader, struct wire_file *file);

#endif
