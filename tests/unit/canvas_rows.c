#include "tests/unit/canvas_rows.h"

#include <check.h>
#include <string.h>

void canvas_rows_check(const struct canvas *canvas, const char *expected, const char *file,
		       int line)
{
	struct str text = STR_INIT;

	for (int row = 0; row < canvas->rows; row++) {
		canvas_row_text(canvas, row, &text);
		str_addc(&text, '\n');
	}
	if (strcmp(text.data, expected))
		ck_abort_msg("%s:%d: expected:\n%s----\nshown:\n%s----", file, line, expected,
			     text.data);
	str_release(&text);
}

void canvas_rows_check_roles(const struct canvas *canvas, int row, const char *expected,
			     const char *file, int line)
{
	struct str text = STR_INIT;

	for (int col = 0; col < canvas->cols; col++)
		str_addc(&text, role_name(canvas_cell(canvas, row, col)->role)[0]);
	if (strcmp(text.data, expected))
		ck_abort_msg("%s:%d: roles expected:\n%s\nshown:\n%s", file, line, expected,
			     text.data);
	str_release(&text);
}
