#include "widgets/canvas/wrap.h"

#include "engine/base/utf8.h"

#include <stdint.h>
#include <string.h>

size_t wrap_line(const char *text, int cols, const char **next)
{
	size_t len = strlen(text), fit = utf8_fit(text, len, cols > 1 ? cols : 1), at = fit;
	size_t indent = strspn(text, " ");

	if (fit == len) {
		*next = text + len;
		return len;
	}
	if (!fit) { /* a wide character in one column: take it, so that callers advance */
		uint32_t code;

		fit = at = utf8_decode(text, len, &code) ? utf8_decode(text, len, &code) : 1;
	}
	while (at > indent && text[at] != ' ')
		at--;
	if (at <= indent) /* a single long word */
		at = fit;
	*next = text + at;
	while (**next == ' ')
		(*next)++;
	return at;
}

int wrap_draw(struct canvas *canvas, int row, int col, int cols, enum role role, const char *text)
{
	int rows = 0;

	while (*text) {
		const char *next;
		size_t len = wrap_line(text, cols, &next);

		canvas_textn(canvas, row + rows, col, role, text, len);
		text = next;
		rows++;
	}
	return rows;
}
