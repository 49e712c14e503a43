/*
 * perfdata_observations - what was found out beside the records (engine/record/observation.h), as
 * bytes of a recording of ours and back; see perfdata_ext.h.
 *
 * Who reads them trusts nothing: what makes no sense ends the record. Pure.
 */
#ifndef RECORDING_PERFDATA_OBSERVATIONS_H
#define RECORDING_PERFDATA_OBSERVATIONS_H

#include "engine/base/str.h"
#include "engine/record/observation.h"

#include <linux/perf_event.h>

/* So many bytes of them go into one record, at most; an observation has less than that. */
#define PERFDATA_OBSERVATIONS_BYTES 57344

/* Appends one; false: it is longer than one may be. */
bool perfdata_observations_add(struct str *out, const struct observation *observation);
/*
 * Appends the record of as many of the observations from *at on as it has room for, and moves *at
 * behind them; before: where the record in front of it is, 0: nowhere.
 */
void perfdata_observations_record(struct str *out, const struct str *observations, size_t *at,
				  uint64_t before);
/* Appends the record that says where the last of them is. */
void perfdata_observations_at(struct str *out, uint64_t last);

/* What the record has; borrowed. False: it is none. */
bool perfdata_observations_read(const struct perf_event_header *header, observation_fn *take,
				void *ctx, uint64_t *before);
/* The same of the record that says where the last of them is. */
bool perfdata_observations_read_at(const void *record, size_t len, uint64_t *last);

#endif
