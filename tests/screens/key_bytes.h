/*
 * key_bytes - what a terminal sends for a key, a click or typed text.
 *
 *	Enter Esc F4 Ctrl-L Up x     keys, as xterm sends them in application mode
 *	"quoted text"                as if typed
 *	Click:20,5                   the first button, pressed and released in column 20, row 5
 *	Drag:20,5,24,5               pressed there and released in column 24, row 5
 */
#ifndef SCREENS_KEY_BYTES_H
#define SCREENS_KEY_BYTES_H

#include "engine/base/str.h"

#include <stdbool.h>

/* Adds the bytes; false, with nothing added, if it names no key. */
bool key_bytes(const char *word, struct str *out);

#endif
