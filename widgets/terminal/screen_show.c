/* screen_show - the frames of screen.h. */
#include "widgets/terminal/screen.h"

#include "widgets/terminal/screen_private.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <curses.h>

static void set_cell(const struct screen *screen, const struct cell *cell, cchar_t *out)
{
	const struct screen_look *look = &screen->looks[cell->role];
	wchar_t text[CELL_TEXT_BYTES];
	attr_t attrs = look->attrs;

	if (!cell->text[1]) {
		text[0] = (unsigned char)cell->text[0];
		text[1] = 0;
	} else if (mbstowcs(text, cell->text, CELL_TEXT_BYTES) == (size_t)-1) {
		wcscpy(text, L"?");
	}
	/* curses accepts one character with a width, followed only by combining characters. */
	if (setcchar(out, text, attrs, look->pair, NULL) == ERR) {
		text[1] = 0;
		setcchar(out, text, attrs, look->pair, NULL);
	}
}

/* Write the changed cells of a row to curses; return their number. */
static int show_row(struct screen *screen, int row)
{
	int cols = screen->frame.cols, changed = 0;
	const struct cell *cells = &screen->frame.cells[(size_t)row * (size_t)cols];
	struct cell *shown = &screen->shown[(size_t)row * (size_t)cols];
	cchar_t *run = screen->run;

	for (int col = 0; col < cols; col++) {
		int start, count = 0;

		if (!memcmp(&cells[col], &shown[col], sizeof(*cells)))
			continue;
		if (!cells[col].width && col > 0)
			col--; /* rewrite a wide character as a whole */
		start = col;
		do {
			if (cells[col].width)
				set_cell(screen, &cells[col], &run[count++]);
			shown[col] = cells[col];
			changed++;
			col++;
		} while (col < cols &&
			 (!cells[col].width || memcmp(&cells[col], &shown[col], sizeof(*cells))));
		mvadd_wchnstr(row, start, run, count);
	}
	return changed;
}

int screen_show(struct screen *screen)
{
	int changed = 0;

	if (screen->suspended || screen_is_behind(screen))
		return 0;
	if (screen->redraw) {
		size_t count = (size_t)screen->frame.rows * (size_t)screen->frame.cols;

		memset(screen->shown, 0, count * sizeof(*screen->shown));
		clearok(stdscr, TRUE);
	}
	for (int row = 0; row < screen->frame.rows; row++)
		changed += show_row(screen, row);
	if (!changed && !screen->redraw && !screen->cursor_moved)
		return 0;
	if (screen->cursor_row >= 0)
		move(screen->cursor_row, screen->cursor_col);
	leaveok(stdscr, screen->cursor_row < 0);
	if (screen->cursor_moved || screen->redraw)
		curs_set(screen->cursor_row >= 0);
	refresh();
	screen_take_composed(screen);
	terminal_output_send(&screen->output);
	screen->redraw = screen->cursor_moved = false;
	return changed;
}

void screen_bell(struct screen *screen)
{
	if (screen_is_behind(screen))
		return;
	terminal_output_add(&screen->output, "\a", 1);
	terminal_output_send(&screen->output);
}
