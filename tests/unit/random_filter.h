/* random_filter - random filters and calls, from few values so that matches occur. */
#ifndef UNIT_RANDOM_FILTER_H
#define UNIT_RANDOM_FILTER_H

#include "engine/base/str.h"
#include "engine/filter/filter.h"

/* Append an expression of at most `depth` levels. */
void random_filter(struct str *out, unsigned *seed, unsigned depth);
struct call random_call(unsigned *seed);

/* Return the comm of a random call, which depends on its tid only. */
const char *random_comm(void *ctx, const struct call *call);
/* Return the task owner: the uid depends on the tid, the cgroup on pid and CPU. */
bool random_uid(void *ctx, const struct call *call, uint32_t *uid);
const char *random_cgroup(void *ctx, const struct call *call);
struct filter_reader random_reader(void);

#endif
