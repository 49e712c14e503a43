/*
 * late_probe - requests to a reader process for the memory of a call and for files.
 *
 * Memory and files of other processes can be on a file server that does not answer, see
 * engine/helper/reader.h.
 */
#ifndef LATE_LATE_PROBE_H
#define LATE_LATE_PROBE_H

#include "engine/helper/reader.h"
#include "engine/late/image_bytes.h"
#include "engine/process/map_lookup.h"
#include "engine/stack/spaces.h"

#define LATE_PROBE_BYTES_MAX 65536 /* maximum bytes per request */

/* Create a reader without a process: it serves all requests below on the calling thread. */
struct reader *late_probe_new_here(void);

/*
 * Copy the present bytes, up to `len`. *image: the bytes are in read-only memory backed by *file,
 * and equal that file, which has not changed since since_ns; false if since_ns is 0. Return the
 * number of usable bytes, or -errno if the memory cannot be read.
 */
long late_probe_memory(struct reader *reader, uint32_t pid, uint64_t address, void *to, size_t len,
		       bool text, uint64_t since_ns, bool *image, struct image_file *file);
/*
 * Copy the contents that the file of a mapping has at an address above the mapping, see
 * file_constants.h.
 */
size_t late_probe_constant(struct reader *reader, const struct mapping *mapping, uint64_t address,
			   void *to, size_t len, uint64_t since_ns);
/* Call map_lookup_find(), or build_id_read() for the file of a mapping (0: no build-id). */
bool late_probe_map_lookup(struct reader *reader, uint32_t pid, uint64_t address,
			   struct map_lookup *mapped);
uint32_t late_probe_build_id(struct reader *reader, uint32_t pid, const struct mapping *mapping,
			     uint8_t *id, size_t max);

/* Return the number of usable bytes: a text with its NUL, or `want` bytes; 0: fewer were read. */
size_t late_probe_answering(const void *bytes, bool text, size_t want, size_t len);

reader_handle_fn late_probe_handle_memory, late_probe_handle_constant, late_probe_handle_map_lookup,
	late_probe_handle_build_id;

#endif
