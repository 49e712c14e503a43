/*
 * filter_pattern - a compiled regular expression in Perl's notation (pcre2pattern(3)).
 *
 * Patterns that are plain text, anchored or not, are compared without the library. An ASCII pattern
 * matches bytes of any encoding. A pattern with other characters matches UTF-8; invalid bytes never
 * match. `.` matches a newline, and `$` only the very end: subjects are names, not lines.
 *
 * Matching gives up after a number of steps, at most after 2 ms, since it can take exponential
 * time. A pattern that is often slow skips some subjects, so that its mean cost is a few
 * microseconds. Any thread.
 */
#ifndef FILTER_FILTER_PATTERN_H
#define FILTER_FILTER_PATTERN_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILTER_PATTERN_BYTES 256 /* maximum length of a pattern */

struct filter_pattern;

enum pattern_answer {
	PATTERN_NO,
	PATTERN_YES,
	PATTERN_GAVE_UP, /* unknown: matching took too long */
};

/* NULL with the reason in err. */
struct filter_pattern *filter_pattern_new(const char *text, struct err *err);
void filter_pattern_free(struct filter_pattern *pattern);
enum pattern_answer filter_pattern_match(const struct filter_pattern *pattern, const char *subject,
					 size_t len);
uint64_t filter_pattern_gave_up(const struct filter_pattern *pattern); /* count of subjects */

#endif
