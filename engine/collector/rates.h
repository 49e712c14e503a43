/*
 * rates - what happened in the last second: calls, the sparkline, the processors.
 *
 * Ticked by the collector about once a second, read by others; always under
 * the model's lock.
 */
#ifndef COLLECTOR_RATES_H
#define COLLECTOR_RATES_H

#include "engine/model/model.h"

#define RATES_SECONDS 60

struct rates;

struct rates *rates_new(void);
void rates_free(struct rates *rates);

/* Once a second has passed since the last one. */
void rates_tick(struct rates *rates, const struct model *model, uint64_t now_ns);

struct rates_summary {
	double calls_per_s; /* finished calls, before the filter */
	uint32_t seconds[RATES_SECONDS]; /* calls in each, oldest first */
	double cpu_busy; /* 0..1, all processors */
	double own_cpu; /* of this process; 1: a whole processor */
};
void rates_summary(const struct rates *rates, struct rates_summary *summary);

#endif
