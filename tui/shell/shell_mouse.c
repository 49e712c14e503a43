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

static void menu_mouse(struct desk *desk, const struct input_event *event)
{
	int id;

	if (is_wheel(event))
		menu_move(&desk->menus.menu, wheel_move(event));
	if (event->mouse.action != MOUSE_PRESS)
		return;
	id = menu_click(&desk->menus.menu, event->mouse.row, event->mouse.col);
	if (id == -2)
		menus_close(&desk->menus);
	else if (id >= 0)
		desk_accept_menu(desk, id);
}

static void entry_mouse(struct desk *desk, const struct input_event *event)
{
	struct prompt *prompt = &desk->entry.prompt;

	if (is_wheel(event) && prompt_is_choosing(prompt))
		prompt_edit(prompt,
			    wheel_move(event) == MOVE_UP ? PROMPT_COMPLETE_BACK : PROMPT_COMPLETE);
	else if (is_press(event))
		prompt_click(prompt, event->mouse.row - desk->entry_rect.row, event->mouse.col);
}

static void page_mouse(struct desk *desk, const struct input_event *event)
{
	int top = desk->shown->area.row;

	/* Its title says how it is closed. */
	if (is_press(event) && event->mouse.row == top)
		desk->page.open = false;
	for (int i = 0; is_wheel(event) && i < PAGE_WHEEL_ROWS; i++)
		help_move(&desk->page.help, wheel_move(event));
}

static void bar_pressed(struct desk *desk, int col)
{
	int view = view_tabs_at(&desk->tabs, col);
	int action = fbar_at(desk->bar_cols, desk->bar.items, desk->bar.count, col);

	if (view >= 0) {
		desk->page.open = false;
		action = (int)desk->views[view].def->action;
	}
	if (action >= 0)
		desk_act(desk, (enum action)action);
}

/* False: there is nothing to press. */
static bool header_pressed(struct desk *desk, int row, int col)
{
	size_t step;

	switch (header_at(&desk->header, row, col, &step)) {
	case HEADER_STATE:
		desk_act(desk, ACTION_PAUSE);
		return true;
	case HEADER_STEP:
		desk_filter_go_back_to(desk, step);
		return true;
	case HEADER_FILTER:
		desk_act(desk, ACTION_FILTER);
		return true;
	case HEADER_NOTHING:
		break;
	}
	return false;
}

void desk_mouse(struct desk *desk, const struct input_event *event)
{
	int row = event->mouse.row, col = event->mouse.col;

	if (event->mouse.action == MOUSE_PRESS &&
	    rect_contains(desk->session.toast.box, row, col)) {
		toast_dismiss(&desk->session.toast);
		return;
	}
	if (desk->menus.kind != MENU_NONE)
		menu_mouse(desk, event);
	else if (desk->entry.open && rect_contains(desk->entry_rect, row, col))
		entry_mouse(desk, event);
	else if (desk_time_mouse(desk, event))
		return;
	else if (is_press(event) && row == desk->bar_row)
		bar_pressed(desk, col);
	else if (is_press(event) && !desk->entry.open && header_pressed(desk, row, col))
		return;
	else if (desk->page.open)
		page_mouse(desk, event);
	else if (view_mouse(desk->shown, &desk->session, event))
		desk_act(desk, ACTION_DRILL_IN);
}
