/*
 * time_bar - a stretch of time as a line: how much is where, how far it is, what is chosen of it.
 *
 * Knows no recordings and no units: the caller has the counts, the places and every text, and is
 * told which time a column is. On one row texts and line share it, on two the line has the first.
 * Texts give way to the line where it is narrow, the line is what remains of 20 columns. What is
 * told by colours is told by characters too. Any thread.
 */
#ifndef WIDGETS_TIME_BAR_H
#define WIDGETS_TIME_BAR_H

#include "widgets/canvas/canvas.h"

#include <stdbool.h>
#include <stdint.h>

#define TIME_BAR_ROWS 2 /* more are left blank */

struct time_bar {
	uint64_t from_ns, until_ns; /* of the line: its first column, its last one */
	uint64_t at_ns; /* how far it is */
	/* What is chosen is between brackets, what is outside is dim. */
	bool has_span;
	uint64_t span_from_ns, span_until_ns;
	bool has_mark; /* where something is to begin */
	uint64_t mark_ns;
	/* How much happened, in equal parts of [counts_from_ns, counts_until_ns); borrowed. */
	const uint32_t *counts;
	size_t count;
	uint64_t counts_from_ns, counts_until_ns;
	uint64_t known_ns; /* from there on nobody knows yet; UINT64_MAX: all is known */
	/* UTF-8, escaped; borrowed. NULL: none */
	const char *state, *short_state;
	enum role state_role;
	const char *at; /* at_ns */
	const char *first, *last; /* the line's ends */
	const char *note; /* on two rows only, or where there is much room */
};

void time_bar_draw(const struct time_bar *bar, struct canvas *canvas);

/*
 * The time that was drawn at a place of a canvas of that size; false: it is beside the line.
 * The first column is from_ns, the last until_ns.
 */
bool time_bar_at(const struct time_bar *bar, int rows, int cols, int row, int col,
		 uint64_t *time_ns);
/* The same wherever the place is: the nearest of the line, for who drags. */
uint64_t time_bar_nearest(const struct time_bar *bar, int rows, int cols, int col);

#endif
