/*
 * digits - converts numbers to decimal digits, two digits per division.
 *
 * Use it for output lines that consist mostly of numbers. Any thread.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_MAX 20 /* maximum number of digits of a uint64_t */

/* "00" to "99", without NULs. */
extern const char digit_pairs[200];

/* Write the number without leading zeros, its last digit at end[-1]. Return its first digit. */
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

/* As digits_before(), for the low `count` digits, zero-padded. Return the remaining higher part. */
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
