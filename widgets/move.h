/* move - the ways a cursor goes through a list; tables, trees, menus and pages share them. */
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
	MOVE_LEFT, /* sideways by some columns */
	MOVE_RIGHT,
	MOVE_LINE_START, /* sideways to the end */
	MOVE_LINE_END,
};

#endif
