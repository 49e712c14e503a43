#include "tui/session/path_fit.h"

#include "engine/base/utf8.h"

#include <string.h>

static int width(const char *text)
{
	return utf8_text_width(text, strlen(text));
}

/* Return the longest end of the name that fits into `cols`. */
static const char *end_of(const char *name, int cols)
{
	uint32_t code;

	while (*name && width(name) > cols) {
		size_t len = utf8_decode(name, strlen(name), &code);

		name += len ? len : 1;
	}
	return name;
}

void path_fit(struct str *out, const char *path, int cols)
{
	const char *tail = path;

	if (width(path) <= cols) {
		str_add(out, path);
		return;
	}
	while (*tail && width(tail) > cols - 1) {
		const char *slash = strchr(tail + 1, '/');

		if (!slash) {
			tail = end_of(tail, cols - 1);
			break;
		}
		tail = slash;
	}
	str_add(out, "…");
	str_add(out, tail);
}
