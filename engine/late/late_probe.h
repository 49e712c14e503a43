/*
 * late_probe - what of a call's memory and of its files is read later, in a reader's process.
 *
 * Memory and files of others may be on what does not answer, see engine/helper/reader.h.
 */
#ifndef LATE_LATE_PROBE_H
#define LATE_LATE_PROBE_H

#include "engine/helper/reader.h"
#include "engine/late/image_bytes.h"
#include "engine/process/map_lookup.h"
#include "engine/stack/spaces.h"

#define LATE_PROBE_BYTES_MAX 65536 /* of one question */

/* One that answers here and now, with all of these. */
struct reader *late_probe_new_here(void);

/*
 * As much as is present, up to len. *image: the bytes are in memory that cannot have changed
 * since since_ns, as those of *file have not; asked for where since_ns is not 0. 0: nothing;
 * -errno: nobody may know.
 */
long late_probe_memory(struct reader *reader, uint32_t pid, uint64_t address, void *to, size_t len,
		       bool text, uint64_t since_ns, bool *image, struct image_file *file);
/* What the file of a mapping has at an address behind it, see file_constants.h. */
size_t late_probe_constant(struct reader *reader, const struct mapping *mapping, uint64_t address,
			   void *to, size_t len, uint64_t since_ns);
/* As map_lookup_find() and build_id_read(), the id of the file that is mapped; 0: none. */
bool late_probe_map_lookup(struct reader *reader, uint32_t pid, uint64_t address,
			   struct map_lookup *mapped);
uint32_t late_probe_build_id(struct reader *reader, uint32_t pid, const struct mapping *mapping,
			     uint8_t *id, size_t max);

/* So many bytes of what was read: part of a struct says nothing, nor does a text without an end. */
size_t late_probe_answering(const void *bytes, bool text, size_t want, size_t len);

reader_handle_fn late_probe_handle_memory, late_probe_handle_constant, late_probe_handle_map_lookup,
	late_probe_handle_build_id;

#endif
