/*
 * header - the line on top: what is watched, how much of it, what is lost, the state; and
 * a second one for the filter when there is one. UI thread only.
 */
#ifndef TUI_HEADER_H
#define TUI_HEADER_H

#include "tui/session.h"
#include "widgets/canvas.h"

struct header {
	char machine[128]; /* host name and kernel */
	char catches[128]; /* set by the owner: what waits, what was stopped */
	bool has_stopped;
};

void header_init(struct header *header);

/* Rows wanted on a screen of that height: 1 or 2. */
int header_rows(const struct session *session, int screen_rows);
void header_draw(const struct header *header, const struct session *session,
		 struct canvas *canvas);

#endif
