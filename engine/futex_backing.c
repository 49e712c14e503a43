#include "engine/futex_backing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The kernel allows 65,530 mappings unless told otherwise. */
#define LINES_MAX 200000

struct line {
	uint64_t start, end, offset, inode;
	unsigned int major, minor;
	char permissions[5];
};

static bool parse(const char *text, struct line *line)
{
	return sscanf(text, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64,
		      &line->start, &line->end, line->permissions, &line->offset,
		      &line->major, &line->minor, &line->inode) == 7;
}

bool futex_backing_find(struct futex_place *place, uint32_t pid, uint64_t uaddr)
{
	struct line line = { .end = 0 };
	char path[64], *text = NULL;
	bool found = false;
	size_t text_bytes = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return false;
	for (int i = 0; i < LINES_MAX && getline(&text, &text_bytes, maps) > 0; i++) {
		if (!parse(text, &line) || uaddr >= line.end)
			continue;
		found = uaddr >= line.start && line.permissions[3] == 's';
		break;
	}
	free(text);
	fclose(maps);
	if (found)
		*place = (struct futex_place){
			.device = (uint64_t)line.major << 32 | line.minor,
			.inode = line.inode,
			.offset = line.offset + (uaddr - line.start),
		};
	return found;
}
