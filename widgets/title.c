#include "widgets/title.h"

#include "engine/base/utf8.h"

#include <string.h>

void title_draw(struct canvas *canvas, int row, const char *title, const char *right, bool focused)
{
	enum role line = focused ? ROLE_FOCUS : ROLE_BORDER;
	int title_cols = utf8_text_width(title, strlen(title));
	int right_cols = right ? utf8_text_width(right, strlen(right)) : 0;

	canvas_hline(canvas, row, 0, canvas->cols, line);
	/*
	 * Cut a long title to make room for the right text, but leave the title at least half of
	 * the line.
	 */
	if (right_cols && title_cols + 2 + 1 + right_cols + 2 > canvas->cols &&
	    canvas->cols - right_cols - 5 >= canvas->cols / 2)
		title_cols = canvas->cols - right_cols - 5;
	if (title_cols > canvas->cols - 2)
		title_cols = canvas->cols - 2;
	if (title_cols > 0) {
		canvas_fill(canvas, (struct rect){ row, 0, 1, title_cols + 2 }, ' ', line);
		canvas_field(canvas, row, 1, title_cols, ALIGN_LEFT,
			     focused ? ROLE_FOCUS : ROLE_TITLE, title, strlen(title));
	}
	/* At least a blank, a line and a blank separate the two texts. */
	if (!right_cols || title_cols + 2 + 1 + right_cols + 2 > canvas->cols)
		return;
	canvas_fill(canvas, (struct rect){ row, canvas->cols - right_cols - 2, 1, right_cols + 2 },
		    ' ', line);
	canvas_text(canvas, row, canvas->cols - right_cols - 1, ROLE_TITLE, right);
}
