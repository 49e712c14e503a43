/*
 * mouse_report - decodes mouse reports in xterm's numbering: bits for button and modifiers, and a
 * position from 1 (xterm's ctlseqs, "Mouse Tracking"). One thread.
 */
#ifndef TERMINAL_MOUSE_REPORT_H
#define TERMINAL_MOUSE_REPORT_H

#include "widgets/terminal/event.h"

/* The previous press, for double clicks; zeroed: none. */
struct mouse_press {
	int button; /* X10 reports of a release lack it */
	int row, col;
	uint64_t when_ns;
};

/*
 * Decode a report. release: an SGR report that ends with m. False: the report is ignored, but
 * *event can have changed.
 */
bool mouse_report_read(struct mouse_press *last, int bits, int x, int y, bool release,
		       uint64_t now_ns, struct input_event *event);

#endif
