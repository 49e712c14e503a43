/*
 * print_format - the end of a tracepoint's format, which says how its fields are printed.
 *
 * It is C in which a library evaluates operators, indices and lengths as they stand there, and of
 * a recording anybody may have written it. Any thread.
 */
#ifndef SOURCE_PRINT_FORMAT_H
#define SOURCE_PRINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* Where it begins in the text of a format file; `bytes`: there is none. */
size_t print_format_at(const char *text, size_t bytes);

/*
 * Whether it can do no harm whoever wrote it: short, little nested, without division, indices
 * and widths that make long texts.
 */
bool print_format_is_plain(const char *format, size_t bytes);

#endif
