/*
 * traffic - makes records of very many processes on a busy machine.
 *
 * Each process has a thread that waits nearly all the time, a caller that makes calls without
 * waits, and a waiter that makes calls with waits, stacks and wakers. 10 % of the processes make
 * 1/3 of the calls. The same options give the same traffic, except for its times.
 */
#ifndef INTERFACE_TRAFFIC_H
#define INTERFACE_TRAFFIC_H

#include "engine/source/source.h"

struct traffic;

struct traffic_options {
	uint32_t processes;
	uint64_t calls_per_s;
	const uint32_t *pids; /* borrowed; pids of existing processes; NULL: synthetic pids */
};

struct traffic *traffic_new(const struct traffic_options *options, uint64_t from_ns);
void traffic_free(struct traffic *traffic);

/* Emit the initial state: names and calls in flight. Call it once, before any other function. */
void traffic_begin(struct traffic *traffic, record_fn *take, void *ctx);
/* Emit all records up to until_ns, in time order. Return the number of finished calls. */
uint64_t traffic_until(struct traffic *traffic, uint64_t until_ns, record_fn *take, void *ctx);
/* Advance the time to until_ns without emitting records. */
void traffic_skip(struct traffic *traffic, uint64_t until_ns);
uint64_t traffic_now(const struct traffic *traffic);

#endif
