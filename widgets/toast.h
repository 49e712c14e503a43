/*
 * toast - a short message in a box above the panes, which leaves by itself or when it is
 * dismissed, and the messages before it to be read again. Texts are copied; the same one again is
 * counted. Time is the caller's clock in nanoseconds, so tests need no waiting. UI thread
 * only.
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
	uint64_t said_ns; /* the last time */
};

struct toast {
	struct toast_message
		messages[TOAST_HISTORY_MAX]; /* from `first` on, oldest first, going round */
	size_t first, count;
	bool shown;
	uint64_t until_ns;
	struct rect box; /* where it was drawn last; empty: nowhere */
};

void toast_init(struct toast *toast);
void toast_release(struct toast *toast);

/* Keeps a message without showing it. */
void toast_note(struct toast *toast, enum role role, uint64_t now_ns, const char *text);
/* Keeps it and shows it for so long; for_ns 0: until it is dismissed. */
void toast_say(struct toast *toast, enum role role, uint64_t now_ns, uint64_t for_ns,
	       const char *text);
void toast_dismiss(struct toast *toast);
bool toast_is_shown(struct toast *toast, uint64_t now_ns);

/* The index-th newest message, NULL past the oldest. */
const struct toast_message *toast_message(const struct toast *toast, size_t index);

/* In the corner at the right of row `top`; on a canvas too small for a box, on its last row. */
void toast_draw(struct toast *toast, struct canvas *canvas, int top, uint64_t now_ns);

#endif
