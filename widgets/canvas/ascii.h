/* ascii - the ASCII that stands for a drawing character of one column. Any thread. */
#ifndef CANVAS_ASCII_H
#define CANVAS_ASCII_H

#include <stdint.h>

/* code itself when it is ASCII, its stand-in (box, block, arrow, …), or '?'. */
char ascii_from(uint32_t code);

#endif
