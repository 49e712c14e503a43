#include "engine/stack/unwind_walk.h"

#include "engine/base/mem.h"
#include "engine/stack/unwind_code.h"
#include "engine/stack/unwind_search.h"
#include "engine/stack/unwind_walk_private.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MODULES_MAX 4096u /* of one space */
#define SPACES_MAX 256u
#define ACCESSES_MAX 200000u /* of one sample: expressions in foreign files may loop */
#define CACHE_ENTRIES 4096u
/* Stack words this far from the stack pointer are told as such, whatever is there. */
#define STACK_BELOW 4096
#define STACK_ABOVE (16 << 20)

/* Exported by libunwind for such uses, but declared in none of its headers. */
int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di,
				       unw_proc_info_t *pi, int need_unwind_info, void *arg);

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

static void free_space(struct walk_space *space)
{
	if (!space)
		return;
	if (space->as)
		unw_destroy_addr_space(space->as);
	free(space->modules);
	free(space);
}

static void forget_all(struct unwind_walk *walk)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&walk->spaces, &cursor)))
		free_space(slot->value);
	idmap_clear(&walk->spaces);
}

void unwind_walk_free(struct unwind_walk *walk)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!walk)
		return;
	forget_all(walk);
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

void unwind_walk_forget(struct unwind_walk *walk, uint32_t space)
{
	free_space(idmap_remove(&walk->spaces, space));
}

/* -- What is mapped ------------------------------------------------------------------ */

static struct walk_module *find_module(struct walk_space *space, uint64_t ip)
{
	if (space->last < space->count && ip >= space->modules[space->last].start &&
	    ip < space->modules[space->last].end)
		return &space->modules[space->last];
	for (size_t i = 0; i < space->count; i++)
		if (ip >= space->modules[i].start && ip < space->modules[i].end) {
			space->last = i;
			return &space->modules[i];
		}
	return NULL;
}

struct walk_module *unwind_walk_module(struct unwind_walk *walk, uint64_t address)
{
	return find_module(walk->space, address);
}

static struct unwind_table *table_of(struct unwind_walk *walk, uint32_t file,
				     struct symbol_elf *elf)
{
	struct unwind_table *table = idmap_get(&walk->tables, file);

	if (!table) {
		table = unwind_table_new(elf, symbol_files_elf(walk->files, file, WIRE_DEBUG));
		idmap_put(&walk->tables, file, table);
	}
	return table;
}

/* Says whose data is read from here on. */
static void blame(struct unwind_walk *walk, uint32_t file)
{
	struct wire_blame *note = (struct wire_blame *)(void *)walk->ring;

	if (note)
		atomic_store_explicit(&note->file, file, memory_order_relaxed);
}

/* -- What libunwind asks --------------------------------------------------------------- */

void unwind_walk_note(struct unwind_walk *walk, int32_t at, bool is_register)
{
	if (walk->reads_count < WIRE_READS_MAX)
		walk->reads[walk->reads_count] = (struct wire_read){ at, is_register };
	walk->reads_count++;
}

static bool read_made(const struct unwind_walk *walk, uint64_t address, unw_word_t *value)
{
	uint64_t into = address - walk->made_address;

	if (into >= walk->made_bytes || walk->made_bytes - into < sizeof(*value))
		return false;
	memcpy(value, walk->made + into, sizeof(*value));
	return true;
}

/* A word of a file, with zeros where its segment ends in the middle of it. */
static bool read_module(const struct walk_module *module, uint64_t address, unw_word_t *value)
{
	const unsigned char *bytes;
	size_t left;

	if (!module->elf)
		return false;
	bytes = symbol_elf_at(module->elf, address - module->bias, &left);
	if (!bytes)
		return false;
	*value = 0;
	memcpy(value, bytes, left < sizeof(*value) ? left : sizeof(*value));
	return true;
}

static bool read_file(struct unwind_walk *walk, uint64_t address, unw_word_t *value)
{
	struct walk_space *space = walk->space;
	const struct walk_module *module = find_module(space, address);

	if (module && module->elf)
		return read_module(module, address, value);
	/* Read-only and writable data, of which no mapping was told. */
	for (size_t i = 0; i < space->count; i++)
		if (address >= space->modules[i].low && address < space->modules[i].high &&
		    read_module(&space->modules[i], address, value))
			return true;
	return false;
}

static int access_mem(unw_addr_space_t as, unw_word_t address, unw_word_t *value, int write,
		      void *arg)
{
	struct unwind_walk *walk = arg;
	int64_t from_sp = (int64_t)(address - walk->sp);

	(void)as;
	if (write || ++walk->accesses > ACCESSES_MAX)
		return -UNW_EINVAL;
	if (read_made(walk, address, value))
		return 0;
	if (from_sp >= 0 && (uint64_t)from_sp < walk->sample->bytes &&
	    walk->sample->bytes - (uint64_t)from_sp >= sizeof(*value)) {
		unwind_walk_note(walk, (int32_t)from_sp, false);
		memcpy(value, walk->stack + from_sp, sizeof(*value));
		return 0;
	}
	if (read_file(walk, address, value))
		return 0;
	if (from_sp >= -STACK_BELOW && from_sp < STACK_ABOVE)
		unwind_walk_note(walk, (int32_t)from_sp, false);
	walk->incomplete = true;
	return -UNW_EINVAL;
}

static int register_by_pointer(struct unwind_walk *walk, unw_regnum_t reg, unw_word_t *value)
{
	switch (reg) {
	case WIRE_REG_IP:
		*value = walk->pointer_ip;
		return 0;
	case WIRE_REG_SP:
		*value = walk->pointer_sp;
		return 0;
	case WIRE_REG_BP:
		*value = walk->pointer_bp;
		return 0;
	default:
		walk->incomplete = true;
		return -UNW_EBADREG;
	}
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value, int write,
		      void *arg)
{
	struct unwind_walk *walk = arg;

	(void)as;
	if (write || reg < 0 || reg >= WIRE_REGS)
		return -UNW_EBADREG;
	if (walk->by_pointer)
		return register_by_pointer(walk, reg, value);
	if (reg == WIRE_REG_BP && walk->guess) {
		*value = walk->guess;
		return 0;
	}
	unwind_walk_note(walk, reg, true);
	if (!(walk->sample->known >> reg & 1)) {
		walk->incomplete = true;
		walk->wants_rbp = walk->wants_rbp || reg == WIRE_REG_BP;
		return -UNW_EBADREG;
	}
	*value = walk->sample->regs[reg];
	return 0;
}

/* Hands libunwind one description, through an index of one entry. */
static int search_one(struct unwind_walk *walk, const struct walk_module *module, unw_word_t ip,
		      uint64_t start, uint64_t description, unw_proc_info_t *info, int need)
{
	int32_t entry[2] = {
		(int32_t)(start - walk->made_address),
		(int32_t)(description - walk->made_address),
	};
	unw_dyn_info_t index = {
		.start_ip = module->start,
		.end_ip = module->end,
		.format = UNW_INFO_FORMAT_REMOTE_TABLE,
		.u.rti = {
			.segbase = walk->made_address,
			.table_len = 1, /* words */
			.table_data = walk->made_address,
		},
	};

	if (walk->made_address + (uint64_t)(int64_t)entry[0] != start ||
	    walk->made_address + (uint64_t)(int64_t)entry[1] != description)
		return -UNW_ENOINFO; /* too far apart */
	memcpy(walk->made, entry, sizeof(entry));
	return UNW_OBJ(dwarf_search_unwind_table)(walk->space->as, ip, &index, info, need, walk);
}

static int find_in_tables(struct unwind_walk *walk, const struct walk_module *module, unw_word_t ip,
			  unw_proc_info_t *info, int need)
{
	const size_t index_bytes = 2 * sizeof(int32_t);
	uint64_t start, at;
	size_t bytes, frame_at;
	int code = -UNW_ENOINFO;

	walk->made_address = (module->low - REWRITTEN_MAX) & ~(uint64_t)4095;
	walk->made_bytes = index_bytes;
	if (unwind_table_eh(module->table, ip - module->bias, &start, &at))
		code = search_one(walk, module, ip, start + module->bias, at + module->bias, info,
				  need);
	if (code == 0)
		return 0;
	bytes = unwind_table_debug(module->table, ip - module->bias, module->bias, &start,
				   walk->made + index_bytes, sizeof(walk->made) - index_bytes - 8,
				   &frame_at);
	if (!bytes)
		return code;
	/* A few zeros more: words are read whole, wherever they begin. */
	memset(walk->made + index_bytes + bytes, 0, 8);
	walk->made_bytes = index_bytes + bytes + 8;
	return search_one(walk, module, ip, start + module->bias,
			  walk->made_address + index_bytes + frame_at, info, need);
}

/* What libunwind recognises by its code alone: a stub of a PLT, a signal's trampoline. */
static bool libunwind_knows(struct unwind_walk *walk, const struct walk_module *module,
			    uint64_t ip)
{
	const unsigned char *code = NULL;
	size_t bytes;

	if (module->elf)
		code = symbol_elf_at(module->elf, ip - module->bias, &bytes);
	return code && (code_is_stub(code, bytes) || unwind_search_sigreturn(walk, ip));
}

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *info, int need,
			  void *arg)
{
	struct unwind_walk *walk = arg;
	const struct walk_module *module = find_module(walk->space, ip);
	int code = -UNW_ENOINFO;

	(void)as;
	walk->made_bytes = 0;
	if (!module) {
		walk->need = ip;
		return -UNW_ESTOPUNWIND;
	}
	if (module->elf) {
		blame(walk, module->file);
		code = find_in_tables(walk, module, ip, info, need);
	}
	if (code == 0)
		return 0;
	walk->incomplete = true;
	if (libunwind_knows(walk, module, ip))
		return -UNW_ENOINFO;
	/* Else it would guess, and go on with words that are nobody's return addresses. */
	walk->undescribed = true;
	return -UNW_ESTOPUNWIND;
}

static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *info, void *arg)
{
	(void)as;
	(void)info;
	(void)arg;
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *address, void *arg)
{
	(void)as;
	(void)address;
	(void)arg;
	return -UNW_ENOINFO;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg, unw_fpreg_t *value, int write,
			void *arg)
{
	(void)as;
	(void)reg;
	(void)value;
	(void)write;
	(void)arg;
	return -UNW_EBADREG;
}

static int resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as;
	(void)cursor;
	(void)arg;
	return -UNW_EINVAL;
}

/* -- Spaces -------------------------------------------------------------------------- */

static struct walk_space *get_space(struct unwind_walk *walk, uint32_t number)
{
	unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = get_dyn_info_list_addr,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = resume,
	};
	struct walk_space *space = idmap_get(&walk->spaces, number);

	if (space)
		return space;
	if (walk->spaces.count >= SPACES_MAX)
		forget_all(walk);
	space = mem_zalloc(1, sizeof(*space));
	space->as = unw_create_addr_space(&accessors, 0);
	if (space->as) {
		unw_set_caching_policy(space->as, UNW_CACHE_GLOBAL);
		unw_set_cache_size(space->as, CACHE_ENTRIES, 0);
	}
	idmap_put(&walk->spaces, number, space);
	return space;
}

int unwind_walk_map(struct unwind_walk *walk, uint32_t file, const uint64_t values[])
{
	struct walk_space *space = get_space(walk, (uint32_t)values[WIRE_MAP_SPACE]);
	uint64_t address = values[WIRE_MAP_ADDRESS], in_file, low, high;
	struct walk_module module = {
		.start = values[WIRE_MAP_START],
		.end = values[WIRE_MAP_END],
		.file = file,
		.is_code = values[WIRE_MAP_IS_CODE],
	};

	if (space->count >= MODULES_MAX || address < module.start || address >= module.end)
		return -EINVAL;
	module.elf = file ? symbol_files_elf(walk->files, file, WIRE_MAIN) : NULL;
	if (module.elf && !symbol_elf_address(module.elf, address - module.start +
					      values[WIRE_MAP_FILE_OFFSET], &in_file))
		module.elf = NULL;
	if (module.elf) {
		blame(walk, file);
		module.table = table_of(walk, file, module.elf);
		module.bias = address - in_file;
		symbol_elf_range(module.elf, &low, &high);
		module.low = low + module.bias;
		module.high = high + module.bias;
		blame(walk, 0);
	}
	space->modules = mem_grow(space->modules, &space->capacity, space->count + 1,
				  sizeof(*space->modules));
	space->modules[space->count++] = module;
	return 0;
}

/* -- Walking ------------------------------------------------------------------------- */

/*
 * The caller of a function that nothing describes, as generated code is: by its frame pointer,
 * which must point into the stack, below an address of code. As unw_step(): 0 is the end.
 */
static int step_by_pointer(struct unwind_walk *walk, unw_cursor_t *cursor)
{
	const uint64_t end = walk->sp + walk->sample->bytes;
	unw_word_t bp, caller_bp, returns_to;
	const struct walk_module *module;

	if (unw_get_reg(cursor, UNW_X86_64_RBP, &bp) < 0)
		return -UNW_EBADREG;
	/* As the ABI has it for the outermost frame. */
	walk->incomplete = bp != 0;
	if (!bp)
		return 0;
	if (bp < walk->last_sp || bp >= end || (bp - walk->sp) % 8 || end - bp < 16 ||
	    access_mem(walk->space->as, bp, &caller_bp, 0, walk) < 0 ||
	    access_mem(walk->space->as, bp + 8, &returns_to, 0, walk) < 0 || !returns_to)
		return -UNW_EBADFRAME;
	module = find_module(walk->space, returns_to - 1);
	if (!module)
		walk->need = returns_to - 1;
	if (!module || !module->is_code)
		return -UNW_EBADFRAME;
	walk->by_pointer = true;
	/* libunwind is told of the call: it would look for what is at the address itself. */
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
		/* libunwind's "signal frame" is not the trampoline, but what the signal met. */
		was_interrupted = below_trampoline || unw_is_signal_frame(&cursor) > 0;
		/* Frames of a handler may be on a stack of its own. */
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
		 * Callers' addresses are looked up one byte earlier, in the call. Where there
		 * was no call, that byte is added, so that all are treated the same.
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
		walk->space = get_space(walk, sample->space);
		unwound.state = (uint16_t)unwind(walk);
		blame(walk, 0);
	}
	unwound.address = walk->need;
	if (unwound.state != WIRE_NEEDS_MAP) {
		unwound.frames = walk->frames;
		unwound.guessed = walk->guess ? walk->certain : 0;
		unwound.reads = walk->reads_count <= WIRE_READS_MAX
			? (uint16_t)walk->reads_count : 0;
	}
	wire_write_bytes(writer, &unwound, sizeof(unwound));
	wire_write_bytes(writer, walk->ips, unwound.frames * sizeof(walk->ips[0]));
	wire_write_bytes(writer, walk->reads, unwound.reads * sizeof(walk->reads[0]));
}
