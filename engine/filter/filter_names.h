/*
 * filter_names - names of the filter language, from the decoder's tables.
 *
 * `syscalls` is borrowed by the names and by every filter parsed with them.
 */
#ifndef FILTER_FILTER_NAMES_H
#define FILTER_FILTER_NAMES_H

#include "engine/decode/syscalls.h"
#include "engine/filter/filter.h"

void filter_names_init(struct filter_names *names, const struct syscalls *syscalls);

#endif
