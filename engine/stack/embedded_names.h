/*
 * embedded_names - names of addresses that a recording brings along, for where its files are not.
 *
 * They are kept by file and offset, as dso.h asks for them, so that they hold for every process
 * that has the file mapped; those of the kernel and of generated code by address. The layout,
 * little-endian, version EMBEDDED_NAMES_VERSION: struct embedded_head, then its files, answers,
 * frames, texts and paths, each text and path with its NUL. Anybody may have written it: what does
 * not add up is refused as a whole, and texts are made safe to show. Immutable once made: any
 * thread.
 */
#ifndef STACK_EMBEDDED_NAMES_H
#define STACK_EMBEDDED_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define EMBEDDED_NAMES_VERSION 1

struct embedded_head {
	uint32_t files, replies, frames;
	uint32_t text_bytes, path_bytes; /* texts begin with an empty one */
	uint32_t unused;
};

enum embedded_kind {
	EMBEDDED_FILE, /* known by path, device and inode */
	EMBEDDED_VDSO, /* the same; offsets count from where it is mapped */
	EMBEDDED_GENERATED, /* memory of the process `pid`; offsets are addresses */
	EMBEDDED_KERNEL, /* the same of the kernel; a frame's file is the module, as shown */
	EMBEDDED_KIND_COUNT
};

struct embedded_file {
	uint64_t inode, inode_generation;
	uint32_t dev_major, dev_minor;
	uint32_t kind, pid;
	uint32_t path; /* in the paths, as the kernel named it */
	uint32_t first, count; /* answers, by offset; several files may have the same */
	uint32_t unused;
};

struct embedded_reply {
	uint64_t offset;
	uint32_t first, count; /* frames, innermost first */
};

struct embedded_frame {
	uint64_t offset; /* from the start of the function */
	uint32_t line;
	uint32_t symbol, file; /* in the texts; 0: not known */
	uint32_t inlined;
};

struct embedded_names;
struct mapping;

/* Takes the bytes, which malloc() made. NULL: they are not what is described above. */
struct embedded_names *embedded_names_new(char *take_bytes, size_t len);
void embedded_names_free(struct embedded_names *kept);

/* Borrowed, all of these, and NULL where nothing is kept. `kept` may be NULL. */
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
/* NULL for 0. */
const char *embedded_names_text(const struct embedded_names *kept, uint32_t text);

#endif
