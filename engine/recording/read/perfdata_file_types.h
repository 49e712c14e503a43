/*
 * perfdata_file_types - general facts of a stxtop recording, and the bound of valid times.
 *
 * Shared by perfdata_file.h and perfdata_ext_decode.h. Plain data; any thread. Times are in
 * nanoseconds.
 */
#ifndef READ_PERFDATA_FILE_TYPES_H
#define READ_PERFDATA_FILE_TYPES_H

#include "engine/recording/flight_mark.h"

#include <stdbool.h>
#include <stdint.h>

/* Valid times are below 146 years: no clock that starts at boot reaches this. */
#define PERFDATA_FILE_TIME_MAX (1ULL << 62)

/* General facts of a stxtop recording, see perfdata_ext.h. */
struct perfdata_file_own {
	uint64_t began_ns; /* start of the collection, or of the recorded part */
	bool copies; /* the source copied argument memory */
	bool no_waits; /* the source had no switch records */
	bool no_ins; /* only switch-outs were recorded */
	struct flight_mark flight; /* .reason FLIGHT_NONE: not from a flight recorder */
};

#endif
