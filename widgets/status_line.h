/*
 * status_line - one message at a time, gone after a while.
 * Time is the caller's clock in nanoseconds, so tests need no waiting. UI thread only.
 */
#ifndef WIDGETS_STATUS_LINE_H
#define WIDGETS_STATUS_LINE_H

#include "widgets/canvas/canvas.h"

#include <stdint.h>

struct status_line {
	struct str text;
	enum role role;
	uint64_t until_ns; /* 0: until it is cleared or replaced */
};

void status_line_init(struct status_line *status);
void status_line_release(struct status_line *status);
/* Shown from now_ns for for_ns (0: until replaced). */
void status_line_set(struct status_line *status, enum role role, uint64_t now_ns, uint64_t for_ns,
		     const char *format, ...) __attribute__((format(printf, 5, 6)));
void status_line_clear(struct status_line *status);
/* Whether there is a message at now_ns; forgets one that is over. */
bool status_line_is_shown(struct status_line *status, uint64_t now_ns);
void status_line_draw(struct status_line *status, struct canvas *canvas, int row, uint64_t now_ns);

#endif
