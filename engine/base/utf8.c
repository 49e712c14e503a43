#include "engine/base/utf8.h"

#include <wchar.h>

size_t utf8_decode(const char *text, size_t len, uint32_t *code)
{
	const unsigned char *s = (const unsigned char *)text;
	if (!len)
		return 0;
	if (s[0] < 0x80) {
		*code = s[0];
		return 1;
	}
	size_t need;
	uint32_t value, least;
	if ((s[0] & 0xe0) == 0xc0) {
		need = 2;
		value = s[0] & 0x1f;
		least = 0x80;
	} else if ((s[0] & 0xf0) == 0xe0) {
		need = 3;
		value = s[0] & 0x0f;
		least = 0x800;
	} else if ((s[0] & 0xf8) == 0xf0) {
		need = 4;
		value = s[0] & 0x07;
		least = 0x10000;
	} else {
		return 0;
	}
	if (len < need)
		return 0;
	for (size_t i = 1; i < need; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3f);
	}
	if (value < least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code = value;
	return need;
}

size_t utf8_encode(uint32_t code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		if (code >= 0xd800 && code <= 0xdfff)
			return 0;
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	if (code > 0x10ffff)
		return 0;
	out[0] = (char)(0xf0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

/* Control characters, and characters that reorder or hide the text around them; sorted. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{ 0x00, 0x1f },       { 0x7f, 0x9f }, { 0x61c, 0x61c }, /* Arabic letter mark */
	{ 0x180e, 0x180e }, /* Mongolian vowel separator */
	{ 0x200b, 0x200f }, /* zero width, directional marks */
	{ 0x2028, 0x202e }, /* separators, embeddings and overrides */
	{ 0x2060, 0x206f }, /* joiners, isolates */
	{ 0xfeff, 0xfeff }, /* byte order mark */
	{ 0xfff9, 0xfffb }, /* interlinear annotation */
	{ 0xe0000, 0xe0fff }, /* tags, variation selectors */
};

int utf8_width(uint32_t code)
{
	if (code >= 0x20 && code < 0x7f)
		return 1;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]) && hidden[i].first <= code; i++)
		if (code <= hidden[i].last)
			return -1;
	int width = wcwidth((wchar_t)code);
	return width > 2 ? 2 : width;
}

int utf8_text_width(const char *text, size_t len)
{
	int cols = 0;
	for (size_t at = 0; at < len;) {
		uint32_t code;
		size_t n = utf8_decode(text + at, len - at, &code);
		int width = n ? utf8_width(code) : 1;
		cols += width < 0 ? 1 : width;
		at += n ? n : 1;
	}
	return cols;
}

size_t utf8_fit(const char *text, size_t len, int max_cols)
{
	int cols = 0;
	size_t at = 0;
	while (at < len) {
		uint32_t code;
		size_t n = utf8_decode(text + at, len - at, &code);
		int width = n ? utf8_width(code) : 1;
		if (width < 0)
			width = 1;
		if (cols + width > max_cols)
			break;
		cols += width;
		at += n ? n : 1;
	}
	return at;
}
