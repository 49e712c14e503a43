/*
 * flight_mark - why a flight recorder's file was saved, as the file says it of itself.
 *
 * One record in front of PERFDATA_EXT_BEGIN (perfdata_ext.h). Plain data; any thread. Texts are
 * raw: what shows them escapes them.
 */
#ifndef RECORDING_FLIGHT_MARK_H
#define RECORDING_FLIGHT_MARK_H

#include "engine/recording/perfdata_encode.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum flight_reason {
	FLIGHT_NONE, /* it is no such file */
	FLIGHT_CALL, /* a call matched the expression */
	FLIGHT_SIGNAL, /* somebody sent SIGUSR1 ... */
	FLIGHT_KEY, /* ... or asked for it in the interface */
	FLIGHT_REASON_COUNT
};

#define FLIGHT_COMM_BYTES 20
#define FLIGHT_EXPRESSION_BYTES 1024

struct flight_mark {
	enum flight_reason reason;
	uint64_t time_ns; /* when it was frozen */
	uint64_t from_ns; /* what is kept begins there */
	/* Of FLIGHT_CALL. */
	uint32_t pid, tid;
	uint32_t nr;
	uint64_t enter_ns;
	int64_t dur_ns; /* in flight: so far; -1: not known */
	bool in_flight;
	bool event; /* no call: another tracepoint */
	char comm[FLIGHT_COMM_BYTES];
	char expression[FLIGHT_EXPRESSION_BYTES]; /* cut; empty: there was none */
};

void flight_mark_encode(struct perfdata_encode *encode, const struct flight_mark *mark);
/* False: it is no such record; *mark is untouched. */
bool flight_mark_read(const struct perf_event_header *header, struct flight_mark *mark);

#endif
