/*
 * screen_keys - the keys of the terminfo entry, as the byte sequences that the terminal sends.
 * Private to screen and screen_input. UI thread only, while a screen is open.
 */
#ifndef TERMINAL_SCREEN_KEYS_H
#define TERMINAL_SCREEN_KEYS_H

#include "widgets/terminal/input_parser.h"

#define SCREEN_KEYS_MAX 160

/*
 * Fill strings; return their number, at most SCREEN_KEYS_MAX. The bytes are borrowed from curses
 * and valid while the screen is open. Entries with a printable first character are ignored.
 */
size_t screen_keys_load(struct key_string *strings);

#endif
