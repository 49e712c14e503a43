/*
 * digits - numbers as decimal digits, two of them with each division.
 *
 * For lines of text, where most of what is written are numbers. Any thread.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_MAX 20 /* of any number */

/* "00" to "99", without NULs. */
extern const char digit_pairs[200];

/* The number without leading zeros, ending in front of `end`; returns where it begins. */
static inline char *digits_before(char *end, uint64_t value)
{
	while (value >= 100) {
		end -= 2;
		memcpy(end, digit_pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (value < 10) {
		*--end = (char)('0' + value);
	} else {
		end -= 2;
		memcpy(end, digit_pairs + 2 * value, 2);
	}
	return end;
}

/* Exactly `count` digits in front of `end`, and returns what is in front of these. */
static inline uint64_t digits_fixed(char *end, uint64_t value, unsigned count)
{
	for (; count >= 2; count -= 2) {
		end -= 2;
		memcpy(end, digit_pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (!count)
		return value;
	*--end = (char)('0' + value % 10);
	return value / 10;
}

#endif
