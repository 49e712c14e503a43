/* wrap - text cut into lines at its blanks. Any thread. */
#ifndef WIDGETS_WRAP_H
#define WIDGETS_WRAP_H

#include <stddef.h>

/*
 * The bytes of text that make one line of cols columns; *next is where the next line begins, the
 * end of text after the last one. A word that is longer than a line is cut.
 */
size_t wrap_line(const char *text, int cols, const char **next);

#endif
