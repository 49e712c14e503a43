/*
 * perfdata_ext_decode_private - shared by the parts of perfdata_ext_decode.
 *
 * For perfdata_ext_decode.c, perfdata_ext_stacks.c and perfdata_ext_tasks.c only. Functions that
 * return bool fill in *record and return true if the input is valid.
 */
#ifndef READ_PERFDATA_EXT_DECODE_PRIVATE_H
#define READ_PERFDATA_EXT_DECODE_PRIVATE_H

#include "engine/base/histogram.h"
#include "engine/base/idmap.h"
#include "engine/base/str.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/source/perf/perf_cursor.h"

#define OWN_EVENTS_MAX 4096 /* event numbers in a file are smaller than this */
#define OWN_CHAIN_MAX (2 * (PERFDATA_EXT_RECORD_MAX / 8))

/* The last enter of a thread; with a later exit, it can become a RECORD_CALL. */
struct entered {
	uint64_t time_ns;
	uint64_t args[SYSCALL_ARGS];
	uint32_t nr, cpu;
};

struct perfdata_ext_decode {
	struct event_formats *formats;
	struct idmap entered; /* struct entered by tid; owned */
	/* by event number in the file: event number of the model; -1: none */
	int numbers[OWN_EVENTS_MAX];
	uint64_t regs_mask;
	uint32_t max_stack; /* limit of stacks if the file does not mark cut ones; otherwise 0 */
	uint64_t last_ns; /* time of the last record passed to the consumer */
	uint64_t lost, malformed;
	uint64_t reported; /* kinds of records passed to the consumer, as bits */
	unsigned int tracepoints;
	/* Parts of the next record. */
	struct record_bytes bytes;
	struct str pointed; /* contents of `bytes` */
	uint64_t chain[OWN_CHAIN_MAX / 2];
	uint32_t chain_count;
	uint8_t chain_cut; /* enum record_stack_cut */
	uint32_t parent_pid, parent_of; /* parent_of: tid of the child */
	bool whole; /* `call` holds the enter of a RECORD_CALL */
	bool within; /* decoding began after a seek */
	struct record call;
	uint64_t ips[OWN_CHAIN_MAX];
	uint32_t steps[HISTOGRAM_STEPS];
};

/*
 * Pass a record to the consumer, which relies on ascending times: as during collection, raise a
 * time that is before the last one.
 */
static inline void own_pass(struct perfdata_ext_decode *decode, struct record *record,
			    record_fn *take, void *ctx)
{
	if (record->time_ns < decode->last_ns)
		record->time_ns = decode->last_ns;
	decode->last_ns = record->time_ns;
	decode->reported |= 1u << record->kind;
	take(ctx, record);
}

/* The value is untrusted. */
static inline uint8_t own_thread_state(uint32_t reported)
{
	return reported < THREAD_STATE_COUNT ? (uint8_t)reported : THREAD_STATE_UNKNOWN;
}

static inline uint8_t own_cut(uint32_t reported)
{
	return reported & (STACK_CUT_KERNEL | STACK_CUT_USER);
}

static inline uint8_t own_resumes(uint32_t reported)
{
	return reported <= RESUME_SILENT ? (uint8_t)reported : RESUME_UNKNOWN;
}

static inline struct perf_cursor own_behind(const struct perf_event_header *header, size_t bytes)
{
	struct perf_cursor rest = { .at = (const unsigned char *)header + bytes,
				    .left = header->size - bytes };

	return rest;
}

/* perfdata_ext_stacks.c */
void own_stack_sample(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
		      uint64_t event, unsigned int flags, record_fn *take, void *ctx);
bool own_seed(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
	      struct record *record, struct record_stack *stack);
void own_chain(struct perfdata_ext_decode *decode, const struct perf_event_header *header);

/* perfdata_ext_tasks.c: the record types of the kernel, except samples */
void own_side(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
	      record_fn *take, void *ctx);
bool own_owner(const struct perf_event_header *header, struct record *record, uint32_t flags);

#endif
