#include "engine/recording/perfdata_kernel_map.h"

#include <stddef.h>
#include <string.h>

/* An MMAP2 record has more fields before the path, among them a build-id if perf recorded one. */
struct kernel_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, bytes;
	uint64_t text; /* file offset; in the kernel's mapping, address of the symbol */
};

#define MMAP2_ID_BYTES_AT sizeof(struct kernel_record)
#define MMAP2_ID_AT (MMAP2_ID_BYTES_AT + 4)
#define MMAP2_PATH_AT (sizeof(struct kernel_record) + 32)

static bool is_text(const char *path, size_t bytes)
{
	static const char *const paths[] = { PERFDATA_BUILD_IDS_KERNEL "_text",
					     PERFDATA_BUILD_IDS_KERNEL "_stext" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (strlen(paths[i]) < bytes && !strcmp(path, paths[i]))
			return true;
	return false;
}

bool perfdata_kernel_map_read(struct perfdata_kernel_map *map,
			      const struct perf_event_header *record)
{
	const unsigned char *at = (const unsigned char *)record;
	size_t path_at = sizeof(struct kernel_record);

	if (record->type == PERF_RECORD_MMAP2)
		path_at = MMAP2_PATH_AT;
	else if (record->type != PERF_RECORD_MMAP)
		return false;
	if (record->size <= path_at || !memchr(at + path_at, '\0', record->size - path_at) ||
	    !is_text((const char *)at + path_at, record->size - path_at))
		return false;
	memcpy(&map->text, at + offsetof(struct kernel_record, text), sizeof(map->text));
	if (record->type == PERF_RECORD_MMAP2 && (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) &&
	    at[MMAP2_ID_BYTES_AT] <= PERF_BUILD_ID_BYTES) {
		map->build_id_bytes = at[MMAP2_ID_BYTES_AT];
		memcpy(map->build_id, at + MMAP2_ID_AT, map->build_id_bytes);
	}
	return true;
}
