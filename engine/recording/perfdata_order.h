/*
 * perfdata_order - records put into the order of their times.
 *
 * perf writes what it reads from the rings of the processors, one after the other: sorted each,
 * but not together. A round ends (PERF_RECORD_FINISHED_ROUND) when all rings were read, so that
 * nothing older than what the round before it had can come any more: that much is told then.
 * Records are copied, or stay in the blocks that they were read into. Where rounds do not end,
 * what waits is bounded by PERF_ORDER_BYTES_MAX: the older half is told then, and a record that
 * would have belonged before is told late. One thread.
 */
#ifndef RECORDING_PERFDATA_ORDER_H
#define RECORDING_PERFDATA_ORDER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_ORDER_BYTES_MAX ((size_t)256 << 20)

struct perf_order;

struct perf_order *perf_order_new(void);
void perf_order_free(struct perf_order *order);
void perf_order_clear(struct perf_order *order);

/* Equal times keep the order in which they came. */
void perf_order_add(struct perf_order *order, const struct perf_event_header *header,
		    uint64_t time_ns);
/* The same of one in a perf_block, where it stays; copied too if hardly anything else does. */
void perf_order_keep(struct perf_order *order, const struct perf_event_header *header,
		     uint64_t time_ns);
void perf_order_round(struct perf_order *order); /* a round ends */
void perf_order_end(struct perf_order *order); /* no more will come: all may be told */

/* Whether perf_order_next() has one. */
bool perf_order_is_ready(const struct perf_order *order);
/* The next one that may be told, borrowed until the next call; NULL: add more first. */
const struct perf_event_header *perf_order_next(struct perf_order *order);
uint64_t perf_order_time(const struct perf_order *order); /* of that one */

#endif
