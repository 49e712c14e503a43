/*
 * header - the top line: target, call rate, losses and state; a second line shows the filter if
 * there is one. UI thread only.
 */
#ifndef DIALOGS_HEADER_H
#define DIALOGS_HEADER_H

#include "tui/session/session.h"
#include "widgets/canvas/canvas.h"
#include "widgets/crumbs.h"

struct header {
	char machine[128]; /* host name and kernel */
	char catches[128]; /* set by the owner: armed catches and stopped processes */
	bool has_stopped;
	char recording[64]; /* set by the owner: recording status; empty: not recording */
	char flight[48]; /* set by the owner: flight recorder status; empty: off */
	char use[48]; /* set by the owner: resource use of stxtop; empty: disabled */
	bool flight_saving; /* set by the owner: the flight recorder is writing a file */
	bool recording_lost; /* set by the owner: the recording lost data or failed */
	struct crumbs path; /* filter stack as last drawn; ids are its steps */
	bool has_filter; /* the filter line was drawn */
	int state_col; /* column of LIVE as last drawn; -1: not drawn */
};

void header_init(struct header *header);

/* Return the rows wanted on a screen of this height: 1 or 2. */
int header_rows(const struct session *session, int screen_rows);
void header_draw(struct header *header, const struct session *session, struct canvas *canvas);

enum header_part {
	HEADER_NOTHING,
	HEADER_STATE, /* LIVE or PAUSED */
	HEADER_FILTER, /* the filter line */
	HEADER_STEP, /* a step of the filter stack: *step */
};

/* Return the part at this position as last drawn. */
enum header_part header_at(const struct header *header, int row, int col, size_t *step);

#endif
