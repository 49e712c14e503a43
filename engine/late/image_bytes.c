#include "engine/late/image_bytes.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/process/file_unchanged.h"
#include "engine/process/map_lookup.h"
#include "engine/stack/mapped_file.h"
#include "engine/stack/space_maps.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACES 32
#define PLACE_NS (1000 * NS_PER_MS) /* a cached mapping is looked up again after this time */
#define PIECE_BYTES 4096

/* A mapping, and its open file if the mapping is private and read-only. */
struct place {
	uint32_t pid;
	uint64_t start, end, offset;
	uint64_t found_ns;
	struct image_file file;
	int fd; /* -1: the file proves nothing */
};

struct image_bytes {
	struct place places[PLACES];
	size_t next;
};

struct image_bytes *image_bytes_new(void)
{
	struct image_bytes *image = mem_zalloc(1, sizeof(*image));

	for (size_t i = 0; i < PLACES; i++)
		image->places[i].fd = -1;
	return image;
}

static void forget(struct place *place)
{
	if (place->fd >= 0)
		close(place->fd);
	*place = (struct place){ .fd = -1 };
}

static int open_file(uint32_t pid, const struct map_lookup *mapped)
{
	const struct mapping mapping = {
		.start = mapped->start,
		.end = mapped->end,
		.file_offset = mapped->offset,
		.dev_major = mapped->major,
		.dev_minor = mapped->minor,
		.inode = mapped->inode,
		.path = mapped->path,
	};
	const char *note;

	if (mapped->shared || mapped->writable || !mapped->readable || !mapped->inode)
		return -1;
	return mapped_file_open(pid, &mapping, &note);
}

static const struct place *find_place(struct image_bytes *image, uint32_t pid, uint64_t address)
{
	uint64_t now_ns = clock_now_ns();
	struct map_lookup mapped;
	struct place *place;

	for (size_t i = 0; i < PLACES; i++) {
		place = &image->places[i];
		if (place->pid == pid && address >= place->start && address < place->end &&
		    now_ns - place->found_ns < PLACE_NS)
			return place;
	}
	if (!map_lookup_find(pid, address, &mapped) || address < mapped.start)
		return NULL;
	place = &image->places[image->next++ % PLACES];
	forget(place);
	*place = (struct place){ .pid = pid,
				 .start = mapped.start,
				 .end = mapped.end,
				 .offset = mapped.offset,
				 .found_ns = now_ns,
				 .file = { mapped.major, mapped.minor, mapped.inode },
				 .fd = open_file(pid, &mapped) };
	if (place->fd < 0)
		place->fd = -1;
	return place;
}

bool image_bytes_has(struct image_bytes *image, uint32_t pid, uint64_t address, const void *bytes,
		     size_t len, uint64_t since_ns, struct image_file *file)
{
	const struct place *place = find_place(image, pid, address);
	unsigned char piece[PIECE_BYTES];
	uint64_t offset;

	if (!place || place->fd < 0 || len > place->end - address)
		return false;
	*file = place->file;
	offset = place->offset + (address - place->start);
	for (size_t done = 0; done < len;) {
		size_t part = len - done < sizeof(piece) ? len - done : sizeof(piece);

		if (pread(place->fd, piece, part, (off_t)(offset + done)) != (ssize_t)part ||
		    memcmp(piece, (const unsigned char *)bytes + done, part))
			return false;
		done += part;
	}
	/* Check this last: the file can have changed during the comparison. */
	return !file_age_changed(place->fd, since_ns);
}
