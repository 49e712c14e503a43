#include "engine/recorder/recorder_maps.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/late/late_probe.h"
#include "engine/process/build_id.h"
#include "engine/stack/file_probe.h"
#include "engine/stack/mapped_file.h"
#include "engine/stack/proc_maps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIDS_MAX 65536u
#define FILES_MAX 65536u
#define MAPS_BYTES_MAX ((size_t)4 << 20)

void recorder_maps_init(struct recorder_maps *maps, struct reader *reader)
{
	memset(maps, 0, sizeof(*maps));
	maps->reader = reader;
	idmap_init(&maps->seen);
	idmap_init(&maps->files);
}

void recorder_maps_forget(struct recorder_maps *maps)
{
	idmap_clear(&maps->seen);
	idmap_clear(&maps->files);
	for (size_t i = 0; i < maps->todo_count; i++)
		free((void *)(uintptr_t)maps->todo[i].mapping.path);
	maps->pid_count = maps->todo_count = 0;
}

void recorder_maps_release(struct recorder_maps *maps)
{
	recorder_maps_forget(maps);
	idmap_release(&maps->seen);
	idmap_release(&maps->files);
	free(maps->pids);
	free(maps->todo);
}

static bool see(struct recorder_maps *maps, uint32_t pid)
{
	if (idmap_get(&maps->seen, pid))
		return false;
	idmap_put(&maps->seen, pid, maps);
	return true;
}

static void note_file(struct recorder_maps *maps, uint32_t pid, const struct mapping *mapping,
		      const char *path, size_t len)
{
	uint64_t key = hash_mix(hash_u64(mapping->inode),
				(uint64_t)mapping->dev_major << 32 | mapping->dev_minor);
	struct mapped *mapped;

	if (!mapping->inode || path[0] != '/' || maps->files.count >= FILES_MAX ||
	    idmap_get(&maps->files, key))
		return;
	idmap_put(&maps->files, key, maps);
	maps->todo = mem_grow(maps->todo, &maps->todo_cap, maps->todo_count + 1,
			      sizeof(*maps->todo));
	mapped = &maps->todo[maps->todo_count++];
	mapped->pid = pid;
	mapped->mapping = *mapping;
	mapped->mapping.path = mem_strndup(path, len);
}

static void note_map(struct recorder_maps *maps, const struct record *record)
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
	};

	note_file(maps, record->pid, &mapping, record->map.path, strlen(record->map.path));
}

struct emitting {
	struct recorder_maps *maps;
	struct perfdata_encode *encode;
	uint32_t pid;
};

static void emit_mapping(void *arg, const struct mapping *mapping, const char *path,
			 size_t path_len)
{
	struct emitting *emitting = arg;
	char *whole;
	struct record record = {
		.kind = RECORD_MAP,
		.pid = emitting->pid,
		.tid = emitting->pid,
		.map = {
			.start = mapping->start,
			.bytes = mapping->end - mapping->start,
			.file_offset = mapping->file_offset,
			.dev_major = mapping->dev_major,
			.dev_minor = mapping->dev_minor,
			.inode = mapping->inode,
			.prot = mapping->prot,
		},
	};

	/* Emit only executable mappings; name memory without a file //anon. So does the kernel. */
	if (!(mapping->prot & PROT_EXEC))
		return;
	whole = path_len ? mem_strndup(path, path_len) : mem_strdup("//anon");
	record.map.path = whole;
	perfdata_encode_old_map(emitting->encode, &record);
	note_file(emitting->maps, emitting->pid, mapping, path, path_len);
	free(whole);
}

static void emit_process(struct recorder_maps *maps, struct perfdata_encode *encode, uint32_t pid)
{
	struct emitting emitting = { maps, encode, pid };
	struct str text = STR_INIT;

	file_probe_maps(maps->reader, pid, MAPS_BYTES_MAX, &text);
	proc_maps_parse(text.data, text.len, emit_mapping, &emitting);
	str_release(&text);
}

static uint32_t read_id(const struct recorder_maps *maps, const struct mapped *mapped,
			uint8_t id[BUILD_ID_BYTES])
{
	const char *note;
	uint32_t bytes;
	int fd;

	if (maps->reader)
		return late_probe_build_id(maps->reader, mapped->pid, &mapped->mapping, id,
					   BUILD_ID_BYTES);
	fd = mapped_file_open(mapped->pid, &mapped->mapping, &note);
	if (fd < 0)
		return 0;
	bytes = build_id_read(fd, id);
	close(fd);
	return bytes;
}

static void emit_file(const struct recorder_maps *maps, struct perfdata_encode *encode,
		      const struct mapped *mapped)
{
	uint8_t id[BUILD_ID_BYTES];
	uint32_t bytes = read_id(maps, mapped, id);

	if (bytes)
		perfdata_encode_build_id(encode, false, mapped->pid, mapped->mapping.path, id,
					 bytes);
}

static void meet_process(struct recorder_maps *maps, struct perfdata_encode *encode, uint32_t pid,
			 bool at_once)
{
	uint64_t before;

	if (at_once) {
		before = privilege_raise();
		emit_process(maps, encode, pid);
		privilege_restore(before);
	} else if (maps->pid_count < PIDS_MAX) {
		maps->pids = mem_grow(maps->pids, &maps->pid_cap, maps->pid_count + 1,
				      sizeof(*maps->pids));
		maps->pids[maps->pid_count++] = pid;
	}
}

void recorder_maps_note(struct recorder_maps *maps, const struct record *record, bool at_once,
			struct perfdata_encode *encode)
{
	switch (record->kind) {
	case RECORD_FORK:
		/* The child inherits the mappings of its parent. */
		idmap_put(&maps->seen, record->pid, maps);
		break;
	case RECORD_COMM:
		if (record->comm.exec)
			idmap_put(&maps->seen, record->pid, maps);
		break;
	case RECORD_TASK_EXIT:
		if (record->pid == record->tid)
			idmap_remove(&maps->seen, record->pid);
		break;
	case RECORD_TASK:
		if (record->pid && see(maps, record->pid))
			meet_process(maps, encode, record->pid, at_once);
		break;
	case RECORD_MAP:
		note_map(maps, record);
		break;
	default:
		break;
	}
}

bool recorder_maps_step(struct recorder_maps *maps, struct perfdata_encode *encode)
{
	uint64_t before;

	if (!maps->pid_count && !maps->todo_count)
		return false;
	/* Maps of other users' processes need stxtop's privileges, not those of the user. */
	before = privilege_raise();
	if (maps->pid_count) {
		emit_process(maps, encode, maps->pids[--maps->pid_count]);
	} else {
		struct mapped mapped = maps->todo[--maps->todo_count];

		emit_file(maps, encode, &mapped);
		free((void *)(uintptr_t)mapped.mapping.path);
	}
	privilege_restore(before);
	return true;
}
