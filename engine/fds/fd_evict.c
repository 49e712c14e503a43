#include "engine/fds/fd_evict.h"

#include "engine/fds/fd_chain.h"
#include "engine/fds/fd_files.h"

/* Number of steps per batch: only a few microseconds, as the collector holds the lock of fds.h. */
#define STEPS_AT_ONCE 32
/* Maximum number of passes in a row. Each halves the remaining time span, so more gain little. */
#define PASSES_MAX 4

/*
 * True if the version ended before before_ns. If its close was recorded too late, the version ended
 * when the next one began.
 */
static bool is_over(const struct fd_version *version, uint64_t before_ns)
{
	return version->until_ns < before_ns || version[1].from_ns < before_ns;
}

static void forget_versions(struct fd_table *table, struct fd_chain *chain, uint64_t before_ns)
{
	size_t count = 0;

	/* The newest version stays: it records that the number is closed. */
	while (count + 1 < chain->count && is_over(&chain->versions[count], before_ns))
		count++;
	if (!count)
		return;
	fd_chain_drop(table, chain, count);
	chain->cut = true;
}

/* False: continue in the next batch. */
static bool sweep_chains(struct fd_table *table, struct fd_files *files)
{
	struct fd_sweep *sweep = &table->sweep;
	struct fd_chain *chain = files->chains;

	/* The chain of sweep->fd still exists: chains live as long as their fd_files. */
	if (sweep->files_id)
		chain = fd_chain_find(table, files, sweep->fd);
	sweep->files_id = 0;
	for (; chain; chain = chain->next) {
		if (!sweep->steps) {
			sweep->files_id = files->id;
			sweep->fd = chain->fd;
			return false;
		}
		sweep->steps--;
		forget_versions(table, chain, sweep->before_ns);
	}
	return true;
}

/* Free fd_files that ended long ago: of earlier processes with this pid, or from before an exec. */
static void forget_earlier(struct fd_table *table, struct fd_files *files)
{
	struct fd_files *earlier = files->earlier;

	if (!earlier || earlier->ended_ns >= table->sweep.before_ns)
		return;
	files->earlier = NULL;
	while (earlier) {
		struct fd_files *next = earlier->earlier;

		fd_files_loosen(table, earlier);
		earlier = next;
	}
}

/* False: unfinished. */
static bool sweep_process(struct fd_table *table, struct fd_files *files)
{
	uint32_t from = table->sweep.files_id;

	/* Resume where the last batch stopped, if these files still exist. */
	for (; from && files && files->id != from; files = files->earlier)
		continue;
	if (!files)
		table->sweep.files_id = 0;
	for (; files; files = files->earlier) {
		if (!sweep_chains(table, files))
			return false;
		forget_earlier(table, files);
	}
	return true;
}

/* False: more processes are left. */
static bool sweep_some(struct fd_table *table)
{
	struct fd_sweep *sweep = &table->sweep;
	struct idmap_slot *slot;

	sweep->steps = STEPS_AT_ONCE;
	while (sweep->steps) {
		size_t cursor = sweep->cursor;
		struct fd_files *files;

		slot = idmap_next(&table->processes, &cursor);
		if (!slot)
			return true;
		sweep->steps--;
		if (!sweep_process(table, slot->value))
			return false;
		files = slot->value;
		sweep->cursor = cursor;
		if (files->ended_ns >= sweep->before_ns || files->earlier)
			continue;
		/* The removal moves later slots back, so continue at the same slot. */
		sweep->cursor = cursor - 1;
		idmap_remove(&table->processes, slot->key);
		fd_files_loosen(table, files);
	}
	return false;
}

/* Evict the older half of the recorded time span, so that passes are rare. */
static void begin_pass(struct fd_table *table)
{
	uint64_t from_ns = table->swept_ns, now_ns = table->now_ns;

	table->sweep.before_ns = now_ns > from_ns ? from_ns + (now_ns - from_ns) / 2 + 1
						  : now_ns + 1;
	table->sweep.cursor = 0;
	table->sweep.files_id = 0;
	table->sweep.passes++;
}

void fd_forget_some(struct fd_table *table)
{
	struct fd_sweep *sweep = &table->sweep;

	if (!sweep->passes) {
		if (table->bytes < table->max_bytes || table->bytes < table->sweep_bytes)
			return;
		begin_pass(table);
	}
	if (!sweep_some(table))
		return;
	table->swept_ns = sweep->before_ns;
	if (table->bytes > table->max_bytes / 4 * 3 && sweep->passes < PASSES_MAX) {
		begin_pass(table);
		return;
	}
	/* Open descriptors stay, so a new pass would free nothing for a while. */
	sweep->passes = 0;
	table->sweep_bytes = table->bytes + table->max_bytes / 8;
}
