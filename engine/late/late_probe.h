/*
 * late_probe - requests to a reader process for the memory of a call and for files.
 *
 * Memory and files of other processes may be on a server that does not answer, see
 * engine/helper/reader.h.
 */
#ifndef LATE_LATE_PROBE_H
#define LATE_LATE_PROBE_H

#include "engine/helper/reader.h"
#include "engine/late/image_bytes.h"
#include "engine/process/map_lookup.h"
#include "engine/stack/spaces.h"

#define LATE_PROBE_BYTES_MAX 65536 /* per request */

/* Create a reader without a process: it answers all these requests on the calling thread. */
struct reader *late_probe_new_here(void);

/*
 * Copy the present bytes, up to `len`. *image: the bytes are in read-only memory backed by *file,
 * and neither has changed since since_ns; false if since_ns is 0. Return the count, 0 if there is
 * nothing, or -errno if the memory cannot be read.
 */
long late_probe_memory(struct reader *reader, uint32_t pid, uint64_t address, void *to, size_t len,
		       bool text, uint64_t since_ns, bool *image, struct image_file *file);
/*
 * Copy the contents that the file of a mapping has at an address above the mapping, see
 * file_constants.h.
 */
size_t late_probe_constant(struct reader *reader, const struct mapping *mapping, uint64_t address,
			   void *to, size_t len, uint64_t since_ns);
/* As map_lookup_find() and build_id_read(); the build id is that of the mapped file, 0: none. */
bool late_probe_map_lookup(struct reader *reader, uint32_t pid, uint64_t address,
			   struct map_lookup *mapped);
uint32_t late_probe_build_id(struct reader *reader, uint32_t pid, const struct mapping *mapping,
			     uint8_t *id, size_t max);

/*
 * Return the usable bytes of a reading. A partial struct and a text without its NUL are useless: 0.
 */
size_t late_probe_answering(const void *bytes, bool text, size_t want, size_t len);

reader_handle_fn late_probe_handle_memory, late_probe_handle_constant, late_probe_handle_map_lookup,
	late_probe_handle_build_id;

#endif
