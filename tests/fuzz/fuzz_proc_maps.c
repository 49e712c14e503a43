/* fuzz_proc_maps - any text as /proc/PID/maps: mappings are sorted and do not overlap. */
#include "engine/stack/proc_maps.h"
#include "engine/stack/space_maps.h"

#include <limits.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void keep(void *arg, const struct mapping *mapping, const char *path, size_t path_len)
{
	struct space_maps **maps = arg;
	const struct mapping *found;

	(void)path;
	if (mapping->start >= mapping->end || path_len > PATH_MAX)
		abort();
	/* One map fills gaps, the other replaces; both stay sorted and without overlaps. */
	space_maps_fill(maps[0], mapping);
	space_maps_replace(maps[1], mapping);
	found = space_maps_find(maps[0], mapping->start);
	if (!found || found->start > mapping->start)
		abort();
	found = space_maps_find(maps[1], mapping->end - 1);
	if (!found || found->end != mapping->end)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t total = 0;
	struct space_maps *maps[2] = { space_maps_new(&total), space_maps_new(&total) };

	proc_maps_parse((const char *)data, size, keep, maps);
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < maps[i]->count; k++)
			if (maps[i]->items[k].start >= maps[i]->items[k].end ||
			    (k && maps[i]->items[k].start < maps[i]->items[k - 1].end))
				abort();
	if (total != maps[0]->count + maps[1]->count)
		abort();
	space_maps_drop(maps[0]);
	space_maps_drop(maps[1]);
	if (total)
		abort();
	return 0;
}
