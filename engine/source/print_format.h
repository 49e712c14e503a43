/*
 * print_format - checks whether a tracepoint format is safe for libtraceevent.
 *
 * A format lists fields and ends in a C expression that says how to print them. libtraceevent
 * evaluates the operators, indices and lengths of that expression unchecked, and crashes on some
 * malformed input. The format of a recording comes from an untrusted file. Any thread.
 */
#ifndef SOURCE_PRINT_FORMAT_H
#define SOURCE_PRINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* Return the offset of the print format in the text of a format file; `bytes` if it has none. */
size_t print_format_at(const char *text, size_t bytes);

/* True if a field has the name of `len` bytes at `name`. */
typedef bool print_format_has_fn(void *ctx, const char *name, size_t len);
/*
 * True if an untrusted print format is harmless: short, with little nesting. It consists only of
 * fields, numbers, value names, operators that cannot fail, and conversions with short widths.
 * libtraceevent can crash on other constructs. has NULL: accept any field name.
 */
bool print_format_is_plain(const char *format, size_t bytes, print_format_has_fn *has, void *ctx);
/* True if the fields before the print format are well formed. */
bool format_fields_are_plain(const char *text, size_t bytes);

#endif
