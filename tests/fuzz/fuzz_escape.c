/*
 * fuzz_escape - any bytes, escaped: the output is printable and not shorter than the input.
 * The first byte selects the style and the size of the buffer for a name.
 */
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/utf8.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text consists of complete, printable characters. */
static void check_harmless(const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		uint32_t code;
		size_t n = utf8_decode(text + at, len - at, &code);

		if (!n || utf8_width(code) < 0)
			abort();
		at += n;
	}
}

/* The text has no unescaped quote, which would end a JSON string. */
static void check_json(const char *text, size_t len)
{
	for (size_t at = 0; at < len; at++) {
		if (text[at] == '"')
			abort();
		if (text[at] != '\\')
			continue;
		at++;
		if (at == len || (text[at] != '\\' && text[at] != '"'))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str s = STR_INIT;
	char out[256];
	char *name;
	size_t out_bytes;

	if (!size)
		return 0;
	setlocale(LC_ALL, "C.UTF-8");
	out_bytes = (size_t)data[0] + 1;
	name = mem_strndup((const char *)data + 1, size - 1);
	str_add_escaped(&s, (const char *)data + 1, size - 1,
			data[0] & 1 ? ESCAPE_QUOTED : ESCAPE_PLAIN);
	check_harmless(s.data, s.len);
	if (s.len < size - 1 || s.len > (size - 1) * 4)
		abort();
	str_clear(&s);
	str_add_json(&s, (const char *)data + 1, size - 1);
	check_harmless(s.data, s.len);
	check_json(s.data, s.len);
	escape_name(out, out_bytes, name);
	if (strlen(out) >= out_bytes)
		abort();
	check_harmless(out, strlen(out));
	free(name);
	str_release(&s);
	return 0;
}
