/*
 * str - a growing byte string that is always NUL-terminated.
 *
 * Invariant: data is never NULL and data[len] == '\0', also after STR_INIT.
 * `data` and `len` may be read; everything else goes through the functions.
 *
 *	struct str line = STR_INIT;
 *	str_addf(&line, "%d", 42);
 *	puts(line.data);
 *	str_release(&line);
 *
 * Any thread; a struct str belongs to its caller.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct str {
	char *data;
	size_t len;
	size_t cap; /* bytes allocated; 0 while data is the shared empty string */
};

extern char str_empty_data[1];
/* clang-format off */
#define STR_INIT { .data = str_empty_data, .len = 0, .cap = 0 }
/* clang-format on */

void str_init(struct str *s);
void str_release(struct str *s); /* frees and leaves an empty string */
void str_clear(struct str *s); /* empty again, memory kept */
char *str_steal(struct str *s); /* the caller frees the result; s is empty again */

/* Room for `more` bytes behind the end; the bytes are not part of s yet. */
void str_reserve(struct str *s, size_t more);
void str_cut(struct str *s, size_t len); /* keeps at most the first len bytes */

void str_addc(struct str *s, char c);
void str_addn(struct str *s, const char *bytes, size_t len);
/* str_addn() of few bytes whose number is known where it is written: a move or two, mostly. */
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

/* Decimal and hexadecimal without the cost of printf: a line per call needs many. */
void str_addu(struct str *s, unsigned long long value);
void str_addd(struct str *s, long long value);
void str_addx(struct str *s, unsigned long long value); /* with 0x in front; 0 is "0" */

#endif
