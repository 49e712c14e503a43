/*
 * space_maps - the mappings of one address space, ordered and without overlaps.
 *
 * Copy-on-write: a process and its forks share one object. The holder of the only reference may
 * change it; with more references, copy it first. Guarded by the lock of spaces.h.
 */
#ifndef STACK_SPACE_MAPS_H
#define STACK_SPACE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bound on the mappings of one space; the kernel default is 65530 (vm.max_map_count). */
#define SPACE_MAPS_MAX 32768

struct mapping {
	uint64_t start, end;
	uint64_t file_offset;
	uint32_t dev_major, dev_minor;
	uint64_t inode;
	uint64_t inode_generation; /* distinguishes reused inode numbers; 0: unknown (/proc) */
	uint32_t prot;
	const char *path; /* raw bytes as reported by the kernel; interned, never freed */
	const uint8_t *build_id; /* from the recording; interned; NULL: none */
	uint32_t build_id_bytes;
};

struct space_maps {
	uint32_t refs;
	size_t count, capacity;
	struct mapping *items; /* sorted by start */
	size_t *total; /* sum over all spaces, updated by this module */
};

struct space_maps *space_maps_new(size_t *total);
struct space_maps *space_maps_share(struct space_maps *maps);
void space_maps_drop(struct space_maps *maps);
/* Consume the reference; return maps that the caller can change. */
struct space_maps *space_maps_own(struct space_maps *maps);

/* Add mapping and remove the parts of other mappings that it covers. False: too many mappings. */
bool space_maps_replace(struct space_maps *maps, const struct mapping *mapping);
/* True if mapping would replace code that is not the same part of the same file. */
bool space_maps_is_other_code(const struct space_maps *maps, const struct mapping *mapping);
/* Add mapping only where the space has none. */
void space_maps_fill(struct space_maps *maps, const struct mapping *mapping);
const struct mapping *space_maps_find(const struct space_maps *maps, uint64_t address);
/*
 * Return the nearest executable mapping that starts at or below address. Search at most 16.
 */
const struct mapping *space_maps_code_below(const struct space_maps *maps, uint64_t address);

#endif
