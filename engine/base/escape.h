/*
 * escape - bytes of another process made safe to show.
 *
 * Printable UTF-8 passes as it is; everything else (controls, malformed bytes,
 * characters that reorder or hide text) becomes strace's notation: \n \t \r
 * \f \v, and otherwise \ooo with as few octal digits as the next byte allows.
 * A backslash itself becomes \\. Nothing that this writes can move a cursor
 * or change a terminal's state. Any thread.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "engine/base/str.h"

enum escape_style {
	ESCAPE_PLAIN, /* for names and paths shown without quotes */
	ESCAPE_QUOTED, /* inside "…": " becomes \" too; the quotes are the caller's */
};

void str_add_escaped(struct str *s, const char *bytes, size_t len, enum escape_style style);

/* text as the inside of a JSON string: escaped as above, then as JSON wants it. */
void str_add_json(struct str *s, const char *bytes, size_t len);

/* Escapes a short name into a fixed buffer that is always NUL-terminated; returns out. */
char *escape_name(char *out, size_t out_bytes, const char *name);
/* The same of what is said to be escaped: it passes as it is if nothing in it has to be. */
char *escape_unsafe(char *out, size_t out_bytes, const char *text);

#endif
