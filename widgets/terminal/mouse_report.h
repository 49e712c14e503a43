/*
 * mouse_report - what terminals tell of the mouse, in the numbers of xterm: bits for the button
 * and the modifiers, and a position from 1. (xterm's ctlseqs, "Mouse Tracking".) One thread.
 */
#ifndef TERMINAL_MOUSE_REPORT_H
#define TERMINAL_MOUSE_REPORT_H

#include "widgets/terminal/event.h"

/* The press before, which a second one is compared with; zeroed: none. */
struct mouse_press {
	int button; /* of drags too */
	int row, col;
	uint64_t when_ns;
};

/*
 * release: an SGR report that ends with m. False: nothing that anybody wants to know; *event may
 * be changed then.
 */
bool mouse_report_read(struct mouse_press *last, int bits, int x, int y, bool release,
		       uint64_t now_ns, struct input_event *event);

#endif
