/*
 * menu - a list to choose from in a box above the panes: sorting, views, the palette.
 * Typing narrows the list when the menu is filtered by the caller with menu_set_filter (the
 * letters in order, ignoring case; whole runs first). Texts are copied. UI thread only.
 */
#ifndef WIDGETS_MENU_H
#define WIDGETS_MENU_H

#include "widgets/canvas/canvas.h"
#include "widgets/move.h"

struct menu_item {
	char *text;
	char *note; /* at the right, dim: keys and such; never NULL */
	char *aliases; /* other names, between blanks; never NULL */
	int id;
	bool marked; /* the choice in force */
	int score;
};

struct menu {
	struct str title;
	struct menu_item *items;
	size_t count, capacity;
	struct menu_item **shown; /* those that match, best first */
	size_t shown_count, shown_capacity;
	struct str footer; /* in the lower border; empty: none */
	struct str filter;
	bool show_filter; /* the filter has a line of its own with a cursor */
	size_t selected; /* into shown */
	size_t top;
	struct rect box; /* where it was drawn last, outline included */
};

void menu_init(struct menu *menu);
void menu_release(struct menu *menu);
void menu_open(struct menu *menu, const char *title, bool show_filter); /* empties it */
/* Without its items, which are added anew: what is typed stays. */
void menu_refill(struct menu *menu);
void menu_set_footer(struct menu *menu, const char *footer);
void menu_add(struct menu *menu, int id, const char *text, const char *note, bool marked);
/* Of the item added last: it is found by these words too, whole, and goes first then. */
void menu_add_aliases(struct menu *menu, const char *aliases);
void menu_select(struct menu *menu, int id);
/* What is typed narrows the list from now on. */
void menu_let_type(struct menu *menu);

void menu_set_filter(struct menu *menu, const char *filter);
void menu_type(struct menu *menu, uint32_t code); /* one more character of the filter */
void menu_paste(struct menu *menu, const char *text, size_t len); /* what of it is text */
bool menu_erase(struct menu *menu); /* one less; false: it is empty */

void menu_move(struct menu *menu, enum move move);
int menu_selected(const struct menu *menu); /* its id, -1: the list is empty */

/* Centred on the canvas, as large as it needs; fills its own background. */
void menu_draw(struct menu *menu, struct canvas *canvas);
/* The id at a position of that canvas, which becomes selected; -1: none, -2: outside the box. */
int menu_click(struct menu *menu, int row, int col);

#endif
