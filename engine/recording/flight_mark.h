/*
 * flight_mark - the reason why a flight recorder saved a file, stored in that file.
 *
 * One record, directly before PERFDATA_EXT_BEGIN (perfdata_ext.h). Plain data; any thread. Texts
 * are raw bytes: escape them before display.
 */
#ifndef RECORDING_FLIGHT_MARK_H
#define RECORDING_FLIGHT_MARK_H

#include "engine/recording/perfdata_encode.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum flight_reason {
	FLIGHT_NONE, /* not a file of a flight recorder */
	FLIGHT_CALL, /* a call matched the trigger expression */
	FLIGHT_SIGNAL, /* the user sent SIGUSR1 */
	FLIGHT_KEY, /* the user requested it in the interface */
	FLIGHT_REASON_COUNT
};

#define FLIGHT_COMM_BYTES 20
#define FLIGHT_EXPRESSION_BYTES 1024

struct flight_mark {
	enum flight_reason reason;
	uint64_t time_ns; /* time of the freeze */
	uint64_t from_ns; /* start of the retained span */
	/* Set for FLIGHT_CALL only, except for `expression`. */
	uint32_t pid, tid;
	uint32_t nr;
	uint64_t enter_ns;
	int64_t dur_ns; /* duration; of a call in flight: until the freeze; -1: unknown */
	bool in_flight;
	bool event; /* an event (-E) matched, not a call */
	char comm[FLIGHT_COMM_BYTES];
	char expression[FLIGHT_EXPRESSION_BYTES]; /* of the trigger, truncated; "": none */
};

void flight_mark_encode(struct perfdata_encode *encode, const struct flight_mark *mark);
/* False: the record is of another kind; *mark is unchanged. */
bool flight_mark_read(const struct perf_event_header *header, struct flight_mark *mark);

#endif
