/*
 * random_filter - filters and calls by chance, from few values so that they meet.
 */
#ifndef UNIT_RANDOM_FILTER_H
#define UNIT_RANDOM_FILTER_H

#include "engine/base/str.h"
#include "engine/filter/filter.h"

/* Appends an expression of at most `depth` levels. */
void random_filter(struct str *out, unsigned *seed, unsigned depth);
struct call random_call(unsigned *seed);

/* The name that every random call's thread has: by its tid. */
const char *random_comm(void *ctx, const struct call *call);
/* Whose it is, by tid and pid. */
bool random_uid(void *ctx, const struct call *call, uint32_t *uid);
const char *random_cgroup(void *ctx, const struct call *call);
struct filter_reader random_reader(void);

#endif
