/*
 * embedded_names - names of addresses stored in a recording, for use without the recorded files.
 *
 * Names are keyed by file and offset, as in dso.h, so they hold for every process that maps the
 * file. Names of the kernel and of generated code are keyed by address.
 *
 * The layout is little-endian, version EMBEDDED_NAMES_VERSION: struct embedded_head, then files,
 * replies, frames, texts and paths. Each text and path ends with NUL. The data is untrusted: an
 * inconsistent block is rejected as a whole, and texts are made safe to show. Immutable once made:
 * any thread.
 */
#ifndef STACK_EMBEDDED_NAMES_H
#define STACK_EMBEDDED_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define EMBEDDED_NAMES_VERSION 1

struct embedded_head {
	uint32_t files, replies, frames;
	uint32_t text_bytes, path_bytes; /* the text at offset 0 is empty */
	uint32_t unused;
};

enum embedded_kind {
	EMBEDDED_FILE, /* keyed by path, device and inode */
	EMBEDDED_VDSO, /* same key; offsets count from the start of the mapping */
	EMBEDDED_GENERATED, /* memory of the process `pid`; offsets are addresses */
	EMBEDDED_KERNEL, /* offsets are addresses; a frame's file is the module, as shown */
	EMBEDDED_KIND_COUNT
};

struct embedded_file {
	uint64_t inode, inode_generation;
	uint32_t dev_major, dev_minor;
	uint32_t kind, pid;
	uint32_t path; /* offset in the paths; raw, as reported by the kernel */
	uint32_t first, count; /* replies, sorted by offset; files may share them */
	uint32_t unused;
};

struct embedded_reply {
	uint64_t offset;
	uint32_t first, count; /* frames, innermost first */
};

struct embedded_frame {
	uint64_t offset; /* from the start of the function */
	uint32_t line;
	uint32_t symbol, file; /* offsets in the texts; 0: unknown */
	uint32_t inlined;
};

struct embedded_names;
struct mapping;

/* Take ownership of the bytes, which are from malloc(). NULL if they are malformed. */
struct embedded_names *embedded_names_new(char *take_bytes, size_t len);
void embedded_names_free(struct embedded_names *kept);

/* All results are borrowed; NULL: not embedded. `kept` may be NULL in the first three functions. */
const struct embedded_file *embedded_names_file(const struct embedded_names *kept,
						enum embedded_kind kind,
						const struct mapping *mapping);
const struct embedded_file *embedded_names_generated(const struct embedded_names *kept,
						     uint32_t pid);
const struct embedded_file *embedded_names_kernel(const struct embedded_names *kept);
const struct embedded_reply *embedded_names_find(const struct embedded_names *kept,
						 const struct embedded_file *file, uint64_t offset);
const struct embedded_frame *embedded_names_frames(const struct embedded_names *kept,
						   const struct embedded_reply *reply);
/* Return NULL for 0. */
const char *embedded_names_text(const struct embedded_names *kept, uint32_t text);

#endif
