/*
 * screen_input - keys, mouse and pastes from the terminal of a screen.
 *
 * Poll screen_input_fd for reading, then call screen_input_next until it says EVENT_NONE. It
 * never waits, but for up to 25 ms after an Esc to see whether it begins a longer sequence. In the
 * midst of a long paste it says so too, with more to read.
 * A paste arrives as one event of at most INPUT_PARSER_PASTE_BYTES (more is dropped; what is left
 * is still longer than any line may be), with its control characters still in. UI thread only.
 */
#ifndef TERMINAL_SCREEN_INPUT_H
#define TERMINAL_SCREEN_INPUT_H

#include "widgets/terminal/event.h"
#include "widgets/terminal/screen.h"

int screen_input_fd(const struct screen *screen);

/* The next event, in *event. False and EVENT_NONE: nothing more for now. */
bool screen_input_next(struct screen *screen, struct input_event *event);

#endif
