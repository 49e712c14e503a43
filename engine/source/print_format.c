#include "engine/source/print_format.h"

#include <string.h>

#define PLAIN_BYTES_MAX (16 << 10)
#define PLAIN_NESTING_MAX 24
#define PLAIN_WIDTH_MAX 3 /* digits */

static const char marker[] = "\nprint fmt:";

size_t print_format_at(const char *text, size_t bytes)
{
	const char *found = memmem(text, bytes, marker, sizeof(marker) - 1);

	return found ? (size_t)(found - text) + 1 : bytes;
}

/* Behind a % in a string: widths and precisions; `at` is moved behind them. */
static bool is_plain_conversion(const char *format, size_t bytes, size_t *at)
{
	unsigned int digits = 0;

	for (; *at < bytes; (*at)++) {
		char c = format[*at];

		if (c == '*')
			return false;
		if (c >= '0' && c <= '9') {
			if (++digits > PLAIN_WIDTH_MAX)
				return false;
		} else if (c == '.') {
			digits = 0;
		} else if (!c || !strchr("-+ #", c)) {
			return true;
		}
	}
	return true;
}

bool print_format_is_plain(const char *format, size_t bytes)
{
	unsigned int nesting = 0;
	bool quoted = false;

	if (bytes > PLAIN_BYTES_MAX)
		return false;
	for (size_t i = 0; i < bytes; i++) {
		char c = format[i];

		if (!c)
			return false;
		if (c == '\\') {
			i++;
		} else if (c == '"') {
			quoted = !quoted;
		} else if (quoted && c == '%') {
			i++;
			if (!is_plain_conversion(format, bytes, &i))
				return false;
		} else if (quoted) {
			continue;
		} else if (strchr("/%[]\'", c)) {
			return false;
		} else if (strchr("({", c)) {
			if (++nesting > PLAIN_NESTING_MAX)
				return false;
		} else if (strchr(")}", c)) {
			if (!nesting--)
				return false;
		}
	}
	return !quoted && !nesting;
}
