#include "engine/recording/perfdata_build_ids.h"

#include "engine/base/mem.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 65536u
#define MISC_HAS_BYTES (1 << 15) /* PERF_RECORD_MISC_BUILD_ID_SIZE of perf */

/* The fields of a PERF_RECORD_HEADER_BUILD_ID before its path, as perf writes them. */
struct entry {
	struct perf_event_header header;
	int32_t pid;
	uint8_t id[PERF_BUILD_ID_BYTES];
	uint8_t id_bytes, unused[3];
};

struct file {
	const char *path;
	const uint8_t *id;
	uint32_t bytes;
};

struct perfdata_build_ids {
	struct file *files; /* sorted by path */
	size_t count, capacity;
};

static int compare_files(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void add_entry(struct perfdata_build_ids *ids, const char *at, size_t bytes)
{
	struct entry entry;
	struct file file = { .path = at + sizeof(entry), .bytes = PERF_BUILD_ID_BYTES };

	if (bytes <= sizeof(entry) || !memchr(file.path, '\0', bytes - sizeof(entry)))
		return;
	memcpy(&entry, at, sizeof(entry));
	if (entry.header.misc & MISC_HAS_BYTES)
		file.bytes = entry.id_bytes;
	if (!file.bytes || file.bytes > PERF_BUILD_ID_BYTES)
		return;
	file.id = (const uint8_t *)at + offsetof(struct entry, id);
	ids->files = mem_grow(ids->files, &ids->capacity, ids->count + 1, sizeof(*ids->files));
	ids->files[ids->count++] = file;
}

struct perfdata_build_ids *perfdata_build_ids_new(const char *section, size_t bytes)
{
	struct perfdata_build_ids *ids = mem_zalloc(1, sizeof(*ids));
	const char *at = section, *end = section + bytes;

	while ((size_t)(end - at) >= sizeof(struct perf_event_header) && ids->count < FILES_MAX) {
		struct perf_event_header header;

		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) || header.size > end - at)
			break;
		add_entry(ids, at, header.size);
		at += header.size;
	}
	if (ids->count)
		qsort(ids->files, ids->count, sizeof(*ids->files), compare_files);
	return ids;
}

void perfdata_build_ids_free(struct perfdata_build_ids *ids)
{
	if (!ids)
		return;
	free(ids->files);
	free(ids);
}

const uint8_t *perfdata_build_ids_find(const struct perfdata_build_ids *ids, const char *path,
				       uint32_t *bytes)
{
	const struct file key = { .path = path };
	const struct file *found;

	if (!ids || !ids->count)
		return NULL;
	found = bsearch(&key, ids->files, ids->count, sizeof(*ids->files), compare_files);
	if (!found)
		return NULL;
	*bytes = found->bytes;
	return found->id;
}

size_t perfdata_build_ids_count(const struct perfdata_build_ids *ids)
{
	return ids ? ids->count : 0;
}
