#include "widgets/canvas/ascii.h"

#include <stddef.h>

static const struct {
	uint32_t first, last;
	const char *chars; /* one per code, or one for the whole range */
} stand_ins[] = {
	/* sorted by first */
	{ 0x00a0, 0x00a0, " " },       { 0x00b0, 0x00b0, "o" },
	{ 0x00b1, 0x00b1, "~" },       { 0x00b5, 0x00b5, "u" }, /* micro sign, as in µs */
	{ 0x00b7, 0x00b7, "." },       { 0x00d7, 0x00d7, "x" },
	{ 0x03bc, 0x03bc, "u" }, /* Greek mu, also used for micro */
	{ 0x2010, 0x2015, "-" },       { 0x2018, 0x201b, "'" },
	{ 0x201c, 0x201f, "\"" },      { 0x2022, 0x2022, "*" },
	{ 0x2026, 0x2026, "~" }, /* must fit one column: not three dots */
	{ 0x2190, 0x2193, "<^>v" },    { 0x2194, 0x21ff, "-" },
	{ 0x2212, 0x2212, "-" },       { 0x2264, 0x2265, "<>" },
	{ 0x2500, 0x2501, "-" },       { 0x2502, 0x2503, "|" },
	{ 0x2504, 0x2505, "-" },       { 0x2506, 0x2507, "|" },
	{ 0x2508, 0x2509, "-" },       { 0x250a, 0x250b, "|" },
	{ 0x250c, 0x254b, "+" },       { 0x254c, 0x254d, "-" },
	{ 0x254e, 0x254f, "|" },       { 0x2550, 0x2551, "=|" },
	{ 0x2552, 0x256c, "+" },       { 0x256d, 0x2570, "+" },
	{ 0x2571, 0x2573, "/\\X" },    { 0x2574, 0x257f, "-|-|-|-|-|-|" },
	{ 0x2580, 0x2580, "\"" },      { 0x2581, 0x2588, ".:-=+*#@" },
	{ 0x2589, 0x258f, "#####||" }, { 0x2590, 0x2595, "|.:#\"|" },
	{ 0x2596, 0x259f, "#" },       { 0x25a0, 0x25a1, "#" },
	{ 0x25b2, 0x25b3, "^" },       { 0x25b6, 0x25b9, ">" },
	{ 0x25bc, 0x25bd, "v" },       { 0x25c0, 0x25c3, "<" },
	{ 0x25cb, 0x25cf, "o" },       { 0x2713, 0x2714, "v" },
	{ 0x2717, 0x2718, "x" },
};

char ascii_from(uint32_t code)
{
	if (code < 0x80)
		return (char)code;
	for (size_t i = 0; i < sizeof(stand_ins) / sizeof(stand_ins[0]); i++) {
		if (code < stand_ins[i].first)
			break;
		if (code <= stand_ins[i].last)
			return stand_ins[i].chars[1] ? stand_ins[i].chars[code - stand_ins[i].first]
						     : stand_ins[i].chars[0];
	}
	if (code >= 0x2800 && code <= 0x28ff) /* braille patterns: blank or not */
		return code == 0x2800 ? ' ' : ':';
	return '?';
}
