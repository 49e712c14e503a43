#include "engine/stack/worker/unwind_search.h"

#include "engine/stack/worker/unwind_code.h"
#include "engine/stack/worker/unwind_state.h"

#include <string.h>

#define TRIES_MAX 64u
#define USER_END (1ULL << 47)
#define PROLOGUE_BYTES 32u
/* Number of frames that confirm a guess, if the sampled bytes end before the stack does. */
#define FRAMES_ENOUGH 2u

/* Evidence for a candidate; RANK_NONE rejects it. */
enum rank {
	RANK_NONE,
	RANK_INDIRECT, /* called through a pointer or the PLT: target unknown */
	RANK_CERTAIN, /* called directly, or the size of its frame matches exactly */
};

struct search {
	struct unwind_walk *walk;
	uint64_t function; /* start of the function whose frame pointer is searched for */
	uint64_t from; /* lowest possible frame pointer */
	bool from_is_exact; /* the frame pointer is `from`, unless the function calls alloca() */
	uint64_t best;
	unsigned int best_score;
	unsigned int tries;
};

/* Return the code at an address, up to the end of its segment; NULL: unreadable. */
static const unsigned char *code_at(const struct walk_module *module, uint64_t address,
				    size_t *bytes)
{
	return module->elf ? symbol_elf_at(module->elf, address - module->bias, bytes) : NULL;
}

/* Return the start of the function at an address, from its frame description; 0: none. */
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

/* Return the module of a code address. NULL: not code, or its mapping is unknown (walk->need). */
static struct walk_module *module_of_code(struct unwind_walk *walk, uint64_t address)
{
	struct walk_module *module;

	/* Reject most words at once: numbers, and pointers into the stack. */
	if (address < 4096 || address >= USER_END || address - walk->sp < walk->sample->bytes)
		return NULL;
	module = unwind_walk_module(walk, address);
	if (!module)
		walk->need = address;
	return module && module->elf && module->is_code ? module : NULL;
}

/* True if a call ends at an address; *target is its target, 0 if indirect. */
static bool ends_call(const struct walk_module *module, uint64_t address, uint64_t *target)
{
	const unsigned char *code = NULL;
	size_t before = CODE_CALL_BYTES, bytes = 0;
	int64_t distance;

	/* The segment may start less than CODE_CALL_BYTES before the address. */
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
		return RANK_CERTAIN; /* a signal handler */
	if (!ends_call(module, returns_to, &target))
		return RANK_NONE;
	if (is_exact || (search->function && target == search->function))
		return RANK_CERTAIN;
	/* Reject return addresses that the function, or its callees, left on the stack earlier. */
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

/* Walk with a candidate. Return 0 if it does not fit; a higher score is a better fit. */
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

/* Limit the search by the prologue of the function in which the walk stopped. */
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
	/* Frames are aligned to 16 bytes, and so is the word that %rbp points to. */
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
	/* If there is no best candidate, this repeats the first walk. */
	walk->guess = search.best;
	return unwind_walk_frames(walk);
}
