#include "engine/base/units.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the invalid text that an error message quotes. */
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
	{ 1, "" },
	{ 1000ULL, "k" },
	{ 1000000ULL, "M" },
	{ 1000000000ULL, "G" },
	{ 1000000000000ULL, "T" },
	{ 1000000000000000ULL, "P" },
	{ 1000000000000000000ULL, "E" },
};

#define SCALES(table) (table), (sizeof(table) / sizeof((table)[0]))

/* Return value / size, rounded half up. Adding size / 2 first could overflow. */
static uint64_t divide_rounded(uint64_t value, uint64_t size)
{
	return value / size + (value % size >= size - size / 2);
}

/*
 * Format three significant digits. Rounding may carry into the next digit or unit (9.995 -> 10.0,
 * 999.9k -> 1.00M); the decimal places then follow the rounded value. False if the value is too big
 * for the last scale.
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
			snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 ".%02" PRIu64 "%s", digits / 100,
				 digits % 100, scales[i].suffix);
			return true;
		}
		digits = divide_rounded(value, size / 10);
		if (digits < 1000) {
			snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 ".%" PRIu64 "%s", digits / 10,
				 digits % 10, scales[i].suffix);
			return true;
		}
		digits = divide_rounded(value, size);
		if (digits < 1000) {
			snprintf(out, UNITS_TEXT_BYTES, "%" PRIu64 "%s", digits, scales[i].suffix);
			return true;
		}
	}
	return false;
}

char *units_format_ns(char out[UNITS_TEXT_BYTES], uint64_t ns)
{
	const uint64_t minute = 60, hour = 60 * minute, day = 24 * hour;
	uint64_t s = divide_rounded(ns, NS_PER_S);

	/* 59.95 s would be rounded to "60.0s": show minutes instead. */
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

char *units_format_at_least_ns(char out[UNITS_TEXT_BYTES], uint64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	snprintf(out, UNITS_TEXT_BYTES, ns ? ">%.*s" : "?", UNITS_TEXT_BYTES - 2,
		 units_format_ns(text, ns));
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
		/* Scale the fraction separately: bytes * 10 could overflow. */
		uint64_t rest = (bytes % size) >> (10 * i - 10);
		uint64_t tenths = bytes / size * 10 + (rest * 10 + 512) / 1024;

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

/* Return the escaped beginning of an invalid text, for an error message. */
static const char *quote(char out[QUOTED_BYTES], const char *text)
{
	return escape_name(out, QUOTED_BYTES, text);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * A number DIGITS[.DIGITS] whose unit is not parsed yet. It is stored as an integer and billionths,
 * so that the result has no binary rounding errors.
 */
#define FRACTION_ONE 1000000000ULL

struct decimal {
	uint64_t whole;
	uint64_t fraction; /* in FRACTION_ONE parts; further digits are dropped */
	bool overflow;
};

/* Parse a number. Return the text after it, or NULL if text does not begin with a number. */
static const char *decimal_parse(struct decimal *number, const char *text)
{
	uint64_t place = FRACTION_ONE / 10;

	*number = (struct decimal){ 0 };
	if (!is_digit(*text))
		return NULL;
	for (; is_digit(*text); text++)
		if (__builtin_mul_overflow(number->whole, 10, &number->whole) ||
		    __builtin_add_overflow(number->whole, *text - '0', &number->whole))
			number->overflow = true;
	if (*text != '.')
		return text;
	if (!is_digit(*++text))
		return NULL;
	for (; is_digit(*text); text++, place /= 10)
		number->fraction += (uint64_t)(*text - '0') * place;
	return text;
}

/* Compute number * unit. False if 64 bits cannot hold it. unit is at most 2^60. */
static bool decimal_scale(const struct decimal *number, uint64_t unit, uint64_t *value)
{
	unsigned __int128 product = (unsigned __int128)number->whole * unit +
				    (unsigned __int128)number->fraction * unit / FRACTION_ONE;

	if (number->overflow || product > UINT64_MAX)
		return false;
	*value = (uint64_t)product;
	return true;
}

static const struct scale durations[] = {
	{ 1, "ns" },
	{ NS_PER_US, "us" },
	{ NS_PER_US, "\302\265s" }, /* U+00B5 MICRO SIGN */
	{ NS_PER_US, "\316\274s" }, /* U+03BC GREEK SMALL LETTER MU */
	{ NS_PER_MS, "ms" },
	{ NS_PER_S, "s" },
	{ 60 * NS_PER_S, "m" },
	{ 60 * NS_PER_S, "min" },
	{ 3600 * NS_PER_S, "h" },
	{ 86400 * NS_PER_S, "d" },
};

int units_parse_duration(const char *text, uint64_t default_unit_ns, uint64_t *ns, struct err *err)
{
	char shown[QUOTED_BYTES];
	struct decimal number;
	const char *unit = decimal_parse(&number, text);
	uint64_t unit_ns = 0;

	if (!unit)
		return err_set(err, -EINVAL,
			       "'%s' is not a duration: expected a number first, as in 10ms",
			       quote(shown, text));
	while (*unit == ' ')
		unit++;
	if (!*unit) {
		unit_ns = default_unit_ns;
		if (!unit_ns)
			return err_set(err, -EINVAL,
				       "'%s' lacks a unit: one of ns, us, ms, s, m, h, d",
				       quote(shown, text));
	}
	for (size_t i = 0; !unit_ns && i < sizeof(durations) / sizeof(durations[0]); i++)
		if (!strcmp(unit, durations[i].suffix))
			unit_ns = durations[i].size;
	if (!unit_ns)
		return err_set(err, -EINVAL,
			       "'%s' is not a unit of time: one of ns, us, ms, s, m, h, d",
			       quote(shown, unit));
	if (!decimal_scale(&number, unit_ns, ns))
		return err_set(err, -ERANGE, "'%s' is too long: at most 584 years",
			       quote(shown, text));
	return 0;
}

int units_parse_size(const char *text, uint64_t *bytes, struct err *err)
{
	static const char suffixes[] = "KMGTPE";
	char shown[QUOTED_BYTES];
	struct decimal number;
	const char *unit = decimal_parse(&number, text);
	uint64_t size = 1;

	if (!unit)
		return err_set(err, -EINVAL,
			       "'%s' is not a size: expected a number first, as in 64M",
			       quote(shown, text));
	if (*unit) {
		char upper = *unit >= 'a' && *unit <= 'z' ? (char)(*unit - 'a' + 'A') : *unit;
		const char *suffix = strchr(suffixes, upper);

		if (suffix) {
			size = 1ULL << (10 * (suffix - suffixes + 1));
			unit++;
			if (!strcmp(unit, "iB") || !strcmp(unit, "B"))
				unit = "";
		} else if (!strcmp(unit, "B")) {
			unit = "";
		}
	}
	if (*unit || (size == 1 && number.fraction))
		return err_set(
			err, -EINVAL,
			"'%s' is not a size: expected a number of bytes, or one with K, M or G",
			quote(shown, text));
	if (!decimal_scale(&number, size, bytes))
		return err_set(err, -ERANGE, "'%s' is too large for a size", quote(shown, text));
	return 0;
}

int units_parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *value,
		       struct err *err)
{
	char shown[QUOTED_BYTES];
	struct decimal number;
	const char *rest = decimal_parse(&number, text);

	/* decimal_parse() accepts a fraction, which is invalid here. */
	if (!rest || *rest || strchr(text, '.'))
		return err_set(err, -EINVAL, "'%s' is not a number", quote(shown, text));
	if (number.overflow || number.whole < min || number.whole > max)
		return err_set(err, -ERANGE, "'%s' is out of range: %" PRIu64 " to %" PRIu64,
			       quote(shown, text), min, max);
	*value = number.whole;
	return 0;
}
