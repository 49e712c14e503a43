#include "engine/stack/spaces.h"

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/base/names.h"
#include "engine/base/str.h"
#include "engine/stack/file_probe.h"
#include "engine/stack/proc_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATHS_BYTES_MAX ((size_t)64 << 20)
/* With more mappings, evict ended spaces; with more than 4 times as many, drop new mappings. */
#define MAPPINGS_MAX (1024u * 1024)
#define ENDED_BYTES ((size_t)16 << 20)
#define BRIEF_SHARE 4 /* divisor of the limit, for ended spaces that were brief and not looked up */
#define BRIEF_NS NS_PER_S
#define PROC_BYTES_MAX ((size_t)16 << 20)
#define RELOAD_NS NS_PER_S
#define FILLED_AT_ONCE 256 /* maximum number of mappings added in one hold of the lock */

static const char path_refused[] = "(too many paths)";

struct space {
	uint32_t pid, generation;
	uint32_t parent_pid, parent_generation; /* space that it was copied from; pid 0: none */
	uint32_t exec_generation; /* generation in which its program started */
	struct space_maps *maps;
	uint64_t loaded_ns; /* last read of /proc; 0: never */
	uint64_t since_ns; /* start of the space; 0: before the first record */
	uint32_t version; /* number of changes of maps */
	uint64_t began_ns; /* start of the program; 0: before tracing */
	bool asked; /* looked up at least once */
	struct space *next_ended;
	size_t ended_bytes; /* size when the space ended; shared maps count in part */
	bool ended; /* in one of the ended lists */
};

/* Oldest first. */
struct ended_spaces {
	struct space *first, *last;
	size_t bytes, bytes_max;
};

struct spaces {
	struct reader *reader; /* NULL: the calling thread reads */
	pthread_mutex_t lock;
	struct idmap by_key; /* (pid, generation) to its space, ended ones included */
	struct idmap before; /* the same, as it was before spaces_start_over() */
	struct idmap current; /* pid to its current space */
	struct ended_spaces brief, lasting;
	size_t mappings;
	uint32_t last_generation;
	uint64_t now_ns; /* time of the current record */
	struct names *paths;
};

struct spaces *spaces_new(void)
{
	struct spaces *spaces = mem_zalloc(1, sizeof(*spaces));

	lock_init(&spaces->lock);
	idmap_init(&spaces->by_key);
	idmap_init(&spaces->before);
	idmap_init(&spaces->current);
	spaces->paths = names_new(PATHS_BYTES_MAX);
	spaces_set_limit(spaces, ENDED_BYTES);
	return spaces;
}

void spaces_set_limit(struct spaces *spaces, size_t bytes)
{
	spaces->lasting.bytes_max = bytes;
	spaces->brief.bytes_max = bytes / BRIEF_SHARE;
}

void spaces_set_paths_limit(struct spaces *spaces, size_t bytes)
{
	pthread_mutex_lock(&spaces->lock);
	names_set_limit(spaces->paths, bytes);
	pthread_mutex_unlock(&spaces->lock);
}

static void release_spaces(struct idmap *by_key)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(by_key, &cursor))) {
		struct space *space = slot->value;

		space_maps_drop(space->maps);
		free(space);
	}
	idmap_release(by_key);
}

void spaces_set_reader(struct spaces *spaces, struct reader *reader)
{
	spaces->reader = reader;
}

void spaces_free(struct spaces *spaces)
{
	if (!spaces)
		return;
	release_spaces(&spaces->before);
	release_spaces(&spaces->by_key);
	idmap_release(&spaces->current);
	names_free(spaces->paths);
	pthread_mutex_destroy(&spaces->lock);
	free(spaces);
}

uint64_t mapping_hash(uint64_t hash, const struct mapping *mapping)
{
	hash = hash_mix(hash, (uintptr_t)mapping->path);
	hash = hash_mix(hash, (uintptr_t)mapping->build_id);
	hash = hash_mix(hash, mapping->inode);
	hash = hash_mix(hash, mapping->inode_generation);
	return hash_mix(hash, (uint64_t)mapping->dev_major << 32 | mapping->dev_minor);
}

static uint64_t key_of(uint32_t pid, uint32_t generation)
{
	return (uint64_t)generation << 32 | pid;
}

static struct space *get_space(struct spaces *spaces, uint32_t pid, uint32_t generation)
{
	return idmap_get(&spaces->by_key, key_of(pid, generation));
}

static struct space *add_space(struct spaces *spaces, uint32_t pid, uint32_t generation,
			       struct space_maps *take_maps)
{
	struct space *space = mem_zalloc(1, sizeof(*space));

	space->pid = pid;
	space->generation = space->exec_generation = generation;
	space->maps = take_maps;
	idmap_put(&spaces->by_key, key_of(pid, generation), space);
	return space;
}

/* Return the current space of pid; an unknown pid starts with generation 0. */
static struct space *current_space(struct spaces *spaces, uint32_t pid)
{
	struct space *space = idmap_get(&spaces->current, pid);

	if (space)
		return space;
	space = get_space(spaces, pid, 0);
	if (!space)
		space = add_space(spaces, pid, 0, space_maps_new(&spaces->mappings));
	idmap_put(&spaces->current, pid, space);
	return space;
}

/* -- Ended spaces ---------- */

static void add_ended(struct ended_spaces *ended, struct space *space)
{
	const struct space_maps *maps = space->maps;

	space->next_ended = NULL;
	space->ended_bytes = sizeof(*space) + maps->count * sizeof(*maps->items) / maps->refs;
	if (ended->last)
		ended->last->next_ended = space;
	else
		ended->first = space;
	ended->last = space;
	ended->bytes += space->ended_bytes;
}

static struct space *take_oldest(struct ended_spaces *ended)
{
	struct space *space = ended->first;

	ended->first = space->next_ended;
	if (!ended->first)
		ended->last = NULL;
	ended->bytes -= space->ended_bytes;
	return space;
}

static void forget(struct spaces *spaces, struct space *space)
{
	if (idmap_get(&spaces->current, space->pid) == space)
		idmap_remove(&spaces->current, space->pid);
	idmap_remove(&spaces->by_key, key_of(space->pid, space->generation));
	space_maps_drop(space->maps);
	free(space);
}

static bool is_full(const struct spaces *spaces, const struct ended_spaces *ended)
{
	return ended->first && (ended->bytes > ended->bytes_max || spaces->mappings > MAPPINGS_MAX);
}

static void forget_oldest(struct spaces *spaces)
{
	while (is_full(spaces, &spaces->brief)) {
		struct space *space = take_oldest(&spaces->brief);

		if (space->asked)
			add_ended(&spaces->lasting, space);
		else
			forget(spaces, space);
	}
	while (is_full(spaces, &spaces->lasting))
		forget(spaces, take_oldest(&spaces->lasting));
}

/* End a space, but retain it for late lookups. */
static void end_space(struct spaces *spaces, struct space *space, uint64_t time_ns)
{
	bool lasted = space->asked || time_ns >= space->began_ns + BRIEF_NS;

	if (space->ended)
		return;
	space->ended = true;
	add_ended(lasted ? &spaces->lasting : &spaces->brief, space);
	forget_oldest(spaces);
}

/* Replace the current space of pid. Consumes the reference to take_maps. */
static struct space *begin_space(struct spaces *spaces, uint32_t pid, struct space_maps *take_maps,
				 uint64_t time_ns)
{
	struct space *old = idmap_get(&spaces->current, pid);
	struct space *space = add_space(spaces, pid, ++spaces->last_generation, take_maps);

	space->began_ns = time_ns;
	space->since_ns = spaces->now_ns;
	idmap_put(&spaces->current, pid, space);
	if (old)
		end_space(spaces, old, time_ns);
	return space;
}

static const char *store_path(struct spaces *spaces, const char *path, size_t len)
{
	const char *kept = names_add(spaces->paths, path, len > PATH_MAX ? PATH_MAX : len);

	return kept ? kept : path_refused;
}

/*
 * Begin a new generation when other code replaces existing code, so that addresses recorded earlier
 * refer to the old mappings. No record reports the munmap of the old code.
 */
static struct space *continue_space(struct spaces *spaces, struct space *old, uint64_t time_ns)
{
	struct space before = *old; /* copied: begin_space() may free it */
	struct space *space = begin_space(spaces, old->pid, space_maps_share(old->maps), time_ns);

	space->parent_pid = before.parent_pid;
	space->parent_generation = before.parent_generation;
	space->exec_generation = before.exec_generation;
	space->began_ns = before.began_ns;
	return space;
}

static void feed_map(struct spaces *spaces, const struct record *record)
{
	struct space *space = current_space(spaces, record->pid);
	struct mapping mapping = {
		.start = record->map.start,
		.end = record->map.start + record->map.bytes,
		.file_offset = record->map.file_offset,
		.dev_major = record->map.dev_major,
		.dev_minor = record->map.dev_minor,
		.inode = record->map.inode,
		.inode_generation = record->map.inode_generation,
		.prot = record->map.prot,
		.path = store_path(spaces, record->map.path, strlen(record->map.path)),
	};

	if (record->map.build_id)
		mapping.build_id = (const uint8_t *)names_add(spaces->paths,
							      (const char *)record->map.build_id,
							      record->map.build_id_bytes);
	mapping.build_id_bytes = mapping.build_id ? record->map.build_id_bytes : 0;
	if (mapping.end <= mapping.start || spaces->mappings > 4 * (size_t)MAPPINGS_MAX)
		return;
	if (space_maps_is_other_code(space->maps, &mapping))
		space = continue_space(spaces, space, record->time_ns);
	space->maps = space_maps_own(space->maps);
	space->version++;
	space_maps_replace(space->maps, &mapping);
}

static void feed_fork(struct spaces *spaces, const struct record *record)
{
	struct space *parent, *child;
	uint32_t generation;

	if (record->pid == record->fork.parent_pid)
		return; /* a thread shares the space */
	parent = current_space(spaces, record->fork.parent_pid);
	generation = parent->generation; /* read first: begin_space() may free the parent */
	child = begin_space(spaces, record->pid, space_maps_share(parent->maps), record->time_ns);
	child->parent_pid = record->fork.parent_pid;
	child->parent_generation = generation;
}

void spaces_start_over(struct spaces *spaces)
{
	pthread_mutex_lock(&spaces->lock);
	release_spaces(&spaces->before);
	spaces->before = spaces->by_key;
	idmap_init(&spaces->by_key);
	idmap_clear(&spaces->current);
	spaces->last_generation = 0;
	spaces->brief.first = spaces->brief.last = NULL;
	spaces->lasting.first = spaces->lasting.last = NULL;
	spaces->brief.bytes = spaces->lasting.bytes = 0;
	if (spaces->mappings > MAPPINGS_MAX)
		release_spaces(&spaces->before);
	pthread_mutex_unlock(&spaces->lock);
}

void spaces_feed(struct spaces *spaces, const struct record *record)
{
	struct space *space;

	pthread_mutex_lock(&spaces->lock);
	spaces->now_ns = record->time_ns;
	switch (record->kind) {
	case RECORD_MAP:
		feed_map(spaces, record);
		break;
	case RECORD_FORK:
		feed_fork(spaces, record);
		break;
	case RECORD_COMM:
		if (record->comm.exec)
			begin_space(spaces, record->pid, space_maps_new(&spaces->mappings),
				    record->time_ns);
		break;
	case RECORD_TASK_EXIT:
		/* Other threads may still run, so the ended space remains the current one. */
		space = idmap_get(&spaces->current, record->pid);
		if (space && record->tid == record->pid)
			end_space(spaces, space, record->time_ns);
		break;
	default:
		break;
	}
	pthread_mutex_unlock(&spaces->lock);
}

uint32_t spaces_current(const struct spaces *spaces, uint32_t pid, uint32_t *version)
{
	struct spaces *locked = (struct spaces *)(uintptr_t)spaces; /* to take its lock */
	const struct space *space;
	uint32_t generation;

	pthread_mutex_lock(&locked->lock);
	space = idmap_get(&spaces->current, pid);
	generation = space ? space->generation : 0;
	*version = space ? space->version : 0;
	pthread_mutex_unlock(&locked->lock);
	return generation;
}

uint32_t spaces_generation(const struct spaces *spaces, uint32_t pid)
{
	uint32_t version;

	return spaces_current(spaces, pid, &version);
}

uint64_t spaces_since(const struct spaces *spaces, uint32_t pid)
{
	struct spaces *locked = (struct spaces *)(uintptr_t)spaces; /* to take its lock */
	const struct space *space;
	uint64_t since_ns;

	pthread_mutex_lock(&locked->lock);
	space = idmap_get(&spaces->current, pid);
	since_ns = space ? space->since_ns : 0;
	pthread_mutex_unlock(&locked->lock);
	return since_ns;
}

typedef const struct mapping *find_fn(const struct space_maps *maps, uint64_t address);

static bool find_by(struct spaces *spaces, uint32_t pid, uint32_t generation, uint64_t address,
		    find_fn *find, struct mapping *out)
{
	const struct mapping *mapping = NULL;
	struct space *space;

	pthread_mutex_lock(&spaces->lock);
	space = get_space(spaces, pid, generation);
	if (space)
		space->asked = true;
	if (space)
		mapping = find(space->maps, address);
	space = mapping ? NULL : idmap_get(&spaces->before, key_of(pid, generation));
	if (space)
		mapping = find(space->maps, address);
	if (mapping)
		*out = *mapping;
	pthread_mutex_unlock(&spaces->lock);
	return mapping != NULL;
}

bool spaces_find(struct spaces *spaces, uint32_t pid, uint32_t generation, uint64_t ip,
		 struct mapping *out)
{
	return find_by(spaces, pid, generation, ip, space_maps_find, out);
}

bool spaces_find_code_below(struct spaces *spaces, uint32_t pid, uint32_t generation,
			    uint64_t address, struct mapping *out)
{
	return find_by(spaces, pid, generation, address, space_maps_code_below, out);
}

/* Mappings of /proc/PID/maps, parsed without a lock. */
struct parsed {
	struct parsed_mapping {
		struct mapping mapping; /* without its path, which is a part of `paths` */
		size_t path_at, path_len;
	} * items;
	size_t count, capacity;
	struct str paths;
};

static void add_parsed(void *arg, const struct mapping *mapping, const char *path, size_t path_len)
{
	struct parsed *parsed = arg;

	parsed->items = mem_grow(parsed->items, &parsed->capacity, parsed->count + 1,
				 sizeof(*parsed->items));
	parsed->items[parsed->count++] = (struct parsed_mapping){ *mapping, parsed->paths.len,
								  path_len };
	str_addn(&parsed->paths, path, path_len);
}

static void fill(struct spaces *spaces, struct space *space, const struct parsed *parsed,
		 size_t from, size_t until)
{
	size_t before;

	space->maps = space_maps_own(space->maps);
	before = space->maps->count;
	for (size_t i = from; i < until; i++) {
		const struct parsed_mapping *item = &parsed->items[i];
		struct mapping kept = item->mapping;

		kept.path = store_path(spaces, parsed->paths.data + item->path_at, item->path_len);
		space_maps_fill(space->maps, &kept);
	}
	space->version += space->maps->count != before;
}

/* Fill the gaps of an exited process with the mappings of its parent. */
static void fill_from_parent(struct spaces *spaces, struct space *space)
{
	const struct space *parent = get_space(spaces, space->parent_pid, space->parent_generation);

	if (!space->parent_pid || !parent || parent->maps == space->maps)
		return;
	space->maps = space_maps_own(space->maps);
	for (size_t i = 0; i < parent->maps->count; i++)
		space_maps_fill(space->maps, &parent->maps->items[i]);
}

/* True if /proc/PID/maps still shows the same program, so that it can fill gaps. */
static bool is_running(const struct spaces *spaces, const struct space *space)
{
	const struct space *current = idmap_get(&spaces->current, space->pid);

	return current && current->exec_generation == space->exec_generation;
}

/* Note the time of this read. False: no such space, or it was read less than a second ago. */
static bool begin_load(struct spaces *spaces, uint32_t pid, uint32_t generation, bool *runs,
		       uint32_t *parent_pid, uint32_t *parent_generation)
{
	struct space *space = get_space(spaces, pid, generation);
	uint64_t now = clock_now_ns();

	if (!space && generation == 0 && !idmap_get(&spaces->current, pid))
		space = current_space(spaces, pid);
	if (!space || (space->loaded_ns && now - space->loaded_ns < RELOAD_NS))
		return false;
	space->loaded_ns = now;
	*runs = is_running(spaces, space);
	*parent_pid = space->parent_pid;
	*parent_generation = space->parent_generation;
	return true;
}

/*
 * Fill the gaps of a space from the text of its maps. The collector takes the lock too, so hold it
 * only for a few mappings at a time. False: the space is gone, or its program has changed.
 */
static bool publish(struct spaces *spaces, uint32_t pid, uint32_t generation,
		    const struct str *text)
{
	struct parsed parsed = { .paths = STR_INIT };
	size_t from = 0, until;
	bool lasts;

	proc_maps_parse(text->data, text->len, add_parsed, &parsed);
	do {
		struct space *space;

		until = parsed.count - from < FILLED_AT_ONCE ? parsed.count : from + FILLED_AT_ONCE;
		pthread_mutex_lock(&spaces->lock);
		space = get_space(spaces, pid, generation);
		/* After an exec during the read, the text belongs to the next generation. */
		lasts = space && is_running(spaces, space);
		if (lasts)
			fill(spaces, space, &parsed, from, until);
		pthread_mutex_unlock(&spaces->lock);
		from = until;
	} while (lasts && from < parsed.count);
	free(parsed.items);
	str_release(&parsed.paths);
	return lasts;
}

static bool load(struct spaces *spaces, uint32_t pid, uint32_t generation, unsigned int depth)
{
	uint32_t parent_pid, parent_generation;
	struct str text = STR_INIT;
	struct space *space;
	bool runs, loaded;

	pthread_mutex_lock(&spaces->lock);
	if (!begin_load(spaces, pid, generation, &runs, &parent_pid, &parent_generation)) {
		pthread_mutex_unlock(&spaces->lock);
		return false;
	}
	pthread_mutex_unlock(&spaces->lock);

	loaded = runs && !file_probe_maps(spaces->reader, pid, PROC_BYTES_MAX, &text) && text.len;
	if (!loaded && parent_pid && depth < 4)
		load(spaces, parent_pid, parent_generation, depth + 1);

	if (loaded)
		loaded = publish(spaces, pid, generation, &text);
	if (!loaded) {
		pthread_mutex_lock(&spaces->lock);
		space = get_space(spaces, pid, generation);
		if (space)
			fill_from_parent(spaces, space);
		pthread_mutex_unlock(&spaces->lock);
	}
	str_release(&text);
	return loaded;
}

bool spaces_load_proc(struct spaces *spaces, uint32_t pid, uint32_t generation)
{
	return load(spaces, pid, generation, 0);
}

size_t spaces_copy(struct spaces *spaces, uint32_t pid, uint32_t generation,
		   struct mapping **mappings)
{
	const struct space *space;
	size_t count = 0;

	*mappings = NULL;
	pthread_mutex_lock(&spaces->lock);
	space = get_space(spaces, pid, generation);
	if (space && space->maps->count) {
		count = space->maps->count;
		*mappings = mem_realloc(NULL, count, sizeof(**mappings));
		memcpy(*mappings, space->maps->items, count * sizeof(**mappings));
	}
	pthread_mutex_unlock(&spaces->lock);
	return count;
}

size_t spaces_mappings(struct spaces *spaces)
{
	size_t mappings;

	pthread_mutex_lock(&spaces->lock);
	mappings = spaces->mappings;
	pthread_mutex_unlock(&spaces->lock);
	return mappings;
}

void spaces_bytes(struct spaces *spaces, size_t *of_mappings, size_t *of_paths)
{
	pthread_mutex_lock(&spaces->lock);
	*of_mappings = spaces->mappings * sizeof(struct mapping) +
		       (spaces->by_key.count + spaces->before.count) * sizeof(struct space) +
		       idmap_bytes(&spaces->by_key) + idmap_bytes(&spaces->before) +
		       idmap_bytes(&spaces->current);
	*of_paths = names_bytes(spaces->paths);
	pthread_mutex_unlock(&spaces->lock);
}
