#include "tui/shell/shell_cursor.h"

/* Find the first cell of a role in a part of the canvas; false: none. */
static bool find_role(const struct canvas *canvas, struct rect rect, enum role role, int *row,
		      int *col)
{
	for (int r = rect.row; r < rect.row + rect.rows; r++)
		for (int c = rect.col; c < rect.col + rect.cols; c++) {
			const struct cell *cell = canvas_cell(canvas, r, c);

			if (cell && cell->role == role) {
				*row = r;
				*col = c;
				return true;
			}
		}
	return false;
}

/* Return the rows of the list without its filter line: its cursor has ROLE_SELECTED too. */
static struct rect list_of(const struct menu *menu)
{
	struct rect rect = menu->box;
	int above = menu->show_filter ? 2 : 1;

	rect.row += above;
	rect.rows -= above;
	return rect;
}

void shell_place_cursor(const struct shell *shell, const struct canvas *canvas, int *row, int *col)
{
	const struct rect toast = shell->session.toast.box;
	const struct rect area = shell->shown->area;

	if (shell->menus.kind != MENU_NONE) {
		if (!find_role(canvas, list_of(&shell->menus.menu), ROLE_SELECTED, row, col)) {
			*row = shell->menus.menu.box.row;
			*col = shell->menus.menu.box.col;
		}
		return;
	}
	if (*row >= 0)
		return;
	if (!rect_is_empty(toast)) {
		*row = toast.row + (toast.rows > 2);
		*col = toast.col + (toast.rows > 2 ? 2 : 0);
	} else if (shell->page.open || (!find_role(canvas, area, ROLE_SELECTED, row, col) &&
					!find_role(canvas, area, ROLE_FOCUS, row, col))) {
		*row = area.row;
		*col = area.col;
	}
}
