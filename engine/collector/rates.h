/*
 * rates - rates over the last second: calls, the sparkline, the CPUs.
 *
 * The collector ticks it about once a second; other threads read it. Always under the model's lock.
 */
#ifndef COLLECTOR_RATES_H
#define COLLECTOR_RATES_H

#include "engine/model/model.h"

#define RATES_SECONDS 60

struct rates;

struct rates *rates_new(void);
void rates_free(struct rates *rates);

/* No-op until a second has passed since the last tick. */
void rates_tick(struct rates *rates, const struct model *model, uint64_t now_ns);

struct rates_summary {
	double calls_per_s; /* finished calls, before the filter */
	uint32_t seconds[RATES_SECONDS]; /* calls in each second, oldest first */
	double cpu_busy; /* 0..1, all CPUs */
	double own_cpu; /* CPU use of stxtop; 1: one whole CPU */
};
void rates_summary(const struct rates *rates, struct rates_summary *summary);

#endif
