/* ascii - ASCII replacements for drawing characters of one column. Any thread. */
#ifndef CANVAS_ASCII_H
#define CANVAS_ASCII_H

#include <stdint.h>

/*
 * Return code if it is ASCII, else its replacement (box, block, arrow, …), or '?' if it has none.
 */
char ascii_from(uint32_t code);

#endif
