#include "engine/model/fd_forget.h"

#include "engine/model/fd_chain.h"
#include "engine/model/fd_files.h"
#include "engine/model/fd_table.h"

static void forget_versions(struct fd_table *table, struct fd_files *files, uint64_t before_ns)
{
	for (struct fd_chain *chain = files->chains; chain; chain = chain->next) {
		size_t count = 0;

		/* The newest stays: without it, that it is closed would not be known. */
		while (count + 1 < chain->count && chain->versions[count].until_ns < before_ns)
			count++;
		if (!count)
			continue;
		fd_chain_drop(table, chain, count);
		chain->cut = true;
	}
}

static void forget_before(struct fd_table *table, uint64_t before_ns)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&table->processes, &cursor))) {
		struct fd_files *files = slot->value;

		for (; files; files = files->earlier) {
			struct fd_files *earlier = files->earlier;

			forget_versions(table, files, before_ns);
			if (!earlier || earlier->ended_ns >= before_ns)
				continue;
			files->earlier = NULL;
			while (earlier) {
				struct fd_files *next = earlier->earlier;

				fd_files_loosen(table, earlier);
				earlier = next;
			}
		}
	}
	/* A slot that is taken out moves others: one walk for each that is found. */
	for (cursor = 0; (slot = idmap_next(&table->processes, &cursor));) {
		struct fd_files *files = slot->value;

		if (files->ended_ns >= before_ns || files->earlier)
			continue;
		idmap_remove(&table->processes, slot->key);
		fd_files_loosen(table, files);
		cursor = cursor ? cursor - 1 : 0;
	}
	table->swept_ns = before_ns;
}

/* Half of the time that is known of is forgotten at once, so that this is seldom done. */
void fd_forget_some(struct fd_table *table)
{
	uint64_t from_ns = table->swept_ns, now_ns = table->now_ns;

	if (table->bytes < table->max_bytes || table->bytes < table->sweep_bytes)
		return;
	for (int i = 0; i < 4 && table->bytes > table->max_bytes / 4 * 3; i++) {
		from_ns = now_ns > from_ns ? from_ns + (now_ns - from_ns) / 2 + 1 : now_ns + 1;
		forget_before(table, from_ns);
	}
	/* What is open now stays: then there is nothing to be had for a while. */
	table->sweep_bytes = table->bytes + table->max_bytes / 8;
}
