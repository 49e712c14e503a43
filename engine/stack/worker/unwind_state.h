/*
 * unwind_state - the state of a walk over one sample, and the functions that work on it.
 *
 * Private to unwind_walk.c, unwind_space.c, unwind_access.c and unwind_search.c. Worker process
 * only.
 */
#ifndef WORKER_UNWIND_STATE_H
#define WORKER_UNWIND_STATE_H

#include "engine/base/idmap.h"
#include "engine/helper/worker_wire.h"
#include "engine/stack/worker/unwind_table.h"

#include <libunwind.h>

#define REWRITTEN_MAX 4096u
#define ACCESSES_MAX 200000u /* limit per sample: expressions in untrusted files can loop */

struct walk_module {
	uint64_t start, end; /* range of the mapping */
	uint64_t low, high; /* range of all segments of its file in memory */
	uint64_t bias; /* address in memory minus address in the file */
	uint32_t file;
	bool is_code;
	struct symbol_elf *elf; /* NULL: no file, or an unreadable one */
	struct unwind_table *table;
};

struct walk_space {
	unw_addr_space_t as;
	struct walk_module *modules;
	size_t count, capacity;
	size_t last; /* index of the last hit */
};

struct symbol_files;

struct unwind_walk {
	struct symbol_files *files;
	struct idmap spaces; /* by number */
	struct idmap tables; /* unwind tables of files, by number */
	unsigned char *ring;
	size_t ring_bytes;
	bool ring_is_mapped;

	/* The current sample. */
	struct walk_space *space;
	const struct wire_sample *sample;
	const unsigned char *stack;
	uint64_t sp;
	uint64_t need; /* address whose mapping is unknown; 0: none */
	bool incomplete; /* a word or register was missing: not a proper end of a stack */
	bool wants_rbp; /* the missing register is %rbp */
	bool undescribed; /* no file describes the frame */
	uint64_t last_sp; /* stack pointer of the outermost frame so far */
	/*
	 * With a guess: the value assumed for %rbp, and the number of frames found without it. The
	 * guess is wrong if a later frame is not at a return address.
	 */
	uint64_t guess;
	uint16_t certain;
	bool wrong;
	/* After a step by frame pointer only: the known registers. */
	bool by_pointer;
	uint64_t pointer_ip, pointer_sp, pointer_bp;
	uint32_t accesses;
	uint16_t frames;
	uint32_t reads_count; /* above WIRE_READS_MAX: too many to report */
	uint64_t ips[WIRE_UNWIND_FRAMES_MAX];
	struct wire_read reads[WIRE_READS_MAX];

	/*
	 * Memory that exists in no process, within 32-bit offsets of the code. It holds an index of
	 * one entry and, if from .debug_frame, the description itself.
	 */
	uint64_t made_address;
	size_t made_bytes; /* 0: unused now */
	_Alignas(8) unsigned char made[REWRITTEN_MAX];
};

/* -- unwind_space: mappings ----------------------------------------------------------- */

/* Return the space, created if new. */
struct walk_space *unwind_space_get(struct unwind_walk *walk, uint32_t number);
void unwind_space_forget_all(struct unwind_walk *walk);
/* Return the mapping at an address. NULL: unknown. */
struct walk_module *unwind_walk_module(struct unwind_walk *walk, uint64_t address);
/* Read a word from one of the files: code, or the initial value of data. */
bool unwind_space_read(struct unwind_walk *walk, uint64_t address, uint64_t *value);

/* -- unwind_access: callbacks for libunwind ------------------------------------------- */

/* Return NULL if out of memory. */
unw_addr_space_t unwind_access_new(void);
/* Read a word of the sampled stack or of a file. */
bool unwind_access_word(struct unwind_walk *walk, uint64_t address, uint64_t *value);
/* Record a register, or an offset in the sampled stack, on which the result depends. */
void unwind_walk_note(struct unwind_walk *walk, int32_t at, bool is_register);

/* -- unwind_walk ---------------------------------------------------------------------- */

/* Mark the file that is read next, to be blamed for a crash; 0: none. */
void unwind_walk_blame(struct unwind_walk *walk, uint32_t file);
/* Walk from the innermost frame, with or without a guess. */
enum wire_unwound_state unwind_walk_frames(struct unwind_walk *walk);

#endif
