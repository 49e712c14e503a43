/*
 * perfdata_observations - encodes and decodes observations (engine/record/observation.h) as records
 * of a recording; see perfdata_ext.h.
 *
 * Input is untrusted: an invalid observation is dropped; after one of invalid size, the remaining
 * ones of its record are dropped, too. Pure.
 */
#ifndef RECORDING_PERFDATA_OBSERVATIONS_H
#define RECORDING_PERFDATA_OBSERVATIONS_H

#include "engine/base/str.h"
#include "engine/record/observation.h"

#include <linux/perf_event.h>

/* Maximum size of the observations in one record; every single observation is smaller. */
#define PERFDATA_OBSERVATIONS_BYTES 57344

/* Append one observation; false: too long. */
bool perfdata_observations_add(struct str *out, const struct observation *observation);
/*
 * Append one record with as many observations from offset *at on as fit, and advance *at. before:
 * file offset of the previous such record; 0: none.
 */
void perfdata_observations_record(struct str *out, const struct str *observations, size_t *at,
				  uint64_t before);
/* Append a PERFDATA_EXT_OBSERVATIONS_AT with the offset of the last such record. */
void perfdata_observations_at(struct str *out, uint64_t last);

/*
 * Pass each observation of a record to `take`, borrowed. take NULL: read only *before. False: the
 * record is of another kind.
 */
bool perfdata_observations_read(const struct perf_event_header *header, observation_fn *take,
				void *ctx, uint64_t *before);
/* Read the offset in a PERFDATA_EXT_OBSERVATIONS_AT. False: another kind of record. */
bool perfdata_observations_read_at(const void *record, size_t len, uint64_t *last);

#endif
