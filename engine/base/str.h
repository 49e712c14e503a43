/*
 * str - a growable byte string that is always NUL-terminated.
 *
 * Invariant: data is never NULL and data[len] == '\0', also after STR_INIT. Callers may read `data`
 * and `len`; all changes go through the functions.
 *
 *	struct str line = STR_INIT;
 *	str_addf(&line, "%d", 42);
 *	puts(line.data);
 *	str_release(&line);
 *
 * Any thread; the caller owns the struct str.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct str {
	char *data;
	size_t len;
	size_t cap; /* allocated bytes; 0 while data is the shared empty string */
};

extern char str_empty_data[1];
/* clang-format off */
#define STR_INIT { .data = str_empty_data, .len = 0, .cap = 0 }
/* clang-format on */

void str_init(struct str *s);
void str_release(struct str *s); /* frees the memory; the string is empty afterwards */
void str_clear(struct str *s); /* empties the string; retains the memory */
char *str_steal(struct str *s); /* returns data, which the caller frees; empties s */

/* Reserve room for `more` bytes after the end, without changing len. */
void str_reserve(struct str *s, size_t more);
void str_cut(struct str *s, size_t len); /* truncates to at most len bytes */

void str_addc(struct str *s, char c);
void str_addn(struct str *s, const char *bytes, size_t len);
/* As str_addn(), for a short constant length: usually one or two move instructions. */
static inline void str_addk(struct str *s, const char *bytes, size_t len)
{
	if (__builtin_expect(s->len + len >= s->cap, 0)) {
		str_addn(s, bytes, len);
		return;
	}
	memcpy(s->data + s->len, bytes, len);
	s->len += len;
	s->data[s->len] = '\0';
}
void str_add(struct str *s, const char *text);
void str_repeat(struct str *s, char c, size_t count);
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *s, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Append a decimal or hexadecimal number; cheaper than printf, for lines with many numbers. */
void str_addu(struct str *s, unsigned long long value);
void str_addd(struct str *s, long long value);
void str_addx(struct str *s, unsigned long long value); /* prefixed with 0x; 0 is "0" */

#endif
