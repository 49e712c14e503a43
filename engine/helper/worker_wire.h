/*
 * worker_wire - what the program and its stack worker say to each other.
 *
 * Both are one binary on one machine, so messages are structs as they lie in
 * memory, one per packet of a SOCK_SEQPACKET socket, files as descriptors
 * beside them. The worker reads foreign files and may have been taken over:
 * everything it says is checked by wire_read_*, which never read past the
 * bytes that came. Any thread.
 */
#ifndef HELPER_WORKER_WIRE_H
#define HELPER_WORKER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_BYTES_MAX ((size_t)64 << 10) /* of any message */
#define WIRE_OFFSETS_MAX 256u /* questions in one request */
#define WIRE_NAME_MAX 1023u
#define WIRE_PATH_MAX 1023u
#define WIRE_FRAMES_MAX 24u /* inlined functions at one address, and what they are in */
#define WIRE_ID_MAX 64u
#define WIRE_FILE_NAME_MAX 255u

enum wire_kind {
	WIRE_HELLO, /* worker to program, first: it is locked in */
	WIRE_OPEN, /* takes the descriptor that comes along; answered with wire_file, or -EAGAIN */
	WIRE_NAMES, /* offsets to functions, from symbol tables alone */
	WIRE_LINES, /* offsets to source lines and inlined functions, from DWARF */
	WIRE_RING, /* takes the memory that samples lie in; offsets: how many bytes it has */
	WIRE_MAP, /* `file` (0: none) is mapped; offsets as in wire_map */
	WIRE_FORGET, /* offsets: spaces that are mapped anew, or not asked about any more */
	WIRE_UNWIND, /* offsets of samples in the ring; answered with wire_unwound */
	WIRE_KIND_COUNT
};

enum wire_role {
	WIRE_MAIN, /* the file that is mapped */
	WIRE_DEBUG, /* its debug information, a separate file */
	WIRE_ALT, /* what several debug files share (dwz) */
};

struct wire_request {
	uint32_t kind;
	uint32_t file; /* a number that the program chose */
	uint32_t role; /* of WIRE_OPEN */
	uint32_t count;
	uint64_t offsets[WIRE_OFFSETS_MAX]; /* in the file that is mapped */
};

struct wire_reply {
	uint32_t kind;
	int32_t error; /* 0 or -errno */
	uint32_t count; /* offsets answered: the first so many */
	uint32_t bytes; /* that follow */
};

enum wire_file_flag {
	WIRE_HAS_SYMTAB = 1 << 0,
	WIRE_HAS_DYNSYM = 1 << 1,
	WIRE_HAS_DWARF = 1 << 2,
	WIRE_WANTS_DEBUG = 1 << 3, /* a separate debug file may say more */
	WIRE_WANTS_ALT = 1 << 4,
	WIRE_HAS_UNWIND = 1 << 5, /* something to unwind by */
};

struct wire_file {
	uint32_t flags;
	uint32_t build_id_bytes;
	uint8_t build_id[WIRE_ID_MAX];
	uint32_t alt_id_bytes; /* of the shared debug file that this one refers to */
	uint8_t alt_id[WIRE_ID_MAX];
	uint64_t code_offset, code_bytes; /* of the first segment that is executed */
	char debuglink[WIRE_FILE_NAME_MAX + 1]; /* NUL-terminated; "" none */
};

/* One frame of an answer; name_bytes and path_bytes of text follow it. */
struct wire_frame {
	uint64_t offset; /* from the start of the function */
	uint32_t line;
	uint16_t name_bytes;
	uint16_t path_bytes;
	uint8_t inlined; /* into the frame that follows */
};

/* An answer is a uint32_t number of frames, then the frames. */
struct wire_writer {
	unsigned char *at, *end;
	bool full; /* something did not fit: nothing after it was written either */
};

void wire_write_count(struct wire_writer *writer, uint32_t count);
void wire_write_bytes(struct wire_writer *writer, const void *bytes, size_t len);
/* Cuts name and path at their limits. path may be NULL. */
void wire_write_frame(struct wire_writer *writer, const char *name, const char *path,
		      uint64_t offset, uint32_t line, bool inlined);

/* -- Unwinding: samples lie in memory that both sides have, see unwinder.h. ------- */

#define WIRE_UNWIND_FRAMES_MAX 512u
#define WIRE_READS_MAX 2048u

/* The order of the offsets of WIRE_MAP. */
enum wire_map {
	WIRE_MAP_SPACE,
	WIRE_MAP_START,
	WIRE_MAP_END,
	WIRE_MAP_FILE_OFFSET, /* of start */
	WIRE_MAP_ADDRESS, /* what was asked for: between start and end */
	WIRE_MAP_IS_CODE, /* 1: it may be executed; 0: not, or nothing is known of it */
	WIRE_MAP_COUNT
};

/* At the start of the ring: who was at work when a worker died over it. */
struct wire_blame {
	_Atomic uint32_t file; /* 0: none */
};

#define WIRE_RING_FIRST 64u /* samples begin here, each at a multiple of 8 */

/* x86-64, as DWARF numbers them. */
enum { WIRE_REGS = 17, WIRE_REG_BP = 6, WIRE_REG_SP = 7, WIRE_REG_IP = 16 };

/* In the ring, the bytes from the stack pointer up behind it. */
struct wire_sample {
	uint32_t space; /* a number that the program chose */
	uint32_t bytes;
	uint64_t known; /* a bit for each register */
	uint64_t regs[WIRE_REGS];
};

enum wire_unwound_state {
	WIRE_UNWOUND, /* to the outermost frame */
	WIRE_STOPPED, /* it could not go further */
	WIRE_CUT, /* it goes on, but there are too many frames */
	WIRE_NEEDS_MAP, /* nothing is known of `address`: ask again with WIRE_MAP */
	WIRE_UNWOUND_STATE_COUNT
};

/* An answer; frames times uint64_t and reads times wire_read follow. */
struct wire_unwound {
	uint16_t state;
	uint16_t frames;
	uint16_t reads; /* what it depends on, in order; 0: more than can be told */
	uint16_t guessed; /* frames from this one on; 0: none */
	uint64_t address;
};

/* A register, or the word that many bytes from the stack pointer. */
struct wire_read {
	int32_t at;
	uint32_t is_register;
};

struct wire_reader {
	const unsigned char *at, *end;
};

/* false: the message is broken. */
bool wire_read_count(struct wire_reader *reader, uint32_t *count);
/* name and path are borrowed from the message and not NUL-terminated. */
bool wire_read_frame(struct wire_reader *reader, struct wire_frame *frame, const char **name,
		     const char **path);
/* ips and reads are borrowed from the message, which is aligned to 8. */
bool wire_read_unwound(struct wire_reader *reader, struct wire_unwound *unwound,
		       const uint64_t **ips, const struct wire_read **reads);
bool wire_read_file(struct wire_reader *reader, struct wire_file *file);

#endif
