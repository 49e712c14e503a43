/*
 * perfdata_convert - a record of somebody else's recording in the layout of our own rings.
 *
 * Which fields a sample has, and where, depends on the attributes that it was
 * recorded with. This rewrites a record so that it begins (samples) or ends (all
 * others) with the fields of PERF_COMMON_SAMPLE and carries nothing but
 * callchain, raw bytes, user registers and user stack behind: what perf_decode.h reads.
 * Every length is checked against the record. No allocation; any thread.
 */
#ifndef RECORDING_PERFDATA_CONVERT_H
#define RECORDING_PERFDATA_CONVERT_H

#include <linux/perf_event.h>
#include <stdint.h>

/* The parts behind the common fields that a relaid sample may have. */
#define PERFDATA_CONVERT_PARTS \
	(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

#define PERFDATA_CONVERT_BYTES 65536

struct perf_relaid {
	_Alignas(8) unsigned char bytes[PERFDATA_CONVERT_BYTES];
};

/*
 * The id that a record of an event with these attributes carries, or 0. Where events
 * of one file differ, perf sees to it that the id is found without knowing which it is.
 */
uint64_t perfdata_convert_id(const struct perf_event_header *header,
			     const struct perf_event_attr *attr);

/*
 * Rewrites the record into `relaid` with the given id and, of the parts, those in
 * `parts`. The result is inside relaid; NULL if the record contradicts itself.
 */
const struct perf_event_header *perfdata_convert(struct perf_relaid *relaid,
						 const struct perf_event_header *header,
						 const struct perf_event_attr *attr, uint64_t id,
						 uint64_t parts);

/* The CPU that a relaid record happened on. */
uint32_t perfdata_convert_cpu(const struct perf_event_header *relaid);

#endif
