/*
 * perfdata_order - sorts records by time.
 *
 * perf writes the contents of the per-CPU rings one after the other: each ring is sorted, but the
 * file is not. A round ends (PERF_RECORD_FINISHED_ROUND) when all rings have been read. Then no
 * record older than the newest one of the previous round can follow, and records up to that time
 * are released. Records are copied, or stay in the blocks that they were read into. Without ends of
 * rounds, PERFDATA_ORDER_BYTES_MAX bounds the pending records: at this bound, the older half is
 * released. A later record that is older than these is delivered out of order. One thread.
 */
#ifndef RECORDING_PERFDATA_ORDER_H
#define RECORDING_PERFDATA_ORDER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERFDATA_ORDER_BYTES_MAX ((size_t)256 << 20)

struct perfdata_order;

struct perfdata_order *perfdata_order_new(void);
void perfdata_order_free(struct perfdata_order *order);
void perfdata_order_clear(struct perfdata_order *order);

/* Records with equal times stay in order of arrival. */
void perfdata_order_add(struct perfdata_order *order, const struct perf_event_header *header,
			uint64_t time_ns);
/*
 * Add a record that is in a perf_block. Copies it only if few records keep too many blocks in use.
 */
void perfdata_order_store(struct perfdata_order *order, const struct perf_event_header *header,
			  uint64_t time_ns);
void perfdata_order_round(struct perfdata_order *order); /* a round ends */
void perfdata_order_end(struct perfdata_order *order); /* no more records follow: release all */

/* True if perfdata_order_next() has a record. */
bool perfdata_order_is_ready(const struct perfdata_order *order);
/* Return the next released record, borrowed until the next call. NULL: add more first. */
const struct perf_event_header *perfdata_order_next(struct perfdata_order *order);
/* time of the record that perfdata_order_next() returned last */
uint64_t perfdata_order_time(const struct perfdata_order *order);

#endif
