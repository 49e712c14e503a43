#include "engine/stack/symbol_files.h"

#include "engine/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct symbol_files {
	int unused;
};

struct symbol_files *symbol_files_new(void)
{
	return mem_zalloc(1, sizeof(struct symbol_files));
}

void symbol_files_free(struct symbol_files *files)
{
	free(files);
}

int symbol_files_open(struct symbol_files *files, uint32_t number, uint32_t role, int take_fd,
		      struct wire_file *described)
{
	(void)files; (void)number; (void)role; (void)described;
	close(take_fd);
	return -ENOSYS;
}

void symbol_files_name(struct symbol_files *files, uint32_t number, uint64_t offset,
		       struct wire_writer *writer)
{
	(void)files; (void)number; (void)offset;
	wire_write_count(writer, 0);
}

void symbol_files_lines(struct symbol_files *files, uint32_t number, uint64_t offset,
			struct wire_writer *writer)
{
	(void)files; (void)number; (void)offset;
	wire_write_count(writer, 0);
}
