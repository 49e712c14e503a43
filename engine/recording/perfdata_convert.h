/*
 * perfdata_convert - converts records of other recorders to the layout of stxtop's rings.
 *
 * The fields of a sample, and their places, depend on the attributes of the event. The converted
 * record has the fields of PERF_COMMON_SAMPLE at its start (samples) or at its end (other records).
 * It retains only these parts of variable size: callchain, raw bytes, user registers and user
 * stack. perf_decode.h reads this layout. Every length is checked against the record. No
 * allocation; any thread.
 */
#ifndef RECORDING_PERFDATA_CONVERT_H
#define RECORDING_PERFDATA_CONVERT_H

#include <linux/perf_event.h>
#include <stdint.h>

/* The parts that a converted sample can have after the common fields. */
#define PERFDATA_CONVERT_PARTS \
	(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

#define PERFDATA_CONVERT_BYTES 65536

struct perf_relaid {
	_Alignas(8) unsigned char bytes[PERFDATA_CONVERT_BYTES];
};

/*
 * Return the event id in a record, or 0. attr: the attributes of any event of the file. perf writes
 * the id to the same place, even if the attributes of the events differ.
 */
uint64_t perfdata_convert_id(const struct perf_event_header *header,
			     const struct perf_event_attr *attr);

/*
 * Write the converted record to `relaid`, with this id. parts: which of PERFDATA_CONVERT_PARTS it
 * gets. The result points into relaid. NULL: the record is inconsistent.
 */
const struct perf_event_header *perfdata_convert(struct perf_relaid *relaid,
						 const struct perf_event_header *header,
						 const struct perf_event_attr *attr, uint64_t id,
						 uint64_t parts);

/* Return the CPU of a converted record. */
uint32_t perfdata_convert_cpu(const struct perf_event_header *relaid);

#endif
