#include "engine/fds/fd_files.h"

#include "engine/base/mem.h"
#include "engine/fds/fd_chain.h"

#include <stdlib.h>

/* Maximum length of a chain of forks and execs; then start empty: descriptors come from /proc. */
#define DEPTH_MAX 32

static void free_files(struct fd_table *table, struct fd_files *files)
{
	fd_chain_free_all(table, files);
	table->bytes -= sizeof(*files);
	free(files);
}

/* Drop one reference. Freed fd_files also drop their references to `origin` and `same`. */
static void unref_files(struct fd_table *table, struct fd_files *files)
{
	while (files && !--files->refs && files->loose) {
		struct fd_files *origin = files->origin;

		if (files->same)
			unref_files(table, files->same);
		free_files(table, files);
		files = origin;
	}
}

void fd_files_loosen(struct fd_table *table, struct fd_files *files)
{
	files->loose = true;
	files->refs++;
	unref_files(table, files);
}

struct fd_files *fd_files_resolve(struct fd_files *files)
{
	while (files && files->same)
		files = files->same;
	return files;
}

struct fd_files *fd_files_add(struct fd_table *table, uint32_t pid, struct fd_files *origin,
			      uint64_t born_ns)
{
	struct fd_files *files = mem_zalloc(1, sizeof(*files));

	files->id = ++table->next_id;
	files->born_ns = born_ns;
	files->ended_ns = FD_STILL;
	files->earlier = idmap_put(&table->processes, pid, files);
	if (files->earlier && files->earlier->ended_ns > born_ns)
		files->earlier->ended_ns = born_ns;
	if (origin && origin->depth < DEPTH_MAX) {
		files->origin = origin;
		files->depth = origin->depth + 1;
		origin->refs++;
	}
	table->bytes += sizeof(*files);
	return files;
}

struct fd_files *fd_files_now(struct fd_table *table, uint32_t pid)
{
	struct fd_files *files = idmap_get(&table->processes, pid);

	if (!files || files->ended_ns != FD_STILL)
		files = fd_files_add(table, pid, NULL, files ? files->ended_ns : 0);
	return fd_files_resolve(files);
}
