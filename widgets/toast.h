/*
 * toast - a short message in a box above the panes, and the list of earlier messages.
 *
 * A message disappears after its time or when dismissed. Texts are copied; a repetition of the last
 * message only increments its count. Times come from the clock of the caller in ns, so that tests
 * do not wait. UI thread only.
 */
#ifndef WIDGETS_TOAST_H
#define WIDGETS_TOAST_H

#include "widgets/canvas/canvas.h"

#include <stdint.h>

#define TOAST_HISTORY_MAX 100
#define TOAST_MAX_COLS 60

struct toast_message {
	struct str text;
	enum role role;
	unsigned int times;
	uint64_t said_ns; /* time of the last repetition */
};

struct toast {
	struct toast_message messages[TOAST_HISTORY_MAX]; /* a ring, oldest at `first` */
	size_t first, count;
	bool shown;
	uint64_t until_ns;
	struct rect box; /* at the last draw; empty: not drawn */
};

void toast_init(struct toast *toast);
void toast_release(struct toast *toast);

/* Store a message without showing it. */
void toast_note(struct toast *toast, enum role role, uint64_t now_ns, const char *text);
/* Store a message and show it for for_ns; 0: until dismissed. */
void toast_say(struct toast *toast, enum role role, uint64_t now_ns, uint64_t for_ns,
	       const char *text);
void toast_dismiss(struct toast *toast);
bool toast_is_shown(struct toast *toast, uint64_t now_ns);

/* Return the index-th newest message, NULL past the oldest. Borrowed. */
const struct toast_message *toast_message(const struct toast *toast, size_t index);

/* Draw a box at the right, starting at row `top`; if it does not fit, use the last row. */
void toast_draw(struct toast *toast, struct canvas *canvas, int top, uint64_t now_ns);

#endif
