/*
 * units - numbers with units, to text and back.
 *
 * Formatters write at most UNITS_TEXT_BYTES - 1 bytes of ASCII and are narrow
 * enough for table columns: three significant digits and a suffix. Any thread.
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

/* The same of a sum that some parts of are not known: ">12.3ms", or "?" of 0; returns out. */
char *units_format_at_least_ns(char out[UNITS_TEXT_BYTES], uint64_t ns);

/* "0" "999" "1.35k" "91.2k" "182k" "1.02M"; returns out. */
char *units_format_count(char out[UNITS_TEXT_BYTES], uint64_t count);

/* "512B" "4.0K" "64M" "1.2G" (powers of 1024); returns out. */
char *units_format_bytes(char out[UNITS_TEXT_BYTES], uint64_t bytes);

/* "0" "0.1" "7.0" "100": per cent of part in whole, one decimal below ten; returns out. */
char *units_format_percent(char out[UNITS_TEXT_BYTES], uint64_t part, uint64_t whole);

/*
 * "10ms", "1.5 s", "250us", "3m", "1h", "7" (ns when no unit is given: default_unit).
 * default_unit is what a bare number is multiplied by, in ns; 0 refuses bare numbers.
 * The whole text must be used up. 0 or -EINVAL/-ERANGE with a sentence.
 */
int units_parse_duration(const char *text, uint64_t default_unit_ns, uint64_t *ns, struct err *err);

/* "4096", "64K", "64KiB", "16M", "1G", powers of 1024. 0 or -EINVAL/-ERANGE. */
int units_parse_size(const char *text, uint64_t *bytes, struct err *err);

/* A decimal number and nothing else, min..max. 0 or -EINVAL/-ERANGE. */
int units_parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *value,
		       struct err *err);

#endif
