/*
 * traffic - what very many processes on a busy machine would do, made up, record by record.
 *
 * Each process has a thread that waits nearly all the time, one that makes calls one after the
 * other, and one that makes those that have to wait, with stacks, wakers and all. Few of them make
 * most of the calls, as it is everywhere. The same numbers give the same traffic, but for times.
 */
#ifndef INTERFACE_TRAFFIC_H
#define INTERFACE_TRAFFIC_H

#include "engine/source/source.h"

struct traffic;

struct traffic_options {
	uint32_t processes;
	uint64_t calls_per_s;
	const uint32_t *pids; /* borrowed: numbers of processes that exist; NULL: made up too */
};

struct traffic *traffic_new(const struct traffic_options *options, uint64_t from_ns);
void traffic_free(struct traffic *traffic);

/* What was there before: names, and calls in flight. Once, first of all. */
void traffic_begin(struct traffic *traffic, record_fn *take, void *ctx);
/* Everything up to then, in order. Returns how many calls ended. */
uint64_t traffic_until(struct traffic *traffic, uint64_t until_ns, record_fn *take, void *ctx);
/* Nothing happens until then. */
void traffic_skip(struct traffic *traffic, uint64_t until_ns);
uint64_t traffic_now(const struct traffic *traffic);

#endif
