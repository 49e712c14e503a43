#include "widgets/terminal/mouse_report.h"

#include "engine/base/clock.h"

#define TWICE_NS (400 * NS_PER_MS) /* maximum time between the presses of a double click */

enum report_bits {
	BITS_BUTTON = 3,
	BIT_SHIFT = 4,
	BIT_ALT = 8,
	BIT_CTRL = 16,
	BIT_MOTION = 32,
	BIT_WHEEL = 64,
	BIT_FURTHER = 128, /* buttons 8 to 11 */
};

static bool read_wheel(int bits, bool release, struct input_event *event)
{
	if (bits & 2)
		return false; /* horizontal wheels */
	event->mouse.action = bits & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
	return !release;
}

static void read_press(struct mouse_press *last, uint64_t now_ns, struct input_event *event)
{
	event->mouse.action = MOUSE_PRESS;
	event->mouse.twice = last->button == event->mouse.button && last->row == event->mouse.row &&
			     last->col == event->mouse.col && last->when_ns &&
			     now_ns - last->when_ns < TWICE_NS;
	last->button = event->mouse.button;
	last->row = event->mouse.row;
	last->col = event->mouse.col;
	last->when_ns = event->mouse.twice ? 0 : now_ns; /* a third press starts over */
}

bool mouse_report_read(struct mouse_press *last, int bits, int x, int y, bool release,
		       uint64_t now_ns, struct input_event *event)
{
	if (x < 1 || y < 1 || bits < 0 || bits >= BIT_FURTHER)
		return false;
	event->kind = EVENT_MOUSE;
	event->key.mods = (uint8_t)((bits & BIT_SHIFT ? KEY_MOD_SHIFT : 0) |
				    (bits & BIT_ALT ? KEY_MOD_ALT : 0) |
				    (bits & BIT_CTRL ? KEY_MOD_CTRL : 0));
	event->mouse.row = y - 1;
	event->mouse.col = x - 1;
	if (bits & BIT_WHEEL)
		return read_wheel(bits, release, event);
	event->mouse.button = (bits & BITS_BUTTON) + 1;
	if (event->mouse.button == 4) { /* an X10 report lacks the released button */
		release = true;
		event->mouse.button = last->button;
	}
	if (release)
		event->mouse.action = MOUSE_RELEASE;
	else if (bits & BIT_MOTION)
		event->mouse.action = MOUSE_DRAG;
	else
		read_press(last, now_ns, event);
	return true;
}
