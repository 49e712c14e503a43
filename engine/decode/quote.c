/*
 * Quoted text as in strace: printable ASCII is unchanged and every other byte is escaped, in every
 * locale. base/escape differs: it keeps letters of other languages readable in names.
 */
#include "engine/decode/printer.h"

#include <limits.h>
#include <string.h>

static char short_escape(unsigned char c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\r':
		return 'r';
	case '\f':
		return 'f';
	case '\v':
		return 'v';
	case '"':
	case '\\':
		return (char)c;
	default:
		return '\0';
	}
}

/* Write all three digits before a digit, which would otherwise extend the octal number. */
static void add_octal(struct str *out, unsigned char c, bool digit_follows)
{
	char digits[4] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
			   (char)('0' + (c & 7)) };

	if (digit_follows || c >= 0100) {
		str_addn(out, digits, 4);
	} else if (c >= 010) {
		digits[1] = '\\';
		str_addn(out, digits + 1, 3);
	} else {
		digits[2] = '\\';
		str_addn(out, digits + 2, 2);
	}
}

static void add_hex_bytes(struct str *out, const unsigned char *bytes, size_t len)
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		char digits[4] = { '\\', 'x', hex[bytes[i] >> 4], hex[bytes[i] & 15] };

		str_addn(out, digits, 4);
	}
}

static void add_text(struct printer *p, const unsigned char *bytes, size_t len)
{
	size_t plain = 0;

	if (p->hex) {
		add_hex_bytes(p->out, bytes, len);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		unsigned char c = bytes[i];
		char escape;

		if (c >= ' ' && c <= '~' && c != '"' && c != '\\')
			continue;
		str_addn(p->out, (const char *)bytes + plain, i - plain);
		plain = i + 1;
		escape = short_escape(c);
		if (escape) {
			str_addc(p->out, '\\');
			str_addc(p->out, escape);
		} else {
			add_octal(p->out, c,
				  i + 1 < len && bytes[i + 1] >= '0' && bytes[i + 1] <= '7');
		}
	}
	str_addn(p->out, (const char *)bytes + plain, len - plain);
}

void print_quoted(struct printer *p, const void *bytes, size_t len)
{
	if (len > p->text_left)
		len = p->text_left;
	p->text_left -= (uint32_t)len;
	str_addc(p->out, '"');
	add_text(p, bytes, len);
	str_addc(p->out, '"');
}

/* Escape paths only: other names contain arrows and quotes that belong to the notation. */
static void add_foreign(struct printer *p, const unsigned char *bytes, size_t len, bool is_path)
{
	if (is_path)
		add_text(p, bytes, len);
	else
		str_addn(p->out, (const char *)bytes, len);
}

void print_between(struct printer *p, const void *bytes, size_t len)
{
	const unsigned char *at = bytes, *end = at + len, *plain = at;
	bool is_path = len && *at == '/';

	for (; at < end; at++) {
		if (is_path ? *at != '<' && *at != '>' : *at >= ' ' && *at <= '~')
			continue;
		add_foreign(p, plain, (size_t)(at - plain), is_path);
		add_octal(p->out, *at, at + 1 < end && at[1] >= '0' && at[1] <= '7');
		plain = at + 1;
	}
	add_foreign(p, plain, (size_t)(end - plain), is_path);
}

void print_char_array(struct printer *p, const void *bytes, size_t len)
{
	const char *end = memchr(bytes, '\0', len);
	size_t text = end ? (size_t)(end - (const char *)bytes) : len;

	/* Without a NUL, omit the last byte, which is the place of the NUL. */
	if (!end && len)
		text = len - 1;
	print_quoted(p, bytes, text);
	if (!end)
		PUT(p, "...");
}

/* Show at most `limit` bytes. Read one more, to detect that the string continues. */
static void print_terminated(struct printer *p, uint64_t address, char *buffer, size_t limit)
{
	size_t len;
	const char *end;
	bool cut;

	if (!address) {
		PUT(p, "NULL");
		return;
	}
	len = printer_read_some(p, address, buffer, limit + 1, true, &cut);
	end = memchr(buffer, '\0', len);
	if (end) {
		print_quoted(p, buffer, (size_t)(end - buffer));
	} else if (len > limit) {
		print_quoted(p, buffer, limit);
		PUT(p, "...");
	} else if (len && cut) {
		print_quoted(p, buffer, len);
		PUT(p, "...");
	} else {
		str_addx(p->out, address);
	}
}

void show_path(struct printer *p, uint64_t value, const void *data)
{
	char buffer[PATH_MAX];

	(void)data;
	print_terminated(p, value, buffer,
			 p->text_left < sizeof(buffer) ? p->text_left : sizeof(buffer) - 1);
}

void show_string(struct printer *p, uint64_t value, const void *data)
{
	char buffer[PATH_MAX];
	size_t limit = p->string_bytes < sizeof(buffer) ? p->string_bytes : sizeof(buffer) - 1;

	(void)data;
	print_terminated(p, value, buffer, limit < p->text_left ? limit : p->text_left);
}

void print_buffer(struct printer *p, uint64_t address, uint64_t len)
{
	unsigned char buffer[PATH_MAX];
	size_t limit = p->string_bytes < sizeof(buffer) ? p->string_bytes : sizeof(buffer);
	size_t want, known;
	bool cut;

	if (limit > p->text_left)
		limit = p->text_left;
	want = len < limit ? (size_t)len : limit;

	if (!address) {
		PUT(p, "NULL");
		return;
	}
	if (!len) {
		PUT(p, "\"\"");
		return;
	}
	known = printer_read_part(p, address, buffer, want, len, &cut);
	if (known < want && !(known && cut)) {
		str_addx(p->out, address);
		return;
	}
	print_quoted(p, buffer, known);
	if (known < len)
		PUT(p, "...");
}

void print_hex_buffer(struct printer *p, uint64_t address, uint64_t len)
{
	bool hex = p->hex;

	p->hex = true;
	print_buffer(p, address, len);
	p->hex = hex;
}
