#include "tui/view/pane.h"

bool pane_move(enum action action, enum move *move)
{
	switch (action) {
	case ACTION_MOVE_UP:
		*move = MOVE_UP;
		return true;
	case ACTION_MOVE_DOWN:
		*move = MOVE_DOWN;
		return true;
	case ACTION_PAGE_UP:
		*move = MOVE_PAGE_UP;
		return true;
	case ACTION_PAGE_DOWN:
		*move = MOVE_PAGE_DOWN;
		return true;
	case ACTION_HALF_PAGE_UP:
		*move = MOVE_HALF_UP;
		return true;
	case ACTION_HALF_PAGE_DOWN:
		*move = MOVE_HALF_DOWN;
		return true;
	case ACTION_HOME:
		*move = MOVE_HOME;
		return true;
	case ACTION_END:
		*move = MOVE_END;
		return true;
	case ACTION_LEFT:
		*move = MOVE_LEFT;
		return true;
	case ACTION_RIGHT:
		*move = MOVE_RIGHT;
		return true;
	case ACTION_LINE_START:
		*move = MOVE_LINE_START;
		return true;
	case ACTION_LINE_END:
		*move = MOVE_LINE_END;
		return true;
	default:
		return false;
	}
}
