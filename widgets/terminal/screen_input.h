/*
 * screen_input - keys, mouse and pastes from the terminal of a screen.
 *
 * Poll screen_input_fd() for reading, then call screen_input_next() until it returns EVENT_NONE.
 * That function blocks only inside an incomplete sequence, up to 25 ms for the next bytes. During a
 * long paste it returns EVENT_NONE while there is more to read. A paste is one event of at most
 * INPUT_PARSER_PASTE_BYTES, more than any line can hold; further bytes are dropped. Control
 * characters in it are preserved. UI thread only.
 */
#ifndef TERMINAL_SCREEN_INPUT_H
#define TERMINAL_SCREEN_INPUT_H

#include "widgets/terminal/event.h"
#include "widgets/terminal/screen.h"

int screen_input_fd(const struct screen *screen);

/* Store the next event in *event. False and EVENT_NONE: no further event for now. */
bool screen_input_next(struct screen *screen, struct input_event *event);

#endif
