#include "engine/stack/worker/symbol_files.h"

#include "engine/base/clock.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/helper/data_offset.h"
#include "engine/stack/worker/symbol_demangle.h"
#include "engine/stack/worker/symbol_lines.h"
#include "engine/stack/worker/symbol_table.h"
#include "engine/stack/worker/unwind_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Time for a checksum, per reply. */
#define SUM_NS (200 * NS_PER_MS)

struct symbol_file {
	struct symbol_elf *elfs[WIRE_ALT + 1]; /* by role */
	struct symbol_table *functions, *variables; /* NULL: not built yet */
	struct symbol_lines *lines;
	bool lines_tried;
};

struct symbol_files {
	struct idmap by_number;
	/* File whose checksum is incomplete, and its future number and role. */
	struct symbol_elf *summing;
	uint32_t summing_number, summing_role;
	struct unwind_walk *walk; /* NULL: not used yet */
};

struct symbol_files *symbol_files_new(void)
{
	struct symbol_files *files = mem_zalloc(1, sizeof(*files));

	idmap_init(&files->by_number);
	return files;
}

/* Discard the indexes of the file; another debug file makes them invalid. */
static void forget_indexes(struct symbol_file *file)
{
	symbol_table_free(file->functions);
	symbol_table_free(file->variables);
	symbol_lines_free(file->lines);
	file->functions = NULL;
	file->variables = NULL;
	file->lines = NULL;
	file->lines_tried = false;
}

void symbol_files_free(struct symbol_files *files)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	unwind_walk_free(files->walk);
	symbol_elf_free(files->summing);
	while ((slot = idmap_next(&files->by_number, &cursor))) {
		struct symbol_file *file = slot->value;

		forget_indexes(file);
		for (size_t role = 0; role <= WIRE_ALT; role++)
			symbol_elf_free(file->elfs[role]);
		free(file);
	}
	idmap_release(&files->by_number);
	free(files);
}

struct symbol_elf *symbol_files_elf(const struct symbol_files *files, uint32_t number,
				    enum wire_role role)
{
	const struct symbol_file *file = idmap_get(&files->by_number, number);

	return file ? file->elfs[role] : NULL;
}

struct unwind_walk *symbol_files_walk(struct symbol_files *files)
{
	if (!files->walk)
		files->walk = unwind_walk_new(files);
	return files->walk;
}

static bool same_id(const uint8_t *a, uint32_t a_bytes, const uint8_t *b, uint32_t b_bytes)
{
	return a_bytes == b_bytes && !memcmp(a, b, a_bytes);
}

/*
 * Check whether a debug file, or a shared one, belongs to the file: 0, -ESTALE, or -EAGAIN as in
 * symbol_files_open().
 */
static int check_belongs(const struct symbol_file *file, uint32_t role, struct symbol_elf *elf,
			 const struct wire_file *described)
{
	struct symbol_elf *main_elf = file ? file->elfs[WIRE_MAIN] : NULL;
	struct wire_file about;
	uint32_t wanted, crc;

	if (!main_elf)
		return -ESTALE;
	if (role == WIRE_ALT) {
		struct symbol_elf *debug = file->elfs[WIRE_DEBUG];

		symbol_elf_describe(debug ? debug : main_elf, &about);
		return same_id(about.alt_id, about.alt_id_bytes, described->build_id,
			       described->build_id_bytes)
			       ? 0
			       : -ESTALE;
	}
	symbol_elf_describe(main_elf, &about);
	if (about.build_id_bytes)
		return same_id(about.build_id, about.build_id_bytes, described->build_id,
			       described->build_id_bytes)
			       ? 0
			       : -ESTALE;
	wanted = symbol_elf_debug_crc(main_elf);
	if (!wanted)
		return -ESTALE;
	if (!symbol_elf_crc(elf, clock_now_ns() + SUM_NS, &crc))
		return -EAGAIN;
	return crc == wanted ? 0 : -ESTALE;
}

/*
 * Return the file whose checksum is incomplete; free it instead if it has another number or role.
 */
static struct symbol_elf *take_summing(struct symbol_files *files, uint32_t number, uint32_t role)
{
	struct symbol_elf *elf = files->summing;

	files->summing = NULL;
	if (files->summing_number == number && files->summing_role == role)
		return elf;
	symbol_elf_free(elf);
	return NULL;
}

int symbol_files_open(struct symbol_files *files, uint32_t number, uint32_t role, int take_fd,
		      struct wire_file *described)
{
	struct symbol_file *file = idmap_get(&files->by_number, number);
	struct symbol_elf *elf = take_summing(files, number, role);
	int code = 0;

	if (take_fd >= 0) {
		symbol_elf_free(elf);
		elf = symbol_elf_new(take_fd);
	}
	if (!elf)
		return take_fd < 0 ? -EBADF : -ENOEXEC;
	symbol_elf_describe(elf, described);
	if (role > WIRE_ALT)
		code = -ESTALE;
	else if (role != WIRE_MAIN)
		code = check_belongs(file, role, elf, described);
	if (code == -EAGAIN) {
		files->summing = elf;
		files->summing_number = number;
		files->summing_role = role;
		return code;
	}
	if (code) {
		symbol_elf_free(elf);
		return code;
	}
	if (!file) {
		file = mem_zalloc(1, sizeof(*file));
		idmap_put(&files->by_number, number, file);
	}
	forget_indexes(file);
	symbol_elf_free(file->elfs[role]);
	file->elfs[role] = elf;
	return 0;
}

static const struct symbol_entry *find_entry(struct symbol_file *file, struct symbol_table **table,
					     enum symbol_table_of of, uint64_t address)
{
	if (!*table)
		*table = symbol_table_new(file->elfs[WIRE_MAIN], file->elfs[WIRE_DEBUG], of);
	return symbol_table_find(*table, address);
}

void symbol_files_name(struct symbol_files *files, uint32_t number, uint64_t offset,
		       struct wire_writer *writer)
{
	struct symbol_file *file = idmap_get(&files->by_number, number);
	const struct symbol_entry *entry = NULL;
	char name[WIRE_NAME_MAX + 1];
	uint64_t address;

	if (file && offset & DATA_OFFSET &&
	    symbol_elf_data_address(file->elfs[WIRE_MAIN], offset & ~DATA_OFFSET, &address))
		entry = find_entry(file, &file->variables, SYMBOL_TABLE_VARIABLES, address);
	else if (file && symbol_elf_address(file->elfs[WIRE_MAIN], offset, &address))
		entry = find_entry(file, &file->functions, SYMBOL_TABLE_FUNCTIONS, address);
	wire_write_count(writer, entry ? 1 : 0);
	if (entry)
		wire_write_frame(writer, symbol_demangle(entry->name, name, sizeof(name)), NULL,
				 address - entry->start, 0, false);
}

static struct symbol_lines *read_lines(struct symbol_file *file)
{
	struct symbol_elf *alt = file->elfs[WIRE_ALT], *elf = file->elfs[WIRE_DEBUG];
	struct wire_file about;

	if (file->lines_tried)
		return file->lines;
	file->lines_tried = true;
	if (elf)
		symbol_elf_describe(elf, &about);
	if (!elf || !(about.flags & WIRE_HAS_DWARF))
		elf = file->elfs[WIRE_MAIN];
	file->lines = symbol_lines_new(symbol_elf_handle(elf), alt ? symbol_elf_handle(alt) : NULL);
	return file->lines;
}

void symbol_files_lines(struct symbol_files *files, uint32_t number, uint64_t offset,
			struct wire_writer *writer)
{
	struct symbol_file *file = idmap_get(&files->by_number, number);
	struct symbol_lines *lines = NULL;
	uint64_t address;

	if (file && symbol_elf_address(file->elfs[WIRE_MAIN], offset, &address))
		lines = read_lines(file);
	if (lines)
		symbol_lines_write(lines, address, writer);
	else
		wire_write_count(writer, 0);
}
