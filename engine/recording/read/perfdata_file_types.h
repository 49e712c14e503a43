/*
 * perfdata_file_types - what a recording of ours says of itself, and which times make sense.
 *
 * Of any perf.data file (perfdata_file.h), and of the records of ours in it
 * (perfdata_ext_decode.h). Plain data; any thread. Times are in nanoseconds.
 */
#ifndef READ_PERFDATA_FILE_TYPES_H
#define READ_PERFDATA_FILE_TYPES_H

#include "engine/recording/flight_mark.h"

#include <stdbool.h>
#include <stdint.h>

/* No clock that counts from the start of a machine comes to 146 years. */
#define PERFDATA_FILE_TIME_MAX (1ULL << 62)

/* What a recording of ours says of itself, see perfdata_ext.h. */
struct perfdata_file_own {
	uint64_t began_ns; /* the collection, or what was recorded of it */
	bool copies; /* the source copied what calls point to */
	bool no_waits; /* nobody told of switches */
	bool no_ins; /* only switch-outs were recorded */
	struct flight_mark flight; /* .reason FLIGHT_NONE: no flight recorder saved it */
};

#endif
