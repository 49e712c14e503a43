/*
 * screen_keys - what curses and terminals call the keys of keys.h.
 * Part of screen_input; not for others. UI thread only, a screen being open.
 */
#ifndef WIDGETS_SCREEN_KEYS_H
#define WIDGETS_SCREEN_KEYS_H

#include "widgets/keys.h"

/* A key code of curses (KEY_UP and the like, terminfo's extended ones too); false: none. */
bool screen_keys_from_curses(int code, struct key *key);

/*
 * The control sequence Esc [ NUMBERS FINAL (or Esc O FINAL) as xterm sends it for keys that
 * the terminal's terminfo entry leaves out; false: none. numbers has at least two.
 */
bool screen_keys_from_sequence(const int *numbers, int count, int final, struct key *key);

#endif
