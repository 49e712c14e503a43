/*
 * status_line - one message at a time, which expires.
 * Times come from the clock of the caller in ns, so that tests do not wait. UI thread only.
 */
#ifndef WIDGETS_STATUS_LINE_H
#define WIDGETS_STATUS_LINE_H

#include "widgets/canvas/canvas.h"

#include <stdint.h>

struct status_line {
	struct str text;
	enum role role;
	uint64_t until_ns; /* 0: shown until cleared or replaced */
};

void status_line_init(struct status_line *status);
void status_line_release(struct status_line *status);
/* Show a message from now_ns for for_ns (0: until replaced). */
void status_line_set(struct status_line *status, enum role role, uint64_t now_ns, uint64_t for_ns,
		     const char *format, ...) __attribute__((format(printf, 5, 6)));
void status_line_clear(struct status_line *status);
/* True if a message is shown at now_ns; an expired one is dropped. */
bool status_line_is_shown(struct status_line *status, uint64_t now_ns);
void status_line_draw(struct status_line *status, struct canvas *canvas, int row, uint64_t now_ns);

#endif
