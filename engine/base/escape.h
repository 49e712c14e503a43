/*
 * escape - makes bytes of other processes safe to display.
 *
 * Printable UTF-8 passes unchanged. Control characters, malformed bytes, and characters that
 * reorder or hide text are written in the notation of strace: \n \t \r \f \v, otherwise \ooo
 * with as few octal digits as the next byte allows. A backslash becomes \\. The output can
 * neither move the cursor nor change the state of a terminal. Any thread.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "engine/base/str.h"

enum escape_style {
	ESCAPE_PLAIN, /* names and paths that are shown without quotes */
	ESCAPE_QUOTED, /* text inside "…": also writes " as \"; the caller adds the quotes */
};

void str_add_escaped(struct str *s, const char *bytes, size_t len, enum escape_style style);

/* Append text as the content of a JSON string: escaped as above, then by the rules of JSON. */
void str_add_json(struct str *s, const char *bytes, size_t len);

/* Escape a short name into a fixed buffer, which is always NUL-terminated. Return out. */
char *escape_name(char *out, size_t out_bytes, const char *name);
/*
 * As escape_name(), for text that should already be escaped: it is copied unchanged if all its
 * characters are safe and it fits.
 */
char *escape_unsafe(char *out, size_t out_bytes, const char *text);

#endif
