/*
 * units - formats and parses numbers with units.
 *
 * Formatters write at most UNITS_TEXT_BYTES - 1 bytes of ASCII. The text is narrow enough for table
 * columns: three significant digits and a suffix. Any thread.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_TEXT_BYTES 24

/* "412ns" "1.35us" "12.3ms" "3.21s" "4m05s" "2h10m" "3d04h"; returns out. */
char *units_format_ns(char out[UNITS_TEXT_BYTES], uint64_t ns);

/* As units_format_ns(), for a lower bound of a sum: ">12.3ms", or "?" for 0; returns out. */
char *units_format_at_least_ns(char out[UNITS_TEXT_BYTES], uint64_t ns);

/* "0" "999" "1.35k" "91.2k" "182k" "1.02M"; returns out. */
char *units_format_count(char out[UNITS_TEXT_BYTES], uint64_t count);

/* "512B" "4.0K" "64M" "1.2G" (powers of 1024); returns out. */
char *units_format_bytes(char out[UNITS_TEXT_BYTES], uint64_t bytes);

/* "0" "0.1" "7.0" "100": percentage of part in whole, one decimal below ten; returns out. */
char *units_format_percent(char out[UNITS_TEXT_BYTES], uint64_t part, uint64_t whole);

/*
 * Parse "10ms", "1.5 s", "250us", "3m" or "1h". A bare number counts units of default_unit_ns; if
 * that is 0, a bare number is invalid. Trailing text is invalid. 0, or -EINVAL or -ERANGE with a
 * message.
 */
int units_parse_duration(const char *text, uint64_t default_unit_ns, uint64_t *ns, struct err *err);

/* Parse "4096", "64K", "64KiB", "16M", "1G": powers of 1024. 0, -EINVAL or -ERANGE. */
int units_parse_size(const char *text, uint64_t *bytes, struct err *err);

/* Parse an integer min..max without further text. 0, -EINVAL or -ERANGE. */
int units_parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *value,
		       struct err *err);

#endif
