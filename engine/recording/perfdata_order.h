/*
 * perfdata_order - records put into the order of their times.
 *
 * perf writes what it reads from the rings of the processors, one after the other: sorted each,
 * but not together. A round ends (PERF_RECORD_FINISHED_ROUND) when all rings were read, so that
 * nothing older than what the round before it had can come any more: that much is told then.
 * Records are copied, or stay in the blocks that they were read into. Where rounds do not end,
 * what waits is bounded by PERFDATA_ORDER_BYTES_MAX: the older half is told then, and a record that
 * would have belonged before is told late. One thread.
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

/* Equal times keep the order in which they came. */
void perfdata_order_add(struct perfdata_order *order, const struct perf_event_header *header,
			uint64_t time_ns);
/* The same of one in a perf_block, where it stays; copied too if hardly anything else does. */
void perfdata_order_store(struct perfdata_order *order, const struct perf_event_header *header,
			  uint64_t time_ns);
void perfdata_order_round(struct perfdata_order *order); /* a round ends */
void perfdata_order_end(struct perfdata_order *order); /* no more will come: all may be told */

/* Whether perfdata_order_next() has one. */
bool perfdata_order_is_ready(const struct perfdata_order *order);
/* The next one that may be told, borrowed until the next call; NULL: add more first. */
const struct perf_event_header *perfdata_order_next(struct perfdata_order *order);
uint64_t perfdata_order_time(const struct perfdata_order *order); /* of that one */

#endif
