/*
 * time_line - the time bar of a recording: visible range, marks, record density and pointer
 * position.
 *
 * Only reads the density from the engine; its owner performs the seeks. UI thread only.
 */
#ifndef DIALOGS_TIME_LINE_H
#define DIALOGS_TIME_LINE_H

#include "tui/session/session.h"
#include "widgets/canvas/canvas.h"
#include "widgets/time_bar.h"

#define TIME_LINE_PARTS 512 /* resolution of the density */

struct time_line {
	bool hidden;
	bool zoomed; /* only [from_ns, until_ns) is visible */
	uint64_t from_ns, until_ns;
	bool has_mark; /* start of a span to be selected */
	uint64_t mark_ns;
	/* Pending seek: destination of the last request. */
	bool has_goal;
	uint64_t goal_ns, asked_ns;
	uint64_t shown_ns; /* position at the last time_line_look() */
	bool reported_beyond; /* the empty span was reported */
	bool drags; /* mouse button held since a press on the bar */
	uint64_t drag_from_ns, drag_until_ns;
	/*
	 * Estimated number of records in each part of [counts_from_ns, counts_until_ns), when
	 * counts_bytes of the recording were indexed.
	 */
	uint32_t counts[TIME_LINE_PARTS];
	size_t known;
	uint64_t counts_from_ns, counts_until_ns, counts_bytes;
	struct rect rect; /* as last drawn; empty: not drawn */
};

void time_line_init(struct time_line *line);

/* Return the rows wanted on a screen of this height: 0 to 2. */
int time_line_rows(const struct time_line *line, const struct session *session, int screen_rows);
/* Update position and density from the play status. */
void time_line_look(struct time_line *line, struct session *session);
void time_line_draw(struct time_line *line, const struct session *session, struct canvas *canvas,
		    struct rect rect);

/* Return the position, or the destination of a pending seek. */
uint64_t time_line_at(const struct time_line *line, const struct play_status *play);
void time_line_set_goal(struct time_line *line, const struct session *session, uint64_t at_ns);

/* Return the visible range. */
void time_line_window(const struct time_line *line, const struct play_status *play,
		      uint64_t *from_ns, uint64_t *until_ns);
/* Set the visible range, clipped to the recording. */
void time_line_zoom(struct time_line *line, const struct play_status *play, uint64_t from_ns,
		    uint64_t until_ns);
/*
 * Multiply the length of the visible range by `times`. at_ns keeps its column unless the range
 * meets an end of the recording. No-op if the range would be below 1 us.
 */
void time_line_zoom_at(struct time_line *line, const struct play_status *play, uint64_t at_ns,
		       double times);

/* Store the time under the pointer in *time_ns. False: the pointer is outside the bar. */
bool time_line_pointed(const struct time_line *line, const struct session *session, int row,
		       int col, uint64_t *time_ns);
/* Return the time of the bar nearest to this column. */
uint64_t time_line_nearest(const struct time_line *line, const struct session *session, int col);

#endif
