/*
 * time_bar - a time range as a line: the distribution of counts, the position and the selected
 * span.
 *
 * Knows neither recordings nor units: the caller provides the counts, the times and every text, and
 * maps a column back to a time. If there is a single row, texts and line share it; of two rows, the
 * first contains the line. Texts are omitted when the line becomes too narrow; with 20 columns,
 * little more than the line remains. Characters show everything that colours show. Any thread.
 */
#ifndef WIDGETS_TIME_BAR_H
#define WIDGETS_TIME_BAR_H

#include "widgets/canvas/canvas.h"

#include <stdbool.h>
#include <stdint.h>

#define TIME_BAR_ROWS 2 /* further rows are left blank */

struct time_bar {
	uint64_t from_ns, until_ns; /* times of the first and of the last column */
	uint64_t at_ns; /* the position */
	/* The span is drawn between brackets; the line outside is dim. */
	bool has_span;
	uint64_t span_from_ns, span_until_ns;
	bool has_mark; /* start of a span that is being selected */
	uint64_t mark_ns;
	/* Counts of equal parts of [counts_from_ns, counts_until_ns); borrowed. */
	const uint32_t *counts;
	size_t count;
	uint64_t counts_from_ns, counts_until_ns;
	uint64_t known_ns; /* counts are unknown after it; UINT64_MAX: all are known */
	/* UTF-8, escaped; borrowed. NULL: none. */
	const char *state, *short_state;
	enum role state_role;
	const char *at; /* text for at_ns */
	const char *first, *last; /* texts for the ends of the line */
	const char *note; /* only on two rows or on a wide row */
};

void time_bar_draw(const struct time_bar *bar, struct canvas *canvas);

/*
 * Find the time drawn at a position of a canvas of the given size. The first column of the line is
 * from_ns, the last one until_ns. False: not on the line.
 */
bool time_bar_at(const struct time_bar *bar, int rows, int cols, int row, int col,
		 uint64_t *time_ns);
/* As time_bar_at(), for dragging: outside the line, return the time of its nearest column. */
uint64_t time_bar_nearest(const struct time_bar *bar, int rows, int cols, int col);

#endif
