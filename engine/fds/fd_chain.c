#include "engine/fds/fd_chain.h"

#include "engine/base/mem.h"
#include "engine/fds/fd_file.h"

#include <stdlib.h>
#include <string.h>

static uint64_t key_of(uint32_t id, int fd)
{
	return (uint64_t)id << 32 | (uint32_t)fd;
}

void fd_chain_drop(struct fd_table *table, struct fd_chain *chain, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fd_file_drop(table, chain->versions[i].file);
	chain->count -= count;
	memmove(chain->versions, chain->versions + count, chain->count * sizeof(*chain->versions));
	/* A chain that was once long can be short from now on: free the unused room. */
	if (chain->count && chain->count >= chain->room / 4)
		return;
	table->bytes -= (chain->room - chain->count) * sizeof(*chain->versions);
	chain->room = chain->count;
	if (chain->room) {
		chain->versions = mem_realloc(chain->versions, chain->room,
					      sizeof(*chain->versions));
	} else {
		free(chain->versions);
		chain->versions = NULL;
	}
}

struct fd_version *fd_chain_newest(const struct fd_chain *chain)
{
	return chain && chain->count ? &chain->versions[chain->count - 1] : NULL;
}

size_t fd_chain_count(const struct fd_chain *chain, uint64_t at_ns, bool after)
{
	size_t low = 0, high = chain ? chain->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t from_ns = chain->versions[middle].from_ns;

		if (after ? from_ns <= at_ns : from_ns < at_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct fd_chain *fd_chain_find(const struct fd_table *table, const struct fd_files *files, int fd)
{
	return idmap_get(&table->chains, key_of(files->id, fd));
}

struct fd_chain *fd_chain_get(struct fd_table *table, struct fd_files *files, int fd)
{
	struct fd_chain *chain = fd_chain_find(table, files, fd);

	if (chain)
		return chain;
	chain = mem_zalloc(1, sizeof(*chain));
	chain->fd = fd;
	chain->next = files->chains;
	files->chains = chain;
	idmap_put(&table->chains, key_of(files->id, fd), chain);
	table->bytes += sizeof(*chain) + sizeof(struct idmap_slot);
	return chain;
}

struct fd_version *fd_chain_add(struct fd_table *table, struct fd_chain *chain, size_t place,
				struct fd_file *file, uint64_t from_ns, uint64_t until_ns)
{
	size_t room = chain->room;

	/* Most descriptors have a single version: begin with room for one. */
	if (chain->count == chain->room) {
		chain->room = chain->room ? 2 * chain->room : 1;
		chain->versions = mem_realloc(chain->versions, chain->room,
					      sizeof(*chain->versions));
	}
	table->bytes += (chain->room - room) * sizeof(*chain->versions);
	memmove(chain->versions + place + 1, chain->versions + place,
		(chain->count - place) * sizeof(*chain->versions));
	chain->count++;
	chain->versions[place] =
		(struct fd_version){ .file = file, .from_ns = from_ns, .until_ns = until_ns };
	file->refs++;
	return &chain->versions[place];
}

void fd_chain_free_all(struct fd_table *table, struct fd_files *files)
{
	while (files->chains) {
		struct fd_chain *chain = files->chains;

		files->chains = chain->next;
		idmap_remove(&table->chains, key_of(files->id, chain->fd));
		fd_chain_drop(table, chain, chain->count);
		table->bytes -= sizeof(*chain) + sizeof(struct idmap_slot);
		free(chain);
	}
}
