/*
 * key_bytes - the bytes that a terminal sends for a key, a click or typed text.
 *
 *	Enter Esc F4 Ctrl-L Up x     keys, as xterm sends them in application mode
 *	"quoted text"                typed text
 *	Click:20,5                   the left button, pressed and released in column 20, row 5
 *	Twice:20,5                   a double click
 *	Drag:20,5,24,5               pressed, moved in two steps, released in column 24, row 5
 *	WheelUp:20,5 WheelDown:20,5
 */
#ifndef SCREENS_KEY_BYTES_H
#define SCREENS_KEY_BYTES_H

#include "engine/base/str.h"

#include <stdbool.h>

/* Append the bytes. False, with nothing appended, if the word is unknown. */
bool key_bytes(const char *word, struct str *out);

#endif
