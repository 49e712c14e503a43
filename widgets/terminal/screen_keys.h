/*
 * screen_keys - the keys that the terminal's terminfo entry knows, as the bytes it sends for them.
 * Part of screen_input; not for others. UI thread only, a screen being open.
 */
#ifndef TERMINAL_SCREEN_KEYS_H
#define TERMINAL_SCREEN_KEYS_H

#include "widgets/terminal/input_parser.h"

#define SCREEN_KEYS_MAX 160

/*
 * Returns how many there are, at most SCREEN_KEYS_MAX. The bytes are borrowed from curses: good
 * as long as the screen is open. An entry that calls printable characters keys is not believed.
 */
size_t screen_keys_load(struct key_string *strings);

#endif
