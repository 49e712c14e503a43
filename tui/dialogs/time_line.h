/*
 * time_line - the time bar of a recording: which part of it is drawn, what is marked on it, how
 * much happened when, and where somebody points.
 *
 * It asks the engine for how much happened, and changes nothing there: who owns it moves about.
 * UI thread only.
 */
#ifndef DIALOGS_TIME_LINE_H
#define DIALOGS_TIME_LINE_H

#include "tui/session/session.h"
#include "widgets/canvas/canvas.h"
#include "widgets/time_bar.h"

#define TIME_LINE_PARTS 512 /* of how much happened when */

struct time_line {
	bool hidden;
	bool zoomed; /* what is drawn is not all of it: */
	uint64_t from_ns, until_ns;
	bool has_mark; /* where a span is to begin */
	uint64_t mark_ns;
	/* Where it will be, by what was asked for last. */
	bool has_goal;
	uint64_t goal_ns, asked_ns;
	uint64_t shown_ns; /* where it was at the last look */
	bool reported_beyond; /* that there is nothing in the span */
	bool drags; /* a button is down that was pressed on it */
	uint64_t drag_from_ns, drag_until_ns;
	/* How much happened when: of this part, by an index of so many bytes. */
	uint32_t counts[TIME_LINE_PARTS];
	size_t known;
	uint64_t counts_from_ns, counts_until_ns, counts_bytes;
	struct rect rect; /* where it was drawn last; empty: nowhere */
};

void time_line_init(struct time_line *line);

/* Rows wanted on a screen of that height: 0 to 2. */
int time_line_rows(const struct time_line *line, const struct session *session, int screen_rows);
/* Takes what became known since. */
void time_line_look(struct time_line *line, struct session *session);
void time_line_draw(struct time_line *line, const struct session *session, struct canvas *canvas,
		    struct rect rect);

/* Where it is, or will be as soon as it is there. */
uint64_t time_line_at(const struct time_line *line, const struct play_status *play);
void time_line_set_goal(struct time_line *line, const struct session *session, uint64_t at_ns);

/* What is drawn of it. */
void time_line_window(const struct time_line *line, const struct play_status *play,
		      uint64_t *from_ns, uint64_t *until_ns);
/* Another part is drawn from now on, as much of it as there is. */
void time_line_zoom(struct time_line *line, const struct play_status *play, uint64_t from_ns,
		    uint64_t until_ns);
/* `times` as much, or a part of it, with this time where it was. */
void time_line_zoom_at(struct time_line *line, const struct play_status *play, uint64_t at_ns,
		       double times);

/* What is under the pointer; false: it is not on the line. */
bool time_line_pointed(const struct time_line *line, const struct session *session, int row,
		       int col, uint64_t *time_ns);
/* The nearest time of the line. */
uint64_t time_line_nearest(const struct time_line *line, const struct session *session, int col);

#endif
