/* move - cursor movements in a list, shared by tables, trees, menus and pages. */
#ifndef WIDGETS_MOVE_H
#define WIDGETS_MOVE_H

enum move {
	MOVE_UP,
	MOVE_DOWN,
	MOVE_PAGE_UP,
	MOVE_PAGE_DOWN,
	MOVE_HALF_UP,
	MOVE_HALF_DOWN,
	MOVE_HOME,
	MOVE_END,
	MOVE_LEFT, /* scroll sideways by several columns */
	MOVE_RIGHT,
	MOVE_LINE_START, /* scroll sideways to the start of the lines */
	MOVE_LINE_END,
};

#endif
