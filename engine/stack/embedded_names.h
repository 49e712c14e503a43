/*
 * embedded_names - names of addresses that a recording brings along, for where its files are not.
 *
 * They are kept by file and offset, as dso.h asks for them, so that they hold for every process
 * that has the file mapped; those of the kernel and of generated code by address. The layout,
 * little-endian, version KEPT_NAMES_VERSION: struct kept_head, then its files, answers, frames,
 * texts and paths, each text and path with its NUL. Anybody may have written it: what does not add
 * up is refused as a whole, and texts are made safe to show. Immutable once made: any thread.
 */
#ifndef STACK_EMBEDDED_NAMES_H
#define STACK_EMBEDDED_NAMES_H

#include "engine/stack/spaces.h"

#include <stddef.h>
#include <stdint.h>

#define KEPT_NAMES_VERSION 1

struct kept_head {
	uint32_t files, answers, frames;
	uint32_t text_bytes, path_bytes; /* texts begin with an empty one */
	uint32_t unused;
};

enum kept_kind {
	KEPT_FILE, /* known by path, device and inode */
	KEPT_VDSO, /* the same; offsets count from where it is mapped */
	KEPT_GENERATED, /* memory of the process `pid`; offsets are addresses */
	KEPT_KERNEL, /* the same of the kernel; a frame's file is the module, as shown */
	KEPT_KIND_COUNT
};

struct kept_file {
	uint64_t inode, inode_generation;
	uint32_t dev_major, dev_minor;
	uint32_t kind, pid;
	uint32_t path; /* in the paths, as the kernel named it */
	uint32_t first, count; /* answers, by offset; several files may have the same */
	uint32_t unused;
};

struct kept_answer {
	uint64_t offset;
	uint32_t first, count; /* frames, innermost first */
};

struct kept_frame {
	uint64_t offset; /* from the start of the function */
	uint32_t line;
	uint32_t symbol, file; /* in the texts; 0: not known */
	uint32_t inlined;
};

struct kept_names;

/* Takes the bytes, which malloc() made. NULL: they are not what is described above. */
struct kept_names *kept_names_new(char *take_bytes, size_t len);
void kept_names_free(struct kept_names *kept);

/* Borrowed, all of these, and NULL where nothing is kept. `kept` may be NULL. */
const struct kept_file *kept_names_file(const struct kept_names *kept, enum kept_kind kind,
					const struct mapping *mapping);
const struct kept_file *kept_names_generated(const struct kept_names *kept, uint32_t pid);
const struct kept_file *kept_names_kernel(const struct kept_names *kept);
const struct kept_answer *kept_names_find(const struct kept_names *kept,
					  const struct kept_file *file, uint64_t offset);
const struct kept_frame *kept_names_frames(const struct kept_names *kept,
					   const struct kept_answer *answer);
/* NULL for 0. */
const char *kept_names_text(const struct kept_names *kept, uint32_t text);

#endif
