/*
 * filter_pattern - a regular expression in Perl's notation (pcre2pattern(3)), made ready once.
 *
 * Patterns that are plain text, anchored or not, are compared without the library. A pattern
 * of ASCII alone is about bytes, whatever they are; one with other characters is about
 * UTF-8, of which bytes that are none never match. `.` takes a newline too, and `$` is
 * the very end: what is matched are names, not lines.
 *
 * Matching is bounded in time, since some patterns take exponential time on some texts: it gives
 * up after a number of steps, and after two milliseconds at most. A pattern that is slow
 * often is not tried on every text any more, so that the mean cost is some microseconds. Any
 * thread.
 */
#ifndef FILTER_FILTER_PATTERN_H
#define FILTER_FILTER_PATTERN_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILTER_PATTERN_BYTES 256 /* no pattern is longer */

struct filter_pattern;

enum pattern_answer {
	PATTERN_NO,
	PATTERN_YES,
	PATTERN_GAVE_UP, /* not known: it would take too long */
};

/* NULL with a sentence in err. */
struct filter_pattern *filter_pattern_new(const char *text, struct err *err);
void filter_pattern_free(struct filter_pattern *pattern);
enum pattern_answer filter_pattern_match(const struct filter_pattern *pattern, const char *subject,
					 size_t len);
uint64_t filter_pattern_gave_up(const struct filter_pattern *pattern); /* on so many texts */

#endif
