/*
 * perfdata_build_ids - build-ids of files at the time of the recording.
 *
 * The feature section HEADER_BUILD_ID of perf.data lists the files that perf met in samples,
 * including "[kernel.kallsyms]". The section is untrusted. Paths and ids are borrowed from it.
 * Immutable once created: any thread.
 */
#ifndef RECORDING_PERFDATA_BUILD_IDS_H
#define RECORDING_PERFDATA_BUILD_IDS_H

#include <stddef.h>
#include <stdint.h>

#define PERF_BUILD_ID_BYTES 20u /* maximum size of a build-id */
#define PERFDATA_BUILD_IDS_KERNEL "[kernel.kallsyms]"

struct perfdata_build_ids;

struct perfdata_build_ids *perfdata_build_ids_new(const char *section, size_t bytes);
void perfdata_build_ids_free(struct perfdata_build_ids *ids);

/* Return the id of the file at this path; *bytes: its length. NULL: none, or ids is NULL. */
const uint8_t *perfdata_build_ids_find(const struct perfdata_build_ids *ids, const char *path,
				       uint32_t *bytes);

size_t perfdata_build_ids_count(const struct perfdata_build_ids *ids); /* ids NULL: 0 */

#endif
