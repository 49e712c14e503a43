#include "engine/base/escape.h"

#include "engine/base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static void add_byte(struct str *s, unsigned char byte, int next)
{
	static const char names[] = {
		['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r'
	};

	str_addc(s, '\\');
	if (byte < sizeof(names) && names[byte]) {
		str_addc(s, names[byte]);
		return;
	}
	/* A following octal digit would be part of the escape: write all three digits. */
	bool whole = next >= '0' && next <= '7';
	if (whole || byte >= 0100)
		str_addc(s, (char)('0' + (byte >> 6)));
	if (whole || byte >= 010)
		str_addc(s, (char)('0' + (byte >> 3 & 7)));
	str_addc(s, (char)('0' + (byte & 7)));
}

/*
 * Escape bytes[at..end), which ends at a character boundary. The byte at `end`, if there is one,
 * decides how many octal digits the last escape needs.
 */
static void add_escaped_until(struct str *s, const char *bytes, size_t at, size_t end, size_t len,
			      enum escape_style style)
{
	while (at < end) {
		unsigned char byte = (unsigned char)bytes[at];
		uint32_t code;
		size_t n;

		if (byte == '\\' || (byte == '"' && style == ESCAPE_QUOTED)) {
			str_addc(s, '\\');
			str_addc(s, (char)byte);
			at++;
			continue;
		}
		n = utf8_decode(bytes + at, len - at, &code);
		if (n && utf8_width(code) >= 0) {
			str_addn(s, bytes + at, n);
			at += n;
			continue;
		}
		/* Escape an unsafe character byte by byte. */
		for (size_t stop = at + (n ? n : 1); at < stop; at++)
			add_byte(s, (unsigned char)bytes[at],
				 at + 1 < len ? (unsigned char)bytes[at + 1] : -1);
	}
}

void str_add_escaped(struct str *s, const char *bytes, size_t len, enum escape_style style)
{
	add_escaped_until(s, bytes, 0, len, len, style);
}

void str_add_json(struct str *s, const char *bytes, size_t len)
{
	struct str safe = STR_INIT;

	str_add_escaped(&safe, bytes, len, ESCAPE_PLAIN);
	for (size_t i = 0; i < safe.len; i++) {
		if (safe.data[i] == '"' || safe.data[i] == '\\')
			str_addc(s, '\\');
		str_addc(s, safe.data[i]);
	}
	str_release(&safe);
}

char *escape_name(char *out, size_t out_bytes, const char *name)
{
	struct str safe = STR_INIT;
	size_t len = strlen(name), at = 0, n = 0;

	/*
	 * Stop at the last character that fits whole: half a UTF-8 sequence would be malformed, and
	 * half an escape would show a wrong byte.
	 */
	while (at < len) {
		uint32_t code;
		size_t used = utf8_decode(name + at, len - at, &code);
		size_t next = at + (used ? used : 1);

		add_escaped_until(&safe, name, at, next, len, ESCAPE_PLAIN);
		if (safe.len >= out_bytes)
			break;
		n = safe.len;
		at = next;
	}
	memcpy(out, safe.data, n);
	out[n] = '\0';
	str_release(&safe);
	return out;
}

char *escape_unsafe(char *out, size_t out_bytes, const char *text)
{
	size_t len = strlen(text), at = 0, n;
	uint32_t code;

	while (at < len && (n = utf8_decode(text + at, len - at, &code)) && utf8_width(code) >= 0)
		at += n;
	if (at < len || len >= out_bytes)
		return escape_name(out, out_bytes, text);
	memcpy(out, text, len + 1);
	return out;
}
