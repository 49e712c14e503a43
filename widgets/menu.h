/*
 * menu - a selection list in a box above the panes: sort keys, views, the command palette.
 *
 * A filter (menu_type(), menu_set_filter()) narrows the list. An item matches if its text has the
 * letters of the filter in order, ignoring case; contiguous matches rank first. Texts are copied.
 * UI thread only.
 */
#ifndef WIDGETS_MENU_H
#define WIDGETS_MENU_H

#include "widgets/canvas/canvas.h"
#include "widgets/move.h"

struct menu_item {
	char *text;
	char *note; /* right-aligned and dim: keys and similar; never NULL */
	char *aliases; /* other names, separated by blanks; never NULL */
	int id;
	bool marked; /* the current choice */
	int score;
};

struct menu {
	struct str title;
	struct menu_item *items;
	size_t count, capacity;
	struct menu_item **shown; /* matching items, best first */
	size_t shown_count, shown_capacity;
	struct str footer; /* in the bottom border; empty: none */
	struct str filter;
	bool show_filter; /* the filter is shown on its own line, with a cursor */
	size_t selected; /* index into shown */
	size_t top;
	struct rect box; /* at the last draw, border included */
};

void menu_init(struct menu *menu);
void menu_release(struct menu *menu);
void menu_open(struct menu *menu, const char *title, bool show_filter); /* without items */
/* Remove all items so that they can be added again; the filter stays. */
void menu_refill(struct menu *menu);
void menu_set_footer(struct menu *menu, const char *footer);
void menu_add(struct menu *menu, int id, const char *text, const char *note, bool marked);
/*
 * Set aliases of the item added last. A filter that equals an alias finds the item and ranks it
 * above partial matches.
 */
void menu_add_aliases(struct menu *menu, const char *aliases);
void menu_select(struct menu *menu, int id);
/* Show the filter line, so that typing narrows the list. */
void menu_let_type(struct menu *menu);

void menu_set_filter(struct menu *menu, const char *filter);
void menu_type(struct menu *menu, uint32_t code); /* append to the filter */
void menu_paste(struct menu *menu, const char *text, size_t len); /* append the printable text */
bool menu_erase(struct menu *menu); /* remove the last character; false: empty */

void menu_move(struct menu *menu, enum move move);
int menu_selected(const struct menu *menu); /* its id, -1: the list is empty */

/* Draw the box centred on the canvas, sized to its content, with its own background. */
void menu_draw(struct menu *menu, struct canvas *canvas);
/*
 * Select the item at a drawn position and return its id. -1: no item, -2: outside the box.
 */
int menu_click(struct menu *menu, int row, int col);

#endif
