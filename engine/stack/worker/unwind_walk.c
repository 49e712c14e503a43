#include "engine/stack/worker/unwind_walk.h"

#include "engine/base/mem.h"
#include "engine/stack/worker/unwind_search.h"
#include "engine/stack/worker/unwind_state.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct unwind_walk *unwind_walk_new(struct symbol_files *files)
{
	struct unwind_walk *walk = mem_zalloc(1, sizeof(*walk));

	walk->files = files;
	idmap_init(&walk->spaces);
	idmap_init(&walk->tables);
	return walk;
}

static void drop_ring(struct unwind_walk *walk)
{
	if (walk->ring_is_mapped)
		munmap(walk->ring, walk->ring_bytes);
	walk->ring = NULL;
	walk->ring_bytes = 0;
	walk->ring_is_mapped = false;
}

void unwind_walk_free(struct unwind_walk *walk)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!walk)
		return;
	unwind_space_forget_all(walk);
	idmap_release(&walk->spaces);
	while ((slot = idmap_next(&walk->tables, &cursor)))
		unwind_table_free(slot->value);
	idmap_release(&walk->tables);
	drop_ring(walk);
	free(walk);
}

int unwind_walk_ring(struct unwind_walk *walk, int take_fd, uint64_t bytes)
{
	void *ring;

	if (take_fd < 0)
		return -EBADF;
	drop_ring(walk);
	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, take_fd, 0);
	close(take_fd);
	if (ring == MAP_FAILED)
		return -errno;
	walk->ring = ring;
	walk->ring_bytes = bytes;
	walk->ring_is_mapped = true;
	return 0;
}

void unwind_walk_borrow_ring(struct unwind_walk *walk, unsigned char *ring, size_t bytes)
{
	drop_ring(walk);
	walk->ring = ring;
	walk->ring_bytes = bytes;
}

void unwind_walk_blame(struct unwind_walk *walk, uint32_t file)
{
	struct wire_blame *note = (struct wire_blame *)(void *)walk->ring;

	if (note)
		atomic_store_explicit(&note->file, file, memory_order_relaxed);
}

/*
 * Step over a function without a frame description, such as generated code, by its frame pointer.
 * The frame pointer must point into the stack, below a code address. Return values as unw_step(): 0
 * is the end.
 */
static int step_by_pointer(struct unwind_walk *walk, unw_cursor_t *cursor)
{
	const uint64_t end = walk->sp + walk->sample->bytes;
	unw_word_t bp, caller_bp, returns_to;
	const struct walk_module *module;

	if (unw_get_reg(cursor, UNW_X86_64_RBP, &bp) < 0)
		return -UNW_EBADREG;
	/* In the ABI, a frame pointer of 0 marks the outermost frame. */
	walk->incomplete = bp != 0;
	if (!bp)
		return 0;
	if (bp < walk->last_sp || bp >= end || (bp - walk->sp) % 8 || end - bp < 16 ||
	    !unwind_access_word(walk, bp, &caller_bp) ||
	    !unwind_access_word(walk, bp + 8, &returns_to) || !returns_to)
		return -UNW_EBADFRAME;
	module = unwind_walk_module(walk, returns_to - 1);
	if (!module)
		walk->need = returns_to - 1;
	if (!module || !module->is_code)
		return -UNW_EBADFRAME;
	walk->by_pointer = true;
	/* Give libunwind an address inside the call: it looks up exactly this address. */
	walk->pointer_ip = returns_to - 1;
	walk->pointer_sp = bp + 16;
	walk->pointer_bp = caller_bp;
	return unw_init_remote(cursor, walk->space->as, walk) < 0 ? -UNW_EBADFRAME : 1;
}

enum wire_unwound_state unwind_walk_frames(struct unwind_walk *walk)
{
	bool below_trampoline = false, below_pointer = false;
	unw_cursor_t cursor;

	walk->frames = 0;
	walk->last_sp = 0;
	walk->wrong = false;
	walk->by_pointer = false;
	if (!walk->space->as || unw_init_remote(&cursor, walk->space->as, walk) < 0)
		return WIRE_STOPPED;
	for (;;) {
		unw_word_t ip, sp;
		bool is_trampoline, was_interrupted;
		int code;

		if (unw_get_reg(&cursor, UNW_REG_IP, &ip) < 0 ||
		    unw_get_reg(&cursor, UNW_REG_SP, &sp) < 0)
			return WIRE_STOPPED;
		if (!ip)
			return WIRE_UNWOUND;
		ip += below_pointer;
		/*
		 * The "signal frame" of libunwind is not the trampoline, but the interrupted frame.
		 */
		was_interrupted = below_trampoline || unw_is_signal_frame(&cursor) > 0;
		/* Frames of a handler may be on an alternate signal stack. */
		if (walk->frames && !was_interrupted && sp <= walk->last_sp)
			return WIRE_STOPPED;
		if (walk->frames == WIRE_UNWIND_FRAMES_MAX)
			return WIRE_CUT;
		is_trampoline = unwind_search_sigreturn(walk, ip);
		if (walk->guess && walk->frames >= walk->certain && !is_trampoline &&
		    !was_interrupted && !unwind_search_returns(walk, ip)) {
			walk->wrong = true;
			return walk->need ? WIRE_NEEDS_MAP : WIRE_STOPPED;
		}
		/*
		 * Callers are looked up one byte earlier, inside the call. If there was no call,
		 * add that byte, so that all frames are handled alike.
		 */
		walk->ips[walk->frames] = ip + (walk->frames && (is_trampoline || was_interrupted));
		walk->frames++;
		walk->last_sp = sp;
		below_trampoline = is_trampoline;
		walk->incomplete = walk->wants_rbp = walk->undescribed = false;
		code = unw_step(&cursor);
		if (walk->undescribed && !walk->need)
			code = step_by_pointer(walk, &cursor);
		below_pointer = walk->undescribed;
		if (walk->need)
			return WIRE_NEEDS_MAP;
		if (code < 0 || (code == 0 && walk->incomplete) || walk->accesses > ACCESSES_MAX)
			return WIRE_STOPPED;
		if (code == 0)
			return WIRE_UNWOUND;
	}
}

static enum wire_unwound_state unwind(struct unwind_walk *walk)
{
	enum wire_unwound_state state = unwind_walk_frames(walk);

	if (state == WIRE_STOPPED && walk->frames && walk->wants_rbp)
		state = unwind_search(walk);
	return state;
}

void unwind_walk_sample(struct unwind_walk *walk, uint64_t at, struct wire_writer *writer)
{
	const struct wire_sample *sample = (const void *)(walk->ring + at);
	struct wire_unwound unwound = { .state = WIRE_STOPPED };
	bool is_there = at % 8 == 0 && at < walk->ring_bytes &&
			walk->ring_bytes - at >= sizeof(*sample) &&
			walk->ring_bytes - at - sizeof(*sample) >= sample->bytes;

	walk->need = 0;
	walk->made_bytes = 0;
	walk->accesses = 0;
	walk->frames = 0;
	walk->reads_count = 0;
	walk->guess = 0;
	if (is_there) {
		walk->sample = sample;
		walk->stack = (const unsigned char *)(sample + 1);
		walk->sp = sample->regs[WIRE_REG_SP];
		walk->space = unwind_space_get(walk, sample->space);
		unwound.state = (uint16_t)unwind(walk);
		unwind_walk_blame(walk, 0);
	}
	unwound.address = walk->need;
	if (unwound.state != WIRE_NEEDS_MAP) {
		unwound.frames = walk->frames;
		unwound.guessed = walk->guess ? walk->certain : 0;
		unwound.reads = walk->reads_count <= WIRE_READS_MAX ? (uint16_t)walk->reads_count
								    : 0;
	}
	wire_write_bytes(writer, &unwound, sizeof(unwound));
	wire_write_bytes(writer, walk->ips, unwound.frames * sizeof(walk->ips[0]));
	wire_write_bytes(writer, walk->reads, unwound.reads * sizeof(walk->reads[0]));
}
