/*
 * unwind_state - the state of a walk over one sample, and the functions that work on it.
 *
 * For unwind_walk.c, unwind_space.c, unwind_access.c and unwind_search.c only. Worker process only.
 */
#ifndef WORKER_UNWIND_STATE_H
#define WORKER_UNWIND_STATE_H

#include "engine/base/idmap.h"
#include "engine/helper/worker_wire.h"
#include "engine/stack/worker/unwind_table.h"

#include <libunwind.h>

#define REWRITTEN_MAX 4096u
#define ACCESSES_MAX 200000u /* of one sample: expressions in foreign files may loop */

struct walk_module {
	uint64_t start, end; /* of the mapping */
	uint64_t low, high; /* of everything that its file has in memory */
	uint64_t bias; /* of addresses in memory over those in the file */
	uint32_t file;
	bool is_code;
	struct symbol_elf *elf; /* NULL: no file, or none that can be read */
	struct unwind_table *table;
};

struct walk_space {
	unw_addr_space_t as;
	struct walk_module *modules;
	size_t count, capacity;
	size_t last; /* found */
};

struct symbol_files;

struct unwind_walk {
	struct symbol_files *files;
	struct idmap spaces; /* by number */
	struct idmap tables; /* of files, by number */
	unsigned char *ring;
	size_t ring_bytes;
	bool ring_is_mapped;

	/* The sample at hand. */
	struct walk_space *space;
	const struct wire_sample *sample;
	const unsigned char *stack;
	uint64_t sp;
	uint64_t need; /* the address that nothing is known of; 0: none */
	bool incomplete; /* something was not there: not the way a stack ends */
	bool wants_rbp; /* that was %rbp, which is not known */
	bool undescribed; /* no file says anything on the frame */
	uint64_t last_sp; /* of the outermost frame so far */
	/*
	 * With a guess: what %rbp is taken for, and how many frames there are without it. The
	 * guess is wrong if one of the others is not where a call returns to.
	 */
	uint64_t guess;
	uint16_t certain;
	bool wrong;
	/* Behind a frame that only its frame pointer led out of: what is known there. */
	bool by_pointer;
	uint64_t pointer_ip, pointer_sp, pointer_bp;
	uint32_t accesses;
	uint16_t frames;
	uint32_t reads_count; /* past WIRE_READS_MAX: too many to tell */
	uint64_t ips[WIRE_UNWIND_FRAMES_MAX];
	struct wire_read reads[WIRE_READS_MAX];

	/*
	 * Memory that no process has, near the code so that offsets of 32 bits reach it:
	 * an index of one entry and, from .debug_frame, the description itself.
	 */
	uint64_t made_address;
	size_t made_bytes; /* 0: there is none now */
	_Alignas(8) unsigned char made[REWRITTEN_MAX];
};

/* -- unwind_space: what is mapped. ---------------------------------------------------- */

/* Made if it is not known. */
struct walk_space *unwind_space_get(struct unwind_walk *walk, uint32_t number);
void unwind_space_forget_all(struct unwind_walk *walk);
/* NULL: nothing was told of what is mapped there. */
struct walk_module *unwind_walk_module(struct unwind_walk *walk, uint64_t address);
/* A word that is in one of the files: code, or data as it was at the start. */
bool unwind_space_read(struct unwind_walk *walk, uint64_t address, uint64_t *value);

/* -- unwind_access: what libunwind asks for. ------------------------------------------ */

/* NULL: no memory. */
unw_addr_space_t unwind_access_new(void);
/* A word of the sampled stack or of a file. */
bool unwind_access_word(struct unwind_walk *walk, uint64_t address, uint64_t *value);
/* The word there is something that the answer depends on; the sampled stack begins at 0. */
void unwind_walk_note(struct unwind_walk *walk, int32_t at, bool is_register);

/* -- unwind_walk ---------------------------------------------------------------------- */

/* Says whose data is read from here on; 0: nobody's. */
void unwind_walk_blame(struct unwind_walk *walk, uint32_t file);
/* From the innermost frame on, with or without a guess. */
enum wire_unwound_state unwind_walk_frames(struct unwind_walk *walk);

#endif
