/*
 * header - the line on top: what is watched, how much of it, what is lost, the state; and
 * a second one for the filter when there is one. UI thread only.
 */
#ifndef DIALOGS_HEADER_H
#define DIALOGS_HEADER_H

#include "tui/session/session.h"
#include "widgets/canvas/canvas.h"
#include "widgets/crumbs.h"

struct header {
	char machine[128]; /* host name and kernel */
	char catches[128]; /* set by the owner: what waits, what was stopped */
	bool has_stopped;
	char recording[64]; /* set by the owner: that it records; empty: it does not */
	char flight[48]; /* the same of the flight recorder */
	char use[48]; /* set by the owner: what this program takes; empty: not wanted */
	bool flight_saving; /* ... that it writes a file */
	bool recording_lost; /* ... and what is wrong with it */
	struct crumbs path; /* of the filter stack, as drawn last; ids are its steps */
	bool has_filter; /* its line was drawn last */
	int state_col; /* where LIVE stands, as drawn last; -1: nowhere */
};

void header_init(struct header *header);

/* Rows wanted on a screen of that height: 1 or 2. */
int header_rows(const struct session *session, int screen_rows);
void header_draw(struct header *header, const struct session *session, struct canvas *canvas);

enum header_part {
	HEADER_NOTHING,
	HEADER_STATE, /* LIVE or PAUSED */
	HEADER_FILTER, /* its line */
	HEADER_STEP, /* of the filter stack: *step */
};

/* What stands there since the last draw. */
enum header_part header_at(const struct header *header, int row, int col, size_t *step);

#endif
