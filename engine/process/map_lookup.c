#include "engine/process/map_lookup.h"

#include "engine/helper/live_task.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Maximum number of lines to read, in a few ms; the kernel permits 65,530 mappings by default. */
#define LINES_MAX 10000

/* struct procmap_query of linux/fs.h; older system headers lack it. */
struct query {
	uint64_t size;
	uint64_t flags;
	uint64_t address;
	uint64_t start, end;
	uint64_t vma_flags;
	uint64_t page_bytes;
	uint64_t offset;
	uint64_t inode;
	uint32_t major, minor;
	uint32_t name_bytes;
	uint32_t build_id_bytes;
	uint64_t name;
	uint64_t build_id;
};

#define QUERY_IOCTL _IOWR('f', 17, struct query)
/* Mapping flags: PROCMAP_QUERY_VMA_* of linux/fs.h. */
#define QUERY_READABLE 1
#define QUERY_WRITABLE 2
#define QUERY_SHARED 8

/* Return 0, or -errno; -ENOTTY: the kernel lacks PROCMAP_QUERY. */
static int ask(int fd, uint64_t address, struct map_lookup *mapped)
{
	struct query query = {
		.size = sizeof(query),
		.address = address,
		.name = (uintptr_t)mapped->path,
		.name_bytes = sizeof(mapped->path),
	};

	if (ioctl(fd, QUERY_IOCTL, &query))
		return -errno;
	mapped->start = query.start;
	mapped->end = query.end;
	mapped->offset = query.offset;
	mapped->inode = query.inode;
	mapped->major = query.major;
	mapped->minor = query.minor;
	mapped->shared = query.vma_flags & QUERY_SHARED;
	mapped->readable = query.vma_flags & QUERY_READABLE;
	mapped->writable = query.vma_flags & QUERY_WRITABLE;
	if (!query.name_bytes)
		mapped->path[0] = '\0';
	mapped->path[sizeof(mapped->path) - 1] = '\0';
	return 0;
}

static bool parse(const char *text, struct map_lookup *mapped)
{
	char permissions[5];
	int path_at = 0;

	if (sscanf(text,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64 " %n",
		   &mapped->start, &mapped->end, permissions, &mapped->offset, &mapped->major,
		   &mapped->minor, &mapped->inode, &path_at) != 7)
		return false;
	mapped->shared = permissions[3] == 's';
	mapped->readable = permissions[0] == 'r';
	mapped->writable = permissions[1] == 'w';
	snprintf(mapped->path, sizeof(mapped->path), "%s", path_at ? text + path_at : "");
	mapped->path[strcspn(mapped->path, "\n")] = '\0';
	return true;
}

static bool read_lines(int fd, uint64_t address, struct map_lookup *mapped)
{
	FILE *maps = fdopen(fd, "r");
	char *text = NULL;
	size_t text_bytes = 0;
	bool found = false;

	if (!maps) {
		close(fd);
		return false;
	}
	for (int i = 0; i < LINES_MAX && getline(&text, &text_bytes, maps) > 0; i++) {
		if (strtoull(text + strcspn(text, "-") + 1, NULL, 16) <= address)
			continue;
		found = parse(text, mapped) && mapped->start <= address;
		break;
	}
	free(text);
	fclose(maps);
	return found;
}

bool map_lookup_find(uint32_t pid, uint64_t address, struct map_lookup *mapped)
{
	char path[64];
	int fd, ret;

	snprintf(path, sizeof(path), "/proc/%u/maps", live_task(pid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ret = ask(fd, address, mapped);
	if (ret == -ENOTTY)
		return read_lines(fd, address, mapped);
	close(fd);
	return ret == 0;
}

uint64_t map_lookup_end(int maps_fd, uint64_t address)
{
	struct query query = { .size = sizeof(query), .address = address };

	return ioctl(maps_fd, QUERY_IOCTL, &query) ? 0 : query.end;
}
