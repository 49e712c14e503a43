/*
 * print_format - whether a tracepoint's format may be given to a library that trusts it.
 *
 * It names fields and ends in C that says how they are printed, in which that library evaluates
 * operators, indices and lengths as they stand there, and crashes on some of what is malformed;
 * and a recording's anybody may have written. Any thread.
 */
#ifndef SOURCE_PRINT_FORMAT_H
#define SOURCE_PRINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* Where it begins in the text of a format file; `bytes`: there is none. */
size_t print_format_at(const char *text, size_t bytes);

/*
 * Whether it can do no harm whoever wrote it: short, little nested, and nothing but conversions
 * without long widths, fields, numbers, names for these, and operators that cannot fail. The
 * library that parses what else there is may crash on what is malformed.
 */
/* Whether there is a field of that name, which ends there; NULL: nobody looks. */
typedef bool print_format_has_fn(void *ctx, const char *name, size_t len);
bool print_format_is_plain(const char *format, size_t bytes, print_format_has_fn *has, void *ctx);
/* Whether all in front of that is well formed. */
bool format_fields_are_plain(const char *text, size_t bytes);

#endif
