#include "tui/shell/shell_mouse.h"

#include "tui/shell/shell_actions.h"
#include "tui/shell/shell_filter.h"
#include "tui/shell/shell_time.h"

#define PAGE_WHEEL_ROWS 3

static bool is_wheel(const struct input_event *event)
{
	return event->mouse.action == MOUSE_WHEEL_UP || event->mouse.action == MOUSE_WHEEL_DOWN;
}

static enum move wheel_move(const struct input_event *event)
{
	return event->mouse.action == MOUSE_WHEEL_UP ? MOVE_UP : MOVE_DOWN;
}

static bool is_press(const struct input_event *event)
{
	return event->mouse.action == MOUSE_PRESS && event->mouse.button == 1;
}

static void menu_mouse(struct shell *shell, const struct input_event *event)
{
	int id;

	if (is_wheel(event))
		menu_move(&shell->menus.menu, wheel_move(event));
	if (event->mouse.action != MOUSE_PRESS)
		return;
	id = menu_click(&shell->menus.menu, event->mouse.row, event->mouse.col);
	if (id == -2)
		menus_close(&shell->menus);
	else if (id >= 0)
		shell_accept_menu(shell, id);
}

static void entry_mouse(struct shell *shell, const struct input_event *event)
{
	struct prompt *prompt = &shell->entry.prompt;

	if (is_wheel(event) && prompt_is_choosing(prompt))
		prompt_edit(prompt,
			    wheel_move(event) == MOVE_UP ? PROMPT_COMPLETE_BACK : PROMPT_COMPLETE);
	else if (is_press(event))
		prompt_click(prompt, event->mouse.row - shell->entry_rect.row, event->mouse.col);
}

static void page_mouse(struct shell *shell, const struct input_event *event)
{
	int top = shell->shown->area.row;

	/* A click on the title closes the page, as its text says. */
	if (is_press(event) && event->mouse.row == top)
		shell->page.open = false;
	for (int i = 0; is_wheel(event) && i < PAGE_WHEEL_ROWS; i++)
		help_move(&shell->page.help, wheel_move(event));
}

static void bar_pressed(struct shell *shell, int col)
{
	int view = view_tabs_at(&shell->tabs, col);
	int action = fbar_at(shell->bar_cols, shell->bar.items, shell->bar.count, col);

	if (view >= 0) {
		shell->page.open = false;
		action = (int)shell->views[view].def->action;
	}
	if (action >= 0)
		shell_act(shell, (enum action)action);
}

/* False: nothing to click at this place. */
static bool header_pressed(struct shell *shell, int row, int col)
{
	size_t step;

	switch (header_at(&shell->header, row, col, &step)) {
	case HEADER_STATE:
		shell_act(shell, ACTION_PAUSE);
		return true;
	case HEADER_STEP:
		shell_filter_go_back_to(shell, step);
		return true;
	case HEADER_FILTER:
		shell_act(shell, ACTION_FILTER);
		return true;
	case HEADER_NOTHING:
		break;
	}
	return false;
}

void shell_mouse(struct shell *shell, const struct input_event *event)
{
	int row = event->mouse.row, col = event->mouse.col;

	if (event->mouse.action == MOUSE_PRESS &&
	    rect_contains(shell->session.toast.box, row, col)) {
		toast_dismiss(&shell->session.toast);
		return;
	}
	if (shell->menus.kind != MENU_NONE)
		menu_mouse(shell, event);
	else if (shell->entry.open && rect_contains(shell->entry_rect, row, col))
		entry_mouse(shell, event);
	else if (shell_time_mouse(shell, event))
		return;
	else if (is_press(event) && row == shell->bar_row)
		bar_pressed(shell, col);
	else if (is_press(event) && !shell->entry.open && header_pressed(shell, row, col))
		return;
	else if (shell->page.open)
		page_mouse(shell, event);
	else if (view_mouse(shell->shown, &shell->session, event))
		shell_act(shell, ACTION_DRILL_IN);
}
