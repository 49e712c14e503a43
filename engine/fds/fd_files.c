#include "engine/fds/fd_files.h"

#include "engine/base/mem.h"
#include "engine/fds/fd_chain.h"

#include <fcntl.h>
#include <stdlib.h>

/* Maximum length of a chain of forks and execs; then start empty: descriptors come from /proc. */
#define DEPTH_MAX 32

#define OWN_DIRECTORY (1ULL << 63) /* unused by pids, which are less than 1 << 22 */

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

/* Return the key of fd_files that belong to one thread. */
static uint64_t own_key(uint64_t task, int fd)
{
	return fd == AT_FDCWD ? task | OWN_DIRECTORY : task;
}

uint64_t fd_files_key_task(uint64_t key)
{
	return key & ~OWN_DIRECTORY;
}

static struct fd_files *add(struct fd_table *table, uint64_t key, struct fd_files *origin,
			    uint64_t born_ns)
{
	struct fd_files *files = mem_zalloc(1, sizeof(*files));

	files->id = ++table->next_id;
	files->born_ns = born_ns;
	files->ended_ns = FD_STILL;
	files->earlier = idmap_put(&table->processes, key, files);
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

struct fd_files *fd_files_add(struct fd_table *table, uint32_t pid, struct fd_files *origin,
			      uint64_t born_ns)
{
	return add(table, pid, origin, born_ns);
}

struct fd_files *fd_files_add_own(struct fd_table *table, uint64_t task, int fd,
				  struct fd_files *origin, bool shared, uint64_t born_ns)
{
	uint32_t pid = fd_task_process(task);
	struct fd_files *files;

	fd_files_now(table, pid, fd);
	files = idmap_get(&table->processes, pid);
	files->split = files->split || (uint32_t)task != pid;
	files = add(table, own_key(task, fd), shared ? NULL : origin, born_ns);
	if (shared) {
		files->same = origin;
		origin->refs++;
	}
	table->has_own = true;
	return files;
}

struct fd_files *fd_files_own(const struct fd_table *table, uint64_t task, int fd)
{
	return table->has_own && task >> 32 ? idmap_get(&table->processes, own_key(task, fd))
					    : NULL;
}

struct fd_files *fd_files_now(struct fd_table *table, uint64_t task, int fd)
{
	struct fd_files *files = fd_files_own(table, task, fd);
	uint32_t pid = fd_task_process(task);

	if (!files || files->ended_ns != FD_STILL)
		files = idmap_get(&table->processes, pid);
	if (!files || files->ended_ns != FD_STILL)
		files = fd_files_add(table, pid, NULL, files ? files->ended_ns : 0);
	return fd_files_resolve(files);
}

struct fd_files *fd_files_at(const struct fd_table *table, uint64_t task, int fd, uint64_t at_ns)
{
	struct fd_files *files = fd_files_own(table, task, fd);

	for (; files; files = files->earlier)
		if (files->born_ns < at_ns && at_ns <= files->ended_ns)
			return files;
	files = idmap_get(&table->processes, fd_task_process(task));
	while (files && files->earlier && files->born_ns >= at_ns)
		files = files->earlier;
	return files;
}
