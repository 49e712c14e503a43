/*
 * unwind_access - callbacks for libunwind: words, registers, frame descriptions.
 */
#include "engine/stack/worker/unwind_code.h"
#include "engine/stack/worker/unwind_search.h"
#include "engine/stack/worker/unwind_state.h"

#include <string.h>

#define CACHE_ENTRIES 4096u
/*
 * A failed read this close to the stack pointer is noted like the read of a stack word, whatever is
 * mapped there.
 */
#define STACK_BELOW 4096
#define STACK_ABOVE (16 << 20)

/* libunwind exports this function for callers with their own index, but no header declares it. */
int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di,
				       unw_proc_info_t *pi, int need_unwind_info, void *arg);

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
	if (unwind_space_read(walk, address, value))
		return 0;
	if (from_sp >= -STACK_BELOW && from_sp < STACK_ABOVE)
		unwind_walk_note(walk, (int32_t)from_sp, false);
	walk->incomplete = true;
	return -UNW_EINVAL;
}

bool unwind_access_word(struct unwind_walk *walk, uint64_t address, uint64_t *value)
{
	return access_mem(walk->space->as, address, value, 0, walk) == 0;
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

/* Pass one description to libunwind, through an index of one entry. */
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
	/* Append zeros: libunwind reads whole words at any offset. */
	memset(walk->made + index_bytes + bytes, 0, 8);
	walk->made_bytes = index_bytes + bytes + 8;
	return search_one(walk, module, ip, start + module->bias,
			  walk->made_address + index_bytes + frame_at, info, need);
}

/* True for code that libunwind recognizes itself: a PLT stub, a signal trampoline. */
static bool libunwind_knows(struct unwind_walk *walk, const struct walk_module *module, uint64_t ip)
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
	const struct walk_module *module = unwind_walk_module(walk, ip);
	int code = -UNW_ENOINFO;

	(void)as;
	walk->made_bytes = 0;
	if (!module) {
		walk->need = ip;
		return -UNW_ESTOPUNWIND;
	}
	if (module->elf) {
		unwind_walk_blame(walk, module->file);
		code = find_in_tables(walk, module, ip, info, need);
	}
	if (code == 0)
		return 0;
	walk->incomplete = true;
	if (libunwind_knows(walk, module, ip))
		return -UNW_ENOINFO;
	/* Stop here: libunwind would guess, and continue at words that are not return addresses. */
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

unw_addr_space_t unwind_access_new(void)
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
	unw_addr_space_t as = unw_create_addr_space(&accessors, 0);

	if (as) {
		unw_set_caching_policy(as, UNW_CACHE_GLOBAL);
		unw_set_cache_size(as, CACHE_ENTRIES, 0);
	}
	return as;
}
