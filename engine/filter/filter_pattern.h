/*
 * filter_pattern - a POSIX extended regular expression, made ready once.
 *
 * Patterns that are plain text, anchored or not, are compared without the
 * regular expression engine (which allocates while it matches). Patterns come
 * from whoever wrote the filter: length and repetition are bounded, and back
 * references, whose cost is not, are refused. Immutable; any thread.
 */
#ifndef FILTER_FILTER_PATTERN_H
#define FILTER_FILTER_PATTERN_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct filter_pattern;

/* NULL with a sentence in err; `text` is NUL-terminated. */
struct filter_pattern *filter_pattern_new(const char *text, struct err *err);
void filter_pattern_free(struct filter_pattern *pattern);
bool filter_pattern_match(const struct filter_pattern *pattern, const char *subject);

#endif
