/*
 * key_bytes - what a terminal sends for a key, a click or typed text.
 *
 *	Enter Esc F4 Ctrl-L Up x     keys, as xterm sends them in application mode
 *	"quoted text"                as if typed
 *	Click:20,5                   the first button, pressed and released in column 20, row 5
 *	Twice:20,5                   a double click
 *	Drag:20,5,24,5               pressed, moved in two steps, released in column 24, row 5
 *	WheelUp:20,5 WheelDown:20,5
 */
#ifndef SCREENS_KEY_BYTES_H
#define SCREENS_KEY_BYTES_H

#include "engine/base/str.h"

#include <stdbool.h>

/* Adds the bytes; false, with nothing added, if it names no key. */
bool key_bytes(const char *word, struct str *out);

#endif
