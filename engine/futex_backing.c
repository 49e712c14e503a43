#include "engine/futex_backing.h"

#include "engine/base/escape.h"
#include "engine/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Some milliseconds; the kernel allows 65,530 mappings unless told otherwise. */
#define LINES_MAX 10000

struct mapped {
	uint64_t start, offset, inode;
	uint32_t major, minor;
	bool shared;
	char path[PATH_MAX];
};

/* struct procmap_query of linux/fs.h, which is newer than some systems' headers. */
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
#define QUERY_SHARED 8

/* 0; -ENOTTY: this kernel cannot be asked. */
static int ask(int fd, uint64_t address, struct mapped *mapped)
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
	mapped->offset = query.offset;
	mapped->inode = query.inode;
	mapped->major = query.major;
	mapped->minor = query.minor;
	mapped->shared = query.vma_flags & QUERY_SHARED;
	if (!query.name_bytes)
		mapped->path[0] = '\0';
	mapped->path[sizeof(mapped->path) - 1] = '\0';
	return 0;
}

static bool parse(const char *text, uint64_t *end, struct mapped *mapped)
{
	char permissions[5];
	int path_at = 0;

	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64
		   " %n", &mapped->start, end, permissions, &mapped->offset, &mapped->major,
		   &mapped->minor, &mapped->inode, &path_at) != 7)
		return false;
	mapped->shared = permissions[3] == 's';
	snprintf(mapped->path, sizeof(mapped->path), "%s", path_at ? text + path_at : "");
	mapped->path[strcspn(mapped->path, "\n")] = '\0';
	return true;
}

static bool read_lines(int fd, uint64_t address, struct mapped *mapped)
{
	FILE *maps = fdopen(fd, "r");
	char *text = NULL;
	size_t text_bytes = 0;
	bool found = false;
	uint64_t end;

	if (!maps) {
		close(fd);
		return false;
	}
	for (int i = 0; i < LINES_MAX && getline(&text, &text_bytes, maps) > 0; i++) {
		if (strtoull(text + strcspn(text, "-") + 1, NULL, 16) <= address)
			continue;
		found = parse(text, &end, mapped) && mapped->start <= address;
		break;
	}
	free(text);
	fclose(maps);
	return found;
}

static bool find_mapped(uint32_t pid, uint64_t address, struct mapped *mapped)
{
	char path[64];
	int fd, ret;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ret = ask(fd, address, mapped);
	if (ret == -ENOTTY)
		return read_lines(fd, address, mapped);
	close(fd);
	return ret == 0;
}

/* -- Labels --------------------------------------------------------------------------- */

/* Where files lie says little of libraries and much of memory that processes share. */
static const char *short_path(const struct mapped *mapped)
{
	const char *slash = strrchr(mapped->path, '/');

	return slash && !mapped->shared ? slash + 1 : mapped->path;
}

/* Memory with a name but no directory entry is "deleted" from the start. */
static void cut_deleted(char *path)
{
	static const char suffix[] = " (deleted)";
	size_t len = strlen(path);

	if ((strncmp(path, "/memfd:", 7) && strncmp(path, "/SYSV", 5)) || len < sizeof(suffix))
		return;
	if (!strcmp(path + len - (sizeof(suffix) - 1), suffix))
		path[len - (sizeof(suffix) - 1)] = '\0';
}

static void format_label(const struct mapped *mapped, uint64_t uaddr, char out[FUTEX_LABEL_BYTES])
{
	uint64_t into = uaddr - mapped->start;
	char name[FUTEX_LABEL_BYTES - 24];

	if (mapped->shared && !strncmp(mapped->path, "/dev/zero", 9)) {
		snprintf(out, FUTEX_LABEL_BYTES, "[shared]+0x%" PRIx64, mapped->offset + into);
	} else if (!mapped->path[0]) {
		snprintf(out, FUTEX_LABEL_BYTES, "[anon]");
	} else if (*mapped->path == '[' && strcmp(mapped->path, "[heap]")) {
		/* They grow at their beginnings, or have one that means nothing. */
		escape_name(out, FUTEX_LABEL_BYTES, mapped->path);
	} else {
		snprintf(out, FUTEX_LABEL_BYTES, "%s+0x%" PRIx64,
			 escape_name(name, sizeof(name), short_path(mapped)),
			 *mapped->path == '[' ? into : mapped->offset + into);
	}
}

bool futex_backing_find(struct futex_place *place, uint32_t pid, uint64_t uaddr)
{
	struct mapped mapped;

	if (!find_mapped(pid, uaddr, &mapped))
		return false;
	cut_deleted(mapped.path);
	place->shared = mapped.shared;
	place->device = (uint64_t)mapped.major << 32 | mapped.minor;
	place->inode = mapped.inode;
	place->offset = mapped.offset + (uaddr - mapped.start);
	format_label(&mapped, uaddr, place->label);
	return true;
}
