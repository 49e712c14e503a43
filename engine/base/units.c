#include "engine/base/units.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How much of a wrong text is repeated in the sentence about it. */
#define QUOTED_BYTES 64

struct scale {
	uint64_t size;
	const char *suffix;
};

static const struct scale ns_scales[] = {
	{ 1, "ns" },
	{ NS_PER_US, "us" },
	{ NS_PER_MS, "ms" },
	{ NS_PER_S, "s" },
};

static const struct scale count_scales[] = {
	{ 1ULL, "" },
	{ 1000ULL, "k" },
	{ 1000000ULL, "M" },
	{ 1000000000ULL, "G" },
	{ 1000000000000ULL, "T" },
	{ 1000000000000000ULL, "P" },
	{ 1000000000000000000ULL, "E" },
};

#define SCALES(table) (table), (sizeof(table) / sizeof((table)[0]))

/* value / size, rounded half up; size is at least 1 and value + size / 2 must not wrap. */
static uint64_t divide_rounded(uint64_t value, uint64_t size)
{
	uint64_t whole = value / size;

	return whole + (value % size >= size - size / 2 && size > 1);
}

/*
 * Three significant digits. Rounding may carry a number into the next digit or
 * the next unit (9.995 -> 10.0, 999.9k -> 1.00M), which picks the place anew.
 * False if it is too big even for the last scale.
 */
static bool format_scaled(char *out, uint64_t value, const struct scale *scales, size_t count)
{
	if (value < 1000) {
		snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 "%s", value, scales[0].suffix);
		return true;
	}
	for (size_t i = 1; i < count; i++) {
		uint64_t size = scales[i].size;
		uint64_t digits = divide_rounded(value, size / 100);

		if (digits < 1000) {
			snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 ".%02" PRIu64 "%s",
				 digits / 100, digits % 100, scales[i].suffix);
			return true;
		}
		digits = divide_rounded(value, size / 10);
		if (digits < 1000) {
			snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 ".%" PRIu64 "%s",
				 digits / 10, digits % 10, scales[i].suffix);
			return true;
		}
		digits = divide_rounded(value, size);
		if (digits < 1000) {
			snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 "%s", digits,
				 scales[i].suffix);
			return true;
		}
	}
	return false;
}

char *units_format_ns(char out[UNITS_TEXT_BYTES], uint64_t ns)
{
	const uint64_t minute = 60, hour = 60 * minute, day = 24 * hour;
	uint64_t s = divide_rounded(ns, NS_PER_S);

	/* 59.95 s would be "60.0s": from there on it is a minute. */
	if (ns < 59950 * NS_PER_MS) {
		format_scaled(out, ns, SCALES(ns_scales));
		return out;
	}
	if (s < hour) {
		snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 "m%02" PRIu64 "s", s / minute,
			 s % minute);
		return out;
	}
	if (s < day)
		snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 "h%02" PRIu64 "m", s / hour,
			 s % hour / minute);
	else
		snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 "d%02" PRIu64 "h", s / day,
			 s % day / hour);
	return out;
}

char *units_format_count(char out[UNITS_TEXT_BYTES], uint64_t count)
{
	format_scaled(out, count, SCALES(count_scales));
	return out;
}

char *units_format_bytes(char out[UNITS_TEXT_BYTES], uint64_t bytes)
{
	static const char suffixes[] = "BKMGTPE";

	if (bytes < 1024) {
		snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 "B", bytes);
		return out;
	}
	for (unsigned int i = 1; suffixes[i]; i++) {
		uint64_t size = 1ULL << (10 * i);
		/* The fraction on its own: bytes * 10 could wrap. */
		uint64_t tenths = bytes / size * 10 + divide_rounded((bytes % size) >> (10 * i - 10),
								     1024 / 10 + 1);

		tenths = bytes / size * 10 + (((bytes % size) >> (10 * i - 10)) * 10 + 512) / 1024;
		if (tenths < 100) {
			snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 ".%" PRIu64 "%c", tenths / 10,
				 tenths % 10, suffixes[i]);
			return out;
		}
		if ((tenths + 5) / 10 < 1024 || !suffixes[i + 1]) {
			snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 "%c", (tenths + 5) / 10,
				 suffixes[i]);
			return out;
		}
	}
	return out;
}

char *units_format_percent(char out[UNITS_TEXT_BYTES], uint64_t part, uint64_t whole)
{
	double tenths = whole ? (double)part / (double)whole * 1000 + 0.5 : 0;

	if (part == 0 || whole == 0)
		snprintf(out, UNITS_TEXT_BYTES, "0");
	else if (tenths < 100)
		snprintf(out, UNITS_TEXT_BYTES, "%u.%u", (unsigned int)tenths / 10,
			 (unsigned int)tenths % 10);
	else
		snprintf(out, UNITS_TEXT_BYTES, "%.0f", (double)part / (double)whole * 100);
	return out;
}
