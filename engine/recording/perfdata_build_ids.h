/*
 * perfdata_build_ids - which file had which build-id when it was recorded.
 *
 * From the feature section HEADER_BUILD_ID of a perf.data file: what perf met in samples,
 * "[kernel.kallsyms]" among it. The section may have been written by anybody; paths and
 * ids are borrowed from it. Immutable once made: any thread.
 */
#ifndef RECORDING_PERFDATA_BUILD_IDS_H
#define RECORDING_PERFDATA_BUILD_IDS_H

#include <stddef.h>
#include <stdint.h>

#define PERF_BUILD_ID_BYTES 20u /* at most */
#define PERFDATA_BUILD_IDS_KERNEL "[kernel.kallsyms]"

struct perfdata_build_ids;

struct perfdata_build_ids *perfdata_build_ids_new(const char *section, size_t bytes);
void perfdata_build_ids_free(struct perfdata_build_ids *ids);

/* The id of the file of this path, *bytes of it, or NULL. ids may be NULL. */
const uint8_t *perfdata_build_ids_find(const struct perfdata_build_ids *ids, const char *path,
				       uint32_t *bytes);

size_t perfdata_build_ids_count(const struct perfdata_build_ids *ids); /* ids may be NULL */

#endif
