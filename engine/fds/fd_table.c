#include "engine/fds/fd_table.h"

#include "engine/fds/fd_chain.h"
#include "engine/fds/fd_evict.h"
#include "engine/fds/fd_files.h"

#include <fcntl.h>
#include <string.h>

void fd_table_init(struct fd_table *table, size_t max_bytes)
{
	memset(table, 0, sizeof(*table));
	table->max_bytes = max_bytes;
	table->switches_lost_ns = FD_STILL;
}

void fd_table_release(struct fd_table *table)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&table->processes, &cursor))) {
		struct fd_files *files = slot->value;

		while (files) {
			struct fd_files *earlier = files->earlier;

			fd_files_loosen(table, files);
			files = earlier;
		}
	}
	idmap_release(&table->processes);
	idmap_release(&table->chains);
}

/* -- Lookup ------------------------------------------------------------------------------- */

/* True if calls may have been lost between two times. */
static bool was_lost(const struct fd_table *table, uint64_t since_ns, uint64_t at_ns)
{
	if (table->switches_lost_ns < at_ns)
		return true;
	for (unsigned i = 0; i < table->loss_count && i < FD_LOSSES; i++)
		if (table->losses[i].until_ns > since_ns && table->losses[i].from_ns <= at_ns)
			return true;
	return false;
}

/* True if the version was open at a time, with no loss since its last confirmation. */
static bool is_sure(const struct fd_table *table, const struct fd_version *version, uint64_t at_ns)
{
	uint64_t since_ns = version->from_ns > version->sure_ns ? version->from_ns
								: version->sure_ns;

	return at_ns <= version->sure_ns || !was_lost(table, since_ns, at_ns);
}

static struct fd_found find_in(const struct fd_table *table, const struct fd_files *files, int fd,
			       uint64_t at_ns, bool after)
{
	uint64_t asked_ns = at_ns;
	bool execs = false;

	for (; files; files = files->origin) {
		const struct fd_chain *chain = fd_chain_find(table, files, fd);
		size_t count = fd_chain_count(chain, at_ns, after);

		if (count) {
			const struct fd_version *version = &chain->versions[count - 1];

			if (at_ns > version->until_ns &&
			    was_lost(table, version->until_ns, asked_ns))
				break;
			if (at_ns > version->until_ns || (execs && version->cloexec))
				return (struct fd_found){ .closed = true };
			if (!is_sure(table, version, asked_ns))
				break;
			return (struct fd_found){ .version = version };
		}
		if (chain && chain->cut)
			break;
		/* Continue in the origin as of the fork or exec, versions at that time included. */
		at_ns = files->born_ns;
		after = true;
		execs = execs || files->by_exec;
	}
	return (struct fd_found){ .version = NULL };
}

struct fd_found fd_table_find(const struct fd_table *table, uint64_t task, int fd, uint64_t at_ns,
			      bool after)
{
	struct fd_files *files = fd_files_at(table, task, fd, at_ns);

	return find_in(table, fd_files_resolve(files), fd, at_ns, after);
}

const struct fd_version *fd_table_find_during(const struct fd_table *table, uint64_t task, int fd,
					      uint64_t enter_ns, uint64_t end_ns)
{
	const struct fd_files *files = fd_files_at(table, task, fd, UINT64_MAX);
	const struct fd_version *version;
	const struct fd_chain *chain;
	size_t place;

	/* If an exec followed the enter, the call returned before it; /proc was read after it. */
	if (!files || files->born_ns >= enter_ns)
		return NULL;
	chain = fd_chain_find(table, fd_files_resolve((struct fd_files *)(uintptr_t)files), fd);
	place = fd_chain_count(chain, enter_ns, true);
	if (!chain || place >= chain->count)
		return NULL;
	version = &chain->versions[place];
	if (!version->found || version->from_ns > end_ns ||
	    (place && version[-1].until_ns > enter_ns))
		return NULL;
	return version;
}

/* -- Changes --------------------------------------------------------------------------- */

/*
 * Return the current version of a number in these files; an inherited version is copied to `files`,
 * so that it can end there. NULL: closed or unknown.
 */
static struct fd_version *own_version(struct fd_table *table, struct fd_files *files, int fd,
				      uint64_t now_ns)
{
	struct fd_found found = find_in(table, files, fd, now_ns, true);
	struct fd_chain *chain;
	struct fd_version *own;

	if (!found.version)
		return NULL;
	chain = fd_chain_get(table, files, fd);
	if (chain->count)
		return fd_chain_newest(chain);
	own = fd_chain_add(table, chain, 0, found.version->file, files->born_ns, FD_STILL);
	own->sure_ns = found.version->sure_ns;
	own->cloexec = found.version->cloexec;
	return own;
}

/* Record that the number differs from the origin: a version with an end and no known file. */
static void end_unknown(struct fd_table *table, struct fd_files *files, int fd, uint64_t until_ns)
{
	struct fd_chain *chain = fd_chain_find(table, files, fd);
	struct fd_file *file;

	if (chain && chain->count)
		return;
	chain = fd_chain_get(table, files, fd);
	file = fd_file_new(table, NULL, 0, true);
	fd_chain_add(table, chain, 0, file, files->born_ns, until_ns);
	fd_file_drop(table, file);
}

static void close_in(struct fd_table *table, struct fd_files *files, int fd, uint64_t enter_ns)
{
	struct fd_version *version = own_version(table, files, fd, enter_ns);

	files->changed = true;
	if (version && version->until_ns > enter_ns)
		version->until_ns = enter_ns;
	else if (!version)
		end_unknown(table, files, fd, enter_ns);
}

void fd_table_open(struct fd_table *table, uint64_t task, int fd, struct fd_file *file,
		   bool cloexec, uint64_t enter_ns)
{
	struct fd_files *files = fd_files_now(table, task, fd);
	struct fd_version *version = own_version(table, files, fd, enter_ns);
	uint64_t from_ns = enter_ns;
	struct fd_chain *chain;

	files->changed = true;
	if (version && version->until_ns == FD_STILL)
		version->until_ns = enter_ns; /* its close was lost */
	if (table->bytes > 2 * table->max_bytes && !fd_chain_find(table, files, fd))
		return; /* too many new descriptors at once: leave this one unknown */
	chain = fd_chain_get(table, files, fd);
	version = fd_chain_newest(chain);
	/* Another thread closed the number during this call: the new version begins then. */
	if (version && version->until_ns != FD_STILL && version->until_ns > from_ns)
		from_ns = version->until_ns;
	if (version && version->from_ns > from_ns)
		from_ns = version->from_ns;
	version = fd_chain_add(table, chain, chain->count, file, from_ns, FD_STILL);
	version->cloexec = cloexec;
	fd_forget_some(table);
}

void fd_table_close(struct fd_table *table, uint64_t task, int fd, uint64_t enter_ns)
{
	close_in(table, fd_files_now(table, task, fd), fd, enter_ns);
}

void fd_table_set_cloexec(struct fd_table *table, uint64_t task, int fd, bool cloexec,
			  uint64_t at_ns)
{
	struct fd_version *version = own_version(table, fd_files_now(table, task, fd), fd, at_ns);

	if (version)
		version->cloexec = cloexec;
}

/* Visits all known numbers, inherited ones included. */
void fd_table_close_range(struct fd_table *table, uint64_t task, uint32_t first, uint32_t last,
			  bool only_cloexec, uint64_t enter_ns)
{
	struct fd_files *files = fd_files_now(table, task, 0);

	for (const struct fd_files *from = files; from; from = from->origin)
		for (const struct fd_chain *chain = from->chains; chain; chain = chain->next) {
			if (chain->fd < 0 || (uint32_t)chain->fd < first ||
			    (uint32_t)chain->fd > last)
				continue;
			if (!only_cloexec) {
				close_in(table, files, chain->fd, enter_ns);
			} else {
				struct fd_version *version = own_version(table, files, chain->fd,
									 enter_ns);

				if (version)
					version->cloexec = true;
			}
		}
	fd_forget_some(table);
}

/*
 * Create fd_files of a process at its fork or exec, from those of thread `from`. If that thread has
 * separate fd_files for its directory, the first thread gets a copy of these.
 */
static struct fd_files *begin_process(struct fd_table *table, uint64_t from, uint32_t pid,
				      uint64_t time_ns)
{
	struct fd_files *files = fd_files_now(table, from, 0);
	struct fd_files *directory = fd_files_now(table, from, AT_FDCWD);
	struct fd_files *begun = fd_files_add(table, pid, files, time_ns);

	if (directory != files && fd_files_now(table, fd_task(pid, pid), AT_FDCWD) != directory)
		fd_files_add_own(table, fd_task(pid, pid), AT_FDCWD, directory, false, time_ns);
	return begun;
}

static void end_own(struct fd_table *table, uint64_t task, int fd, uint64_t time_ns)
{
	struct fd_files *own = fd_files_own(table, task, fd);

	if (own && own->ended_ns > time_ns)
		own->ended_ns = time_ns;
}

static void end_thread(struct fd_table *table, uint64_t task, uint64_t time_ns)
{
	end_own(table, task, 0, time_ns);
	end_own(table, task, AT_FDCWD, time_ns);
}

void fd_table_fork(struct fd_table *table, uint64_t parent, uint32_t pid, uint64_t time_ns)
{
	/* The exit record of an earlier thread with this tid may be lost. */
	end_thread(table, fd_task(pid, pid), time_ns);
	begin_process(table, parent, pid, time_ns);
	fd_forget_some(table);
}

void fd_table_thread(struct fd_table *table, uint64_t parent, uint64_t task, uint64_t time_ns)
{
	static const int kinds[] = { 0, AT_FDCWD };

	end_thread(table, task, time_ns);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct fd_files *own = fd_files_own(table, parent, kinds[i]);

		if (own && own->ended_ns == FD_STILL)
			fd_files_add_own(table, task, kinds[i], fd_files_resolve(own), true,
					 time_ns);
	}
}

void fd_table_share(struct fd_table *table, uint64_t parent, uint32_t pid)
{
	struct fd_files *files = idmap_get(&table->processes, pid);
	struct fd_files *shared = fd_files_now(table, parent, 0);

	if (!files || fd_files_resolve(files) == shared || shared->origin == files)
		return;
	files->same = shared;
	shared->refs++;
}

void fd_table_share_directory(struct fd_table *table, uint64_t parent, uint32_t pid, bool shared)
{
	uint64_t task = fd_task(pid, pid);
	struct fd_files *directory = fd_files_now(table, parent, AT_FDCWD), *files;
	bool is_shared = fd_files_now(table, task, AT_FDCWD) == directory;

	if (is_shared == shared)
		return;
	files = idmap_get(&table->processes, pid);
	end_own(table, task, AT_FDCWD, files->born_ns);
	fd_files_add_own(table, task, AT_FDCWD, directory, shared, files->born_ns);
}

void fd_table_unshare(struct fd_table *table, uint64_t from, uint64_t task, int fd,
		      uint64_t time_ns)
{
	const struct fd_files *files = idmap_get(&table->processes, task);

	if (task >> 32)
		fd_files_add_own(table, task, fd, fd_files_now(table, from, fd), false, time_ns);
	/* refs also counts files that inherit from these: a redundant copy is harmless. */
	else if (files && (files->same || files->refs))
		fd_files_add(table, (uint32_t)task, fd_files_now(table, task, fd), time_ns);
	fd_forget_some(table);
}

bool fd_table_part(struct fd_table *table, uint64_t task, uint64_t other, uint64_t like, int fd,
		   uint64_t time_ns)
{
	struct fd_files *same = like ? fd_files_own(table, like, fd) : NULL;
	const struct fd_files *common = fd_files_now(table, fd_task_process(task), fd);

	if (fd_files_own(table, task, fd) || fd_files_own(table, other, fd))
		return false;
	fd_files_add_own(table, task, fd, fd_files_resolve(same), same != NULL, 0);
	/* Some changes may be those of this thread: distrust the shared versions. */
	if (common->changed)
		fd_table_lose(table, 0, time_ns);
	return true;
}

void fd_table_exec(struct fd_table *table, uint32_t pid, uint64_t time_ns)
{
	const struct fd_files *before = idmap_get(&table->processes, pid);

	/*
	 * The kernel gives the pid to the thread that executed the program. That thread is unknown,
	 * and threads had separate descriptors: /proc will show which ones remain.
	 */
	if (before && before->split) {
		end_thread(table, fd_task(pid, pid), time_ns);
		fd_files_add(table, pid, NULL, time_ns);
	} else {
		begin_process(table, fd_task(pid, pid), pid, time_ns)->by_exec = true;
		end_own(table, fd_task(pid, pid), 0, time_ns);
	}
	fd_forget_some(table);
}

void fd_table_exit(struct fd_table *table, uint64_t task, uint64_t time_ns)
{
	struct fd_files *files = idmap_get(&table->processes, task);

	if (task >> 32)
		end_thread(table, task, time_ns);
	else if (files && files->ended_ns == FD_STILL)
		files->ended_ns = time_ns;
}

void fd_table_lose(struct fd_table *table, uint64_t from_ns, uint64_t until_ns)
{
	table->losses[table->loss_count % FD_LOSSES] = (struct fd_loss){ from_ns, until_ns };
	table->loss_count++;
	/* Bound the count. From FD_LOSSES on, only its remainder matters: all entries are valid. */
	if (table->loss_count == 2 * FD_LOSSES)
		table->loss_count = FD_LOSSES;
}

void fd_table_set_blind(struct fd_table *table, bool blind, uint64_t now_ns)
{
	if (table->switches_lost_ns != FD_STILL && !blind) {
		fd_table_lose(table, table->switches_lost_ns, now_ns);
		table->switches_lost_ns = FD_STILL;
	} else if (table->switches_lost_ns == FD_STILL && blind) {
		table->switches_lost_ns = now_ns;
	}
}

/* Return since when a descriptor that is open now is known to be open: after a loss, now_ns. */
static uint64_t known_since(const struct fd_table *table, uint64_t since_ns, uint64_t now_ns)
{
	return was_lost(table, since_ns, now_ns) ? now_ns : since_ns;
}

/* Return the time until which the version is certain: before the next loss. */
static uint64_t sure_until(const struct fd_table *table, const struct fd_version *version)
{
	uint64_t since_ns = version->from_ns > version->sure_ns ? version->from_ns
								: version->sure_ns;
	uint64_t until_ns = table->switches_lost_ns;

	for (unsigned i = 0; i < table->loss_count && i < FD_LOSSES; i++)
		if (table->losses[i].until_ns > since_ns && table->losses[i].from_ns < until_ns)
			until_ns = table->losses[i].from_ns;
	return until_ns > since_ns ? until_ns - 1 : since_ns;
}

struct fd_version *fd_table_witness(struct fd_table *table, uint64_t task, int fd,
				    uint64_t asked_ns, uint64_t reported_ns, fd_same_fn *same,
				    const void *ctx)
{
	/* Find the files at the time of the query; the current ones inherit from these. */
	struct fd_files *files = fd_files_at(table, task, fd, asked_ns);
	struct fd_version *version;
	struct fd_chain *chain;
	struct fd_found found;
	uint64_t from_ns;
	size_t place;
	struct fd_file *file;

	/* The thread got its own descriptors during the query. */
	if (files && files != fd_files_at(table, task, fd, reported_ns))
		return NULL;
	if (!files)
		files = fd_files_add(table, fd_task_process(task), NULL, 0);
	/* The pid was reused, or the process executed a program meanwhile. */
	if (files->born_ns >= asked_ns || files->ended_ns <= reported_ns)
		return NULL;
	files = fd_files_resolve(files);
	found = find_in(table, files, fd, reported_ns, true);
	if (found.version) {
		/* An inherited version stays in the fd_files of the origin: confirm it there. */
		version = (struct fd_version *)(uintptr_t)found.version;
		if (version->from_ns > asked_ns || version->until_ns < reported_ns)
			return NULL;
		version->sure_ns = reported_ns;
		return version;
	}
	chain = fd_chain_get(table, files, fd);
	place = fd_chain_count(chain, reported_ns, true);
	version = place ? &chain->versions[place - 1] : NULL;
	if (version && version->until_ns == FD_STILL) {
		/* Open, but uncertain after a loss. */
		if (version->from_ns <= asked_ns && same(ctx, version->file)) {
			version->sure_ns = reported_ns;
			return version;
		}
		version->until_ns = sure_until(table, version);
	}
	if (version && version->until_ns >= asked_ns)
		return NULL;
	from_ns = known_since(table, version ? version->until_ns : files->born_ns, asked_ns);
	file = fd_file_new(table, NULL, 0, true);
	version = fd_chain_add(table, chain, place, file, from_ns,
			       place < chain->count ? chain->versions[place].from_ns : FD_STILL);
	fd_file_drop(table, file);
	version->sure_ns = reported_ns;
	version->found = true;
	return version;
}
