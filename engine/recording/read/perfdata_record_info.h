/*
 * perfdata_record_info - facts about a record that need no decoding.
 *
 * These are its time, whether later records depend on it, and its effect on the call of its thread.
 * Pure. The contents of the record are untrusted, but its memory must have the size in its header.
 */
#ifndef READ_PERFDATA_RECORD_INFO_H
#define READ_PERFDATA_RECORD_INFO_H

#include "engine/source/perf/perf_ids.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum perf_step {
	PERF_STEP_NONE,
	PERF_STEP_BEFORE, /* argument bytes or callchain of the next record */
	PERF_STEP_BEGINS, /* the thread enters a call */
	PERF_STEP_GOES_ON, /* within a call, the thread leaves or gets a CPU */
	PERF_STEP_ENDS,
};

struct perfdata_record_info {
	uint64_t at; /* file offset of the record, or of the compressed record that contains it */
	uint64_t which; /* ordinal in the compressed record; 0: uncompressed */
	uint64_t time_ns; /* 0: none */
	bool side; /* later records depend on it: names, mappings */
	bool packed;
	bool entry; /* reading can begin at the record, or at its compressed record */
	bool joined; /* meaningless without the previous record */
	enum perf_step step;
	uint32_t tid; /* thread of the step; unused for NONE and BEFORE */
};

/* How to find the steps among the records of other recorders. */
struct perf_steps {
	struct perf_ids ids; /* enters, exits and switches only */
	uint16_t id_at, tid_at; /* offsets in samples; 0: absent */
	uint16_t tid_behind; /* distance of the tid from the end of other records; 0: absent */
};

/*
 * Store the enters, exits and switches among `ids`. attr: attributes of the first event; in all
 * events, the fields used are at the same place.
 */
void perf_steps_init(struct perf_steps *steps, const struct perf_ids *ids,
		     const struct perf_event_attr *attr);
void perf_steps_release(struct perf_steps *steps);

/* True if later records depend on this one. own: the recording is one of stxtop. */
bool perfdata_record_info_is_side(const struct perf_event_header *record, bool own);
/*
 * Set `step`, `tid` and `joined`: _own_step() for a stxtop recording, _step() for other recorders.
 * steps NULL: set PERF_STEP_NONE.
 */
void perfdata_record_info_own_step(const struct perf_event_header *record,
				   struct perfdata_record_info *info);
void perfdata_record_info_step(const struct perf_event_header *record,
			       const struct perf_steps *steps, struct perfdata_record_info *info);

#endif
