#include "engine/stack/worker/unwind_search.h"

#include "engine/stack/worker/unwind_code.h"
#include "engine/stack/worker/unwind_state.h"

#include <string.h>

#define TRIES_MAX 64u
#define USER_END (1ULL << 47)
#define PROLOGUE_BYTES 32u
/* Callers beyond the guess that make it one, where the sampled bytes end before the stack. */
#define FRAMES_ENOUGH 2u

/* How much speaks for a candidate; those below the last two are not one. */
enum rank {
	RANK_NONE,
	RANK_INDIRECT, /* it was called through a pointer or a PLT: whoever that is */
	RANK_CERTAIN, /* it was called by name, or its frame is just as large as it makes it */
};

struct search {
	struct unwind_walk *walk;
	uint64_t function; /* the start of the one whose frame pointer is searched for */
	uint64_t from; /* the lowest it can be */
	bool from_is_exact; /* unless the function uses alloca() */
	uint64_t best;
	unsigned int best_score;
	unsigned int tries;
};

/* The code at an address up to the end of its segment; NULL: none that can be read. */
static const unsigned char *code_at(const struct walk_module *module, uint64_t address,
				    size_t *bytes)
{
	return module->elf ? symbol_elf_at(module->elf, address - module->bias, bytes) : NULL;
}

/* The start of the function at an address, by what describes its frame; 0: nothing does. */
static uint64_t function_at(struct walk_module *module, uint64_t address)
{
	unsigned char room[REWRITTEN_MAX];
	uint64_t start, at;
	size_t frame_at;

	if (!module->table)
		return 0;
	if (unwind_table_eh(module->table, address - module->bias, &start, &at) ||
	    unwind_table_debug(module->table, address - module->bias, module->bias, &start, room,
			       sizeof(room), &frame_at))
		return start + module->bias;
	return 0;
}

/* NULL: it is no address of code, or not known to be one yet (walk->need). */
static struct walk_module *module_of_code(struct unwind_walk *walk, uint64_t address)
{
	struct walk_module *module;

	/* Most words are numbers, or point into the stack. */
	if (address < 4096 || address >= USER_END || address - walk->sp < walk->sample->bytes)
		return NULL;
	module = unwind_walk_module(walk, address);
	if (!module)
		walk->need = address;
	return module && module->elf && module->is_code ? module : NULL;
}

/* Whether a call ends at an address; *target is what it calls, if it says so, else 0. */
static bool ends_call(const struct walk_module *module, uint64_t address, uint64_t *target)
{
	const unsigned char *code = NULL;
	size_t before = CODE_CALL_BYTES, bytes = 0;
	int64_t distance;

	/* A segment may begin less than that before it. */
	for (; before >= 2 && !code; before -= !code)
		code = code_at(module, address - before, &bytes);
	if (!code || bytes < before || !code_ends_in_call(code, before, &distance))
		return false;
	*target = distance ? address + (uint64_t)distance : 0;
	return true;
}

bool unwind_search_sigreturn(struct unwind_walk *walk, uint64_t address)
{
	const struct walk_module *module = unwind_walk_module(walk, address);
	const unsigned char *code;
	size_t bytes;

	code = module ? code_at(module, address, &bytes) : NULL;
	return code && code_is_sigreturn(code, bytes);
}

bool unwind_search_returns(struct unwind_walk *walk, uint64_t address)
{
	struct walk_module *module = module_of_code(walk, address);
	uint64_t target;

	return module && ends_call(module, address, &target);
}

static enum rank rank_of(struct search *search, uint64_t candidate, uint64_t returns_to)
{
	struct unwind_walk *walk = search->walk;
	struct walk_module *module = module_of_code(walk, returns_to);
	bool is_exact = search->from_is_exact && candidate == search->from;
	uint64_t target;

	if (!module)
		return RANK_NONE;
	if (unwind_search_sigreturn(walk, returns_to))
		return RANK_CERTAIN; /* it handles a signal */
	if (!ends_call(module, returns_to, &target))
		return RANK_NONE;
	if (is_exact || (search->function && target == search->function))
		return RANK_CERTAIN;
	/* What it left behind itself when it called others, or one of these others. */
	if (search->function && function_at(module, returns_to - 1) == search->function)
		return RANK_NONE;
	if (target >= module->low && target < module->high && function_at(module, target) == target)
		return RANK_NONE;
	return RANK_INDIRECT;
}

static uint64_t word_at(struct unwind_walk *walk, uint64_t from_sp)
{
	uint64_t word;

	unwind_walk_note(walk, (int32_t)from_sp, false);
	memcpy(&word, walk->stack + from_sp, sizeof(word));
	return word;
}

/* The walk with a candidate: 0 if it is none, more the better it fits. */
static unsigned int try_candidate(struct search *search, uint64_t candidate, enum rank rank)
{
	struct unwind_walk *walk = search->walk;
	enum wire_unwound_state state;

	walk->guess = candidate;
	state = unwind_walk_frames(walk);
	if (state == WIRE_NEEDS_MAP || walk->wrong || walk->frames <= walk->certain)
		return 0;
	if (state == WIRE_UNWOUND)
		return (unsigned int)rank * 2 + 1;
	return walk->frames >= walk->certain + FRAMES_ENOUGH ? (unsigned int)rank * 2 : 0;
}

/* Where its frame pointer may be, by the function that the walk stopped in. */
static void begin(struct search *search)
{
	struct unwind_walk *walk = search->walk;
	uint64_t ip = walk->ips[walk->frames - 1], frame_bytes;
	struct walk_module *module = unwind_walk_module(walk, ip);
	const unsigned char *code;
	size_t bytes;

	search->from = walk->last_sp;
	if (!module || !module->elf)
		return;
	search->function = function_at(module, ip - (walk->frames > 1));
	code = search->function ? code_at(module, search->function, &bytes) : NULL;
	if (!code)
		return;
	if (bytes > PROLOGUE_BYTES)
		bytes = PROLOGUE_BYTES;
	if (code_frame_bytes(code, bytes, &frame_bytes, &search->from_is_exact))
		search->from += frame_bytes;
}

enum wire_unwound_state unwind_search(struct unwind_walk *walk)
{
	struct search search = { .walk = walk };
	const unsigned int enough = RANK_CERTAIN * 2 + 1;
	uint64_t end = walk->sample->bytes & ~(uint64_t)7;
	uint64_t at;

	walk->certain = walk->frames;
	begin(&search);
	at = search.from - walk->sp;
	if (search.from < walk->sp || at >= end)
		return WIRE_STOPPED;
	/* Frames are aligned to 16 bytes, and so is the word where %rbp points. */
	at += (16 - ((walk->sp + at) & 15)) & 15;
	for (; at + 16 <= end && search.tries < TRIES_MAX; at += 16) {
		uint64_t candidate = walk->sp + at;
		enum rank rank = rank_of(&search, candidate, word_at(walk, at + 8));
		unsigned int score;

		if (walk->need)
			return WIRE_NEEDS_MAP;
		if (rank == RANK_NONE)
			continue;
		search.tries++;
		score = try_candidate(&search, candidate, rank);
		if (walk->need)
			return WIRE_NEEDS_MAP;
		if (score == enough)
			return WIRE_UNWOUND;
		if (score > search.best_score) {
			search.best_score = score;
			search.best = candidate;
		}
	}
	/* Without one it is the first walk again. */
	walk->guess = search.best;
	return unwind_walk_frames(walk);
}
