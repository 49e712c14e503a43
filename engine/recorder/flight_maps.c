#include "engine/recorder/flight_maps.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/late/late_probe.h"
#include "engine/process/build_id.h"
#include "engine/stack/mapped_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOADED_MAX 65536u
#define IDS_MAX 65536u

struct known_id {
	uint32_t bytes; /* 0: no build-id, or unreadable */
	uint8_t id[BUILD_ID_BYTES];
};

void flight_maps_init(struct flight_maps *maps, struct spaces *spaces, struct reader *reader)
{
	memset(maps, 0, sizeof(*maps));
	maps->spaces = spaces;
	maps->reader = reader;
}

void flight_maps_release(struct flight_maps *maps)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&maps->ids, &cursor)))
		free(slot->value);
	idmap_release(&maps->ids);
	idmap_release(&maps->loaded);
	idmap_release(&maps->generations);
	idmap_release(&maps->reported);
}

void flight_maps_load(struct flight_maps *maps, uint64_t space)
{
	uint64_t before;

	if (idmap_get(&maps->loaded, space))
		return;
	if (maps->loaded.count >= LOADED_MAX)
		idmap_clear(&maps->loaded);
	idmap_put(&maps->loaded, space, maps);
	/* Maps of other users' processes need stxtop's privileges, not those of the user. */
	before = privilege_raise();
	spaces_load_proc(maps->spaces, (uint32_t)space, (uint32_t)(space >> 32));
	privilege_restore(before);
}

void flight_maps_forget(struct flight_maps *maps)
{
	idmap_clear(&maps->generations);
	idmap_clear(&maps->reported);
}

void flight_maps_set(struct flight_maps *maps, uint64_t space)
{
	idmap_put(&maps->generations, (uint32_t)space, (void *)(uintptr_t)((space >> 32) + 1));
}

/* After the process has exited, use the path in stxtop's mount namespace if it names this file. */
static void read_id(const struct flight_maps *maps, struct known_id *known, uint32_t pid,
		    const struct mapping *mapping)
{
	uint64_t before;
	const char *note;
	int fd;

	if (maps->reader) {
		known->bytes = late_probe_build_id(maps->reader, pid, mapping, known->id,
						   sizeof(known->id));
		if (!known->bytes)
			known->bytes = late_probe_build_id(maps->reader, 0, mapping, known->id,
							   sizeof(known->id));
		return;
	}
	before = privilege_raise();
	fd = mapped_file_open(pid, mapping, &note);
	if (fd < 0)
		fd = mapped_file_open(0, mapping, &note);
	privilege_restore(before);
	if (fd < 0)
		return;
	known->bytes = build_id_read(fd, known->id);
	close(fd);
}

static void emit_id(struct flight_maps *maps, uint32_t pid, const struct mapping *mapping,
		    struct perfdata_encode *encode)
{
	uint64_t key = hash_mix(hash_u64(mapping->inode),
				(uint64_t)mapping->dev_major << 32 | mapping->dev_minor);
	struct known_id *known;

	if (!mapping->inode || mapping->path[0] != '/')
		return;
	known = idmap_get(&maps->ids, key);
	if (!known && maps->ids.count >= IDS_MAX)
		return;
	if (!known) {
		known = mem_zalloc(1, sizeof(*known));
		idmap_put(&maps->ids, key, known);
		read_id(maps, known, pid, mapping);
	}
	if (known->bytes)
		perfdata_encode_build_id(encode, false, pid, mapping->path, known->id,
					 known->bytes);
}

/* Emit executable mappings only, as the kernel does. */
static void emit_mapping(struct flight_maps *maps, uint32_t pid, const struct mapping *mapping,
			 struct perfdata_encode *encode)
{
	struct record record = {
		.kind = RECORD_MAP,
		.pid = pid,
		.tid = pid,
		.map = {
			.start = mapping->start,
			.bytes = mapping->end - mapping->start,
			.file_offset = mapping->file_offset,
			.inode = mapping->inode,
			.inode_generation = mapping->inode_generation,
			.dev_major = mapping->dev_major,
			.dev_minor = mapping->dev_minor,
			.prot = mapping->prot,
			.path = mapping->path,
		},
	};

	if (!(mapping->prot & PROT_EXEC) || !mapping->path || !*mapping->path)
		return;
	emit_id(maps, pid, mapping, encode);
	perfdata_encode_old_map(encode, &record);
}

static void emit_process(struct flight_maps *maps, uint32_t pid, struct perfdata_encode *encode)
{
	uintptr_t known = (uintptr_t)idmap_get(&maps->generations, pid);
	uint32_t generation = known ? (uint32_t)(known - 1) : spaces_generation(maps->spaces, pid);
	struct mapping *mappings;
	size_t count;

	flight_maps_load(maps, (uint64_t)generation << 32 | pid);
	count = spaces_copy(maps->spaces, pid, generation, &mappings);
	for (size_t i = 0; i < count; i++)
		emit_mapping(maps, pid, &mappings[i], encode);
	free(mappings);
}

static void emit_new(struct flight_maps *maps, const struct record *record,
		     struct perfdata_encode *encode)
{
	const struct mapping mapping = {
		.start = record->map.start,
		.end = record->map.start + record->map.bytes,
		.file_offset = record->map.file_offset,
		.dev_major = record->map.dev_major,
		.dev_minor = record->map.dev_minor,
		.inode = record->map.inode,
		.inode_generation = record->map.inode_generation,
		.prot = record->map.prot,
		.path = record->map.path,
	};

	emit_id(maps, record->pid, &mapping, encode);
}

void flight_maps_note(struct flight_maps *maps, const struct record *record,
		      struct perfdata_encode *encode)
{
	switch (record->kind) {
	case RECORD_FORK:
		/* The child inherits the mappings of its parent. */
		idmap_put(&maps->reported, record->pid, maps);
		break;
	case RECORD_COMM:
		if (record->comm.exec)
			idmap_put(&maps->reported, record->pid, maps);
		break;
	case RECORD_TASK_EXIT:
		if (record->pid == record->tid)
			idmap_remove(&maps->reported, record->pid);
		break;
	case RECORD_TASK:
		if (record->pid && !idmap_put(&maps->reported, record->pid, maps))
			emit_process(maps, record->pid, encode);
		break;
	case RECORD_MAP:
		emit_new(maps, record, encode);
		break;
	default:
		break;
	}
}
