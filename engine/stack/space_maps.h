/*
 * space_maps - the mappings of one address space, ordered and without overlaps.
 *
 * Shared between a process and its forks until one of them changes it: whoever
 * holds the only reference may change, everyone else takes a copy first.
 * Guarded by the lock of spaces.h.
 */
#ifndef STACK_SPACE_MAPS_H
#define STACK_SPACE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one space may cost; the kernel's own default is 65530 (vm.max_map_count). */
#define SPACE_MAPS_MAX 32768

struct mapping {
	uint64_t start, end;
	uint64_t file_offset;
	uint32_t dev_major, dev_minor;
	uint64_t inode;
	uint64_t inode_generation; /* tells a reused inode number; 0: not known (/proc) */
	uint32_t prot;
	const char *path; /* raw bytes as the kernel named it; interned, never freed */
	const uint8_t *build_id; /* of a recorded file; interned; NULL: not told */
	uint32_t build_id_bytes;
};

struct space_maps {
	uint32_t refs;
	size_t count, capacity;
	struct mapping *items; /* by start */
	size_t *total; /* of all spaces together; kept up to date here */
};

struct space_maps *space_maps_new(size_t *total);
struct space_maps *space_maps_share(struct space_maps *maps);
void space_maps_drop(struct space_maps *maps);
/* The reference given is used up; the result may be changed. */
struct space_maps *space_maps_own(struct space_maps *maps);

/* mapping replaces whatever it overlaps; false: there are too many. */
bool space_maps_replace(struct space_maps *maps, const struct mapping *mapping);
/* Whether mapping takes the place of code, and not as more of the same file. */
bool space_maps_is_other_code(const struct space_maps *maps, const struct mapping *mapping);
/* mapping, but only where nothing is yet. */
void space_maps_fill(struct space_maps *maps, const struct mapping *mapping);
const struct mapping *space_maps_find(const struct space_maps *maps, uint64_t address);
/* The last executable one that begins at or below address, a few mappings down at most. */
const struct mapping *space_maps_code_below(const struct space_maps *maps, uint64_t address);

#endif
