/*
 * perfdata_record_info - what of a record in a file can be seen without knowing what all of it
 * means.
 *
 * Its time, whether it is to be known for what comes behind it, and what it says of the call that
 * a thread is in. Pure; the record may be anything that has the size that it says.
 */
#ifndef READ_PERFDATA_RECORD_INFO_H
#define READ_PERFDATA_RECORD_INFO_H

#include "engine/source/perf/perf_ids.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum perf_step {
	PERF_STEP_NONE,
	PERF_STEP_BEFORE, /* belongs to the record that is next */
	PERF_STEP_BEGINS, /* the thread is in a call from here on */
	PERF_STEP_GOES_ON, /* what it does in it: it leaves the CPU, or gets it */
	PERF_STEP_ENDS,
};

struct perfdata_record_info {
	uint64_t at; /* where in the file it is, or what it is packed in */
	uint64_t which; /* of the records in there */
	uint64_t time_ns; /* 0: it tells none */
	bool side; /* it tells what has to be known later */
	bool packed;
	bool entry; /* reading can begin there; of packed ones: at the first of these */
	bool joined; /* without the record in front of it, it means nothing */
	enum perf_step step;
	uint32_t tid; /* of a step but BEFORE */
};

/* What of perf's own samples is a step. */
struct perf_steps {
	struct perf_ids ids; /* of enters, exits and switches alone */
	uint16_t id_at, tid_at; /* in samples; 0: they do not tell */
	uint16_t tid_behind; /* in other records, from their end; 0: the same */
};

/* Those of `ids`; attr: of the first event, as all have the same fields there. */
void perf_steps_init(struct perf_steps *steps, const struct perf_ids *ids,
		     const struct perf_event_attr *attr);
void perf_steps_release(struct perf_steps *steps);

/* own: of a recording of ours (perfdata_ext.h). */
bool perfdata_record_info_is_side(const struct perf_event_header *record, bool own);
/* `step`, `tid` and `joined` of a record of ours; of another's: NONE where steps is NULL. */
void perfdata_record_info_own_step(const struct perf_event_header *record,
				   struct perfdata_record_info *info);
void perfdata_record_info_step(const struct perf_event_header *record,
			       const struct perf_steps *steps, struct perfdata_record_info *info);

#endif
