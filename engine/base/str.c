#include "engine/base/str.h"

#include "engine/base/digits.h"
#include "engine/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char str_empty_data[1] = "";

void str_init(struct str *s)
{
	*s = (struct str)STR_INIT;
}

void str_release(struct str *s)
{
	if (s->cap)
		free(s->data);
	str_init(s);
}

void str_clear(struct str *s)
{
	s->len = 0;
	if (s->cap)
		s->data[0] = '\0';
}

char *str_steal(struct str *s)
{
	char *text = s->cap ? s->data : mem_strdup("");
	str_init(s);
	return text;
}

void str_reserve(struct str *s, size_t more)
{
	size_t need = s->len + more + 1;
	if (need <= s->cap)
		return;
	size_t cap = s->cap ? s->cap : 64;
	while (cap < need)
		cap *= 2;
	char *old = s->cap ? s->data : NULL;
	s->data = mem_realloc(old, cap, 1);
	s->data[s->len] = '\0';
	s->cap = cap;
}

void str_cut(struct str *s, size_t len)
{
	if (len >= s->len)
		return;
	s->len = len;
	s->data[len] = '\0';
}

void str_addn(struct str *s, const char *bytes, size_t len)
{
	if (!len)
		return;
	if (__builtin_expect(s->len + len >= s->cap, 0))
		str_reserve(s, len);
	memcpy(s->data + s->len, bytes, len);
	s->len += len;
	s->data[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text));
}

void str_addc(struct str *s, char c)
{
	if (__builtin_expect(s->len + 1 >= s->cap, 0))
		str_reserve(s, 1);
	s->data[s->len++] = c;
	s->data[s->len] = '\0';
}

void str_repeat(struct str *s, char c, size_t count)
{
	if (!count)
		return;
	str_reserve(s, count);
	memset(s->data + s->len, c, count);
	s->len += count;
	s->data[s->len] = '\0';
}

void str_vaddf(struct str *s, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	str_reserve(s, 64);
	size_t room = s->cap - s->len;
	int used = vsnprintf(s->data + s->len, room, format, args);
	if (used > 0 && (size_t)used >= room) {
		str_reserve(s, (size_t)used);
		used = vsnprintf(s->data + s->len, s->cap - s->len, format, again);
	}
	va_end(again);
	if (used > 0)
		s->len += (size_t)used;
	s->data[s->len] = '\0';
}

void str_addf(struct str *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	str_vaddf(s, format, args);
	va_end(args);
}

void str_addu(struct str *s, unsigned long long value)
{
	char digits[DIGITS_MAX];
	char *at = digits_before(digits + sizeof(digits), value);

	str_addn(s, at, (size_t)(digits + sizeof(digits) - at));
}

void str_addd(struct str *s, long long value)
{
	unsigned long long magnitude = (unsigned long long)value;
	if (value < 0) {
		str_addc(s, '-');
		magnitude = 0 - magnitude;
	}
	str_addu(s, magnitude);
}

void str_addx(struct str *s, unsigned long long value)
{
	size_t count;
	char *to;

	if (!value) {
		str_addc(s, '0');
		return;
	}
	count = (67 - (size_t)__builtin_clzll(value)) / 4;
	str_reserve(s, 2 + count);
	to = s->data + s->len;
	*to++ = '0';
	*to++ = 'x';
	for (size_t at = count; at-- > 0; value >>= 4)
		to[at] = "0123456789abcdef"[value & 15];
	to[count] = '\0';
	s->len += 2 + count;
}
