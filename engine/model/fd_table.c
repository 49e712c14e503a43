#include "engine/model/fd_table.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Who inherits from a longer line of processes, or execs, starts with nothing: /proc knows. */
#define DEPTH_MAX 32

void fd_table_init(struct fd_table *table, size_t max_bytes)
{
	memset(table, 0, sizeof(*table));
	table->max_bytes = max_bytes;
	table->blind_ns = FD_STILL;
}

static uint64_t key_of(uint32_t id, int fd)
{
	return (uint64_t)id << 32 | (uint32_t)fd;
}

/* -- Files ----------------------------------------------------------------------------- */

struct fd_file *fd_table_file(struct fd_table *table, const char *text, size_t len, bool vague)
{
	struct fd_file *file = mem_zalloc(1, sizeof(*file));

	file->refs = 1;
	file->vague = vague;
	table->bytes += sizeof(*file);
	if (text)
		fd_table_set_text(table, file, text, len, 0);
	return file;
}

static void free_texts(struct fd_table *table, struct fd_file *file)
{
	while (file->older) {
		struct fd_file_text *text = file->older;

		file->older = text->older;
		table->bytes -= sizeof(*text) + text->len;
		free(text);
	}
}

void fd_table_drop_file(struct fd_table *table, struct fd_file *file)
{
	if (!file || --file->refs)
		return;
	free_texts(table, file);
	if (file->text)
		table->bytes -= file->len;
	if (file->of_socket)
		table->bytes -= sizeof(*file->of_socket);
	table->bytes -= sizeof(*file);
	free(file->text);
	free(file->of_socket);
	free(file);
}

/* A socket's addresses come one after the other, and seldom more than that. */
#define TEXTS_MAX 8

static void keep_text(struct fd_table *table, struct fd_file *file)
{
	struct fd_file_text *text = mem_alloc(sizeof(*text) + file->len);
	unsigned count = 0;

	for (struct fd_file_text *older = file->older; older; older = older->older)
		count++;
	if (count >= TEXTS_MAX)
		free_texts(table, file);
	text->since_ns = file->since_ns;
	text->len = file->len;
	memcpy(text->text, file->text, file->len);
	text->older = file->older;
	file->older = text;
	table->bytes += sizeof(*text) + text->len;
}

void fd_table_set_text(struct fd_table *table, struct fd_file *file, const char *text, size_t len,
		       uint64_t since_ns)
{
	if (len > FD_TEXT_MAX)
		len = FD_TEXT_MAX;
	if (file->text && file->len == len && !memcmp(file->text, text, len))
		return;
	if (file->text && since_ns) {
		keep_text(table, file);
		file->since_ns = since_ns;
	} else if (since_ns) {
		file->since_ns = since_ns;
	}
	if (file->text)
		table->bytes -= file->len;
	file->text = mem_realloc(file->text, len + 1, 1);
	memcpy(file->text, text, len);
	file->text[len] = '\0';
	file->len = len;
	table->bytes += len;
}

const char *fd_file_text_at(const struct fd_file *file, uint64_t at_ns, size_t *len)
{
	*len = file->len;
	if (!file->text || file->since_ns <= at_ns)
		return file->text;
	for (const struct fd_file_text *text = file->older; text; text = text->older) {
		*len = text->len;
		if (text->since_ns <= at_ns || !text->older)
			return text->text;
	}
	/* Before it was known by this text, nothing was. */
	return NULL;
}

/* -- Versions -------------------------------------------------------------------------- */

/* The first ones, as many. */
static void drop_versions(struct fd_table *table, struct fd_chain *chain, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fd_table_drop_file(table, chain->versions[i].file);
	chain->count -= count;
	memmove(chain->versions, chain->versions + count,
		chain->count * sizeof(*chain->versions));
	/* What was many once may be few for good. */
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

static struct fd_version *newest_of(const struct fd_chain *chain)
{
	return chain && chain->count ? &chain->versions[chain->count - 1] : NULL;
}

/* How many begin before a time, or at it too. */
static size_t count_until(const struct fd_chain *chain, uint64_t at_ns, bool after)
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

static struct fd_chain *find_chain(const struct fd_table *table, const struct fd_files *files,
				   int fd)
{
	return idmap_get(&table->chains, key_of(files->id, fd));
}

static struct fd_chain *get_chain(struct fd_table *table, struct fd_files *files, int fd)
{
	struct fd_chain *chain = find_chain(table, files, fd);

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

/* So that it is the one at `place`. */
static struct fd_version *add_version(struct fd_table *table, struct fd_chain *chain,
				      size_t place, struct fd_file *file, uint64_t from_ns,
				      uint64_t until_ns)
{
	size_t room = chain->room;

	/* Most numbers are one thing for good. */
	if (chain->count == chain->room) {
		chain->room = chain->room ? 2 * chain->room : 1;
		chain->versions = mem_realloc(chain->versions, chain->room,
					      sizeof(*chain->versions));
	}
	table->bytes += (chain->room - room) * sizeof(*chain->versions);
	memmove(chain->versions + place + 1, chain->versions + place,
		(chain->count - place) * sizeof(*chain->versions));
	chain->count++;
	chain->versions[place] = (struct fd_version){ .file = file, .from_ns = from_ns,
						      .until_ns = until_ns };
	file->refs++;
	return &chain->versions[place];
}

/* -- Processes -------------------------------------------------------------------------- */

static void free_files(struct fd_table *table, struct fd_files *files)
{
	while (files->chains) {
		struct fd_chain *chain = files->chains;

		files->chains = chain->next;
		idmap_remove(&table->chains, key_of(files->id, chain->fd));
		drop_versions(table, chain, chain->count);
		table->bytes -= sizeof(*chain) + sizeof(struct idmap_slot);
		free(chain);
	}
	table->bytes -= sizeof(*files);
	free(files);
}

/* One less inherits from it; and whoever goes with it does not inherit either. */
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

/* Its process has it no more. */
static void loosen_files(struct fd_table *table, struct fd_files *files)
{
	files->loose = true;
	files->refs++;
	unref_files(table, files);
}

void fd_table_release(struct fd_table *table)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&table->processes, &cursor))) {
		struct fd_files *files = slot->value;

		while (files) {
			struct fd_files *earlier = files->earlier;

			loosen_files(table, files);
			files = earlier;
		}
	}
	idmap_release(&table->processes);
	idmap_release(&table->chains);
}

static struct fd_files *resolve(struct fd_files *files)
{
	while (files && files->same)
		files = files->same;
	return files;
}

/* A new table of the process, in front of those that it had. */
static struct fd_files *add_files(struct fd_table *table, uint32_t pid, struct fd_files *origin,
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

static struct fd_files *files_now(struct fd_table *table, uint32_t pid)
{
	struct fd_files *files = idmap_get(&table->processes, pid);

	if (!files || files->ended_ns != FD_STILL)
		files = add_files(table, pid, NULL, files ? files->ended_ns : 0);
	return resolve(files);
}

/* -- Looking --------------------------------------------------------------------------- */

/* Something may have been missed of a number between two times. */
static bool was_lost(const struct fd_table *table, uint64_t since_ns, uint64_t at_ns)
{
	if (table->blind_ns < at_ns)
		return true;
	for (unsigned i = 0; i < table->loss_count && i < FD_LOSSES; i++)
		if (table->losses[i].until_ns > since_ns && table->losses[i].from_ns <= at_ns)
			return true;
	return false;
}

/* It was open then, and nothing can have been missed since it was last known to be. */
static bool is_sure(const struct fd_table *table, const struct fd_version *version,
		    uint64_t at_ns)
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
		const struct fd_chain *chain = find_chain(table, files, fd);
		size_t count = count_until(chain, at_ns, after);

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
		/* As it was when this one came into being: what is from that moment counts. */
		at_ns = files->born_ns;
		after = true;
		execs = execs || files->by_exec;
	}
	return (struct fd_found){ .version = NULL };
}

struct fd_found fd_table_find(const struct fd_table *table, uint32_t pid, int fd, uint64_t at_ns,
			      bool after)
{
	struct fd_files *files = idmap_get(&table->processes, pid);

	while (files && files->earlier && files->born_ns >= at_ns)
		files = files->earlier;
	return find_in(table, resolve(files), fd, at_ns, after);
}

/* -- Changes --------------------------------------------------------------------------- */

/*
 * What the number was up to now, as a version of this table's own: what was inherited is put
 * there, to be ended there. NULL: it was not known to be open.
 */
static struct fd_version *own_version(struct fd_table *table, struct fd_files *files, int fd,
				      uint64_t now_ns)
{
	struct fd_found found = find_in(table, files, fd, now_ns, true);
	struct fd_chain *chain;
	struct fd_version *own;

	if (!found.version)
		return NULL;
	chain = get_chain(table, files, fd);
	if (chain->count)
		return newest_of(chain);
	own = add_version(table, chain, 0, found.version->file, files->born_ns, FD_STILL);
	own->sure_ns = found.version->sure_ns;
	own->cloexec = found.version->cloexec;
	return own;
}

/* That a number is not what the origin had: an end without a beginning. */
static void end_unknown(struct fd_table *table, struct fd_files *files, int fd, uint64_t until_ns)
{
	struct fd_chain *chain = find_chain(table, files, fd);
	struct fd_file *file;

	if (chain && chain->count)
		return;
	chain = get_chain(table, files, fd);
	file = fd_table_file(table, NULL, 0, true);
	add_version(table, chain, 0, file, files->born_ns, until_ns);
	fd_table_drop_file(table, file);
}

static void close_in(struct fd_table *table, struct fd_files *files, int fd, uint64_t enter_ns)
{
	struct fd_version *version = own_version(table, files, fd, enter_ns);

	if (version && version->until_ns > enter_ns)
		version->until_ns = enter_ns;
	else if (!version)
		end_unknown(table, files, fd, enter_ns);
}

static void make_room(struct fd_table *table);

void fd_table_open(struct fd_table *table, uint32_t pid, int fd, struct fd_file *file,
		   bool cloexec, uint64_t enter_ns)
{
	struct fd_files *files = files_now(table, pid);
	struct fd_version *version = own_version(table, files, fd, enter_ns);
	uint64_t from_ns = enter_ns;
	struct fd_chain *chain;

	if (version && version->until_ns == FD_STILL)
		version->until_ns = enter_ns; /* its close was not seen */
	if (table->bytes > 2 * table->max_bytes && !find_chain(table, files, fd))
		return; /* so many at once: this one is not known */
	chain = get_chain(table, files, fd);
	version = newest_of(chain);
	/* Another thread closed it while this call was on its way. */
	if (version && version->until_ns != FD_STILL && version->until_ns > from_ns)
		from_ns = version->until_ns;
	if (version && version->from_ns > from_ns)
		from_ns = version->from_ns;
	version = add_version(table, chain, chain->count, file, from_ns, FD_STILL);
	version->cloexec = cloexec;
	make_room(table);
}

void fd_table_close(struct fd_table *table, uint32_t pid, int fd, uint64_t enter_ns)
{
	close_in(table, files_now(table, pid), fd, enter_ns);
}

void fd_table_set_cloexec(struct fd_table *table, uint32_t pid, int fd, bool cloexec,
			  uint64_t at_ns)
{
	struct fd_version *version = own_version(table, files_now(table, pid), fd, at_ns);

	if (version)
		version->cloexec = cloexec;
}

/* Numbers that were ever known, here or where it inherited from. */
void fd_table_close_range(struct fd_table *table, uint32_t pid, uint32_t first, uint32_t last,
			  bool only_cloexec, uint64_t enter_ns)
{
	struct fd_files *files = files_now(table, pid);

	for (const struct fd_files *from = files; from; from = from->origin)
		for (const struct fd_chain *chain = from->chains; chain; chain = chain->next) {
			if (chain->fd < 0 || (uint32_t)chain->fd < first ||
			    (uint32_t)chain->fd > last)
				continue;
			if (!only_cloexec) {
				close_in(table, files, chain->fd, enter_ns);
			} else {
				struct fd_version *version =
					own_version(table, files, chain->fd, enter_ns);

				if (version)
					version->cloexec = true;
			}
		}
	make_room(table);
}

void fd_table_fork(struct fd_table *table, uint32_t parent, uint32_t pid, uint64_t time_ns)
{
	add_files(table, pid, files_now(table, parent), time_ns);
	make_room(table);
}

void fd_table_share(struct fd_table *table, uint32_t parent, uint32_t pid)
{
	struct fd_files *files = idmap_get(&table->processes, pid);
	struct fd_files *shared = files_now(table, parent);

	if (!files || resolve(files) == shared || shared->origin == files)
		return;
	files->same = shared;
	shared->refs++;
}

void fd_table_exec(struct fd_table *table, uint32_t pid, uint64_t time_ns)
{
	add_files(table, pid, files_now(table, pid), time_ns)->by_exec = true;
	make_room(table);
}

void fd_table_exit(struct fd_table *table, uint32_t pid, uint64_t time_ns)
{
	struct fd_files *files = idmap_get(&table->processes, pid);

	if (files && files->ended_ns == FD_STILL)
		files->ended_ns = time_ns;
}

void fd_table_lose(struct fd_table *table, uint64_t from_ns, uint64_t until_ns)
{
	table->losses[table->loss_count % FD_LOSSES] = (struct fd_loss){ from_ns, until_ns };
	table->loss_count++;
	/* The numbers of two rounds are told apart by that alone. */
	if (table->loss_count == 2 * FD_LOSSES)
		table->loss_count = FD_LOSSES;
}

void fd_table_set_blind(struct fd_table *table, bool blind, uint64_t now_ns)
{
	if (table->blind_ns != FD_STILL && !blind) {
		fd_table_lose(table, table->blind_ns, now_ns);
		table->blind_ns = FD_STILL;
	} else if (table->blind_ns == FD_STILL && blind) {
		table->blind_ns = now_ns;
	}
}

/* Since when a number can have been what it is now, as far as is known. */
static uint64_t known_since(const struct fd_table *table, uint64_t since_ns, uint64_t now_ns)
{
	return was_lost(table, since_ns, now_ns) ? now_ns : since_ns;
}

/* Up to when it was that for certain: before anything may have been missed. */
static uint64_t sure_until(const struct fd_table *table, const struct fd_version *version)
{
	uint64_t since_ns = version->from_ns > version->sure_ns ? version->from_ns
								: version->sure_ns;
	uint64_t until_ns = table->blind_ns;

	for (unsigned i = 0; i < table->loss_count && i < FD_LOSSES; i++)
		if (table->losses[i].until_ns > since_ns && table->losses[i].from_ns < until_ns)
			until_ns = table->losses[i].from_ns;
	return until_ns > since_ns ? until_ns - 1 : since_ns;
}

struct fd_version *fd_table_witness(struct fd_table *table, uint32_t pid, int fd,
				    uint64_t asked_ns, uint64_t told_ns, fd_same_fn *same,
				    const void *ctx)
{
	struct fd_files *files = idmap_get(&table->processes, pid);
	struct fd_version *version;
	struct fd_chain *chain;
	struct fd_found found;
	uint64_t from_ns;
	size_t place;
	struct fd_file *file;

	if (!files)
		files = add_files(table, pid, NULL, 0);
	/* It was another process, or ran another program. */
	if (files->born_ns >= asked_ns || files->ended_ns <= told_ns)
		return NULL;
	files = resolve(files);
	found = find_in(table, files, fd, told_ns, true);
	if (found.version) {
		/* It may have been inherited: then it is in another table, and is the same. */
		version = (struct fd_version *)(uintptr_t)found.version;
		if (version->from_ns > asked_ns || version->until_ns < told_ns)
			return NULL;
		version->sure_ns = told_ns;
		return version;
	}
	chain = get_chain(table, files, fd);
	place = count_until(chain, told_ns, true);
	version = place ? &chain->versions[place - 1] : NULL;
	if (version && version->until_ns == FD_STILL) {
		/* Open, and yet not sure. */
		if (version->from_ns <= asked_ns && same(ctx, version->file)) {
			version->sure_ns = told_ns;
			return version;
		}
		version->until_ns = sure_until(table, version);
	}
	if (version && version->until_ns >= asked_ns)
		return NULL;
	from_ns = known_since(table, version ? version->until_ns : files->born_ns, asked_ns);
	file = fd_table_file(table, NULL, 0, true);
	version = add_version(table, chain, place, file, from_ns,
			      place < chain->count ? chain->versions[place].from_ns : FD_STILL);
	fd_table_drop_file(table, file);
	version->sure_ns = told_ns;
	return version;
}

/* -- Room ------------------------------------------------------------------------------ */

static void forget_versions(struct fd_table *table, struct fd_files *files, uint64_t before_ns)
{
	for (struct fd_chain *chain = files->chains; chain; chain = chain->next) {
		size_t count = 0;

		/* The newest stays: without it, that it is closed would not be known. */
		while (count + 1 < chain->count && chain->versions[count].until_ns < before_ns)
			count++;
		if (!count)
			continue;
		drop_versions(table, chain, count);
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

				loosen_files(table, earlier);
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
		loosen_files(table, files);
		cursor = cursor ? cursor - 1 : 0;
	}
	table->swept_ns = before_ns;
}

/* Half of the time that is known of is forgotten at once, so that this is seldom done. */
static void make_room(struct fd_table *table)
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
