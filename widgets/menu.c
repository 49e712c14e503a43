#include "widgets/menu.h"

#include "engine/base/mem.h"
#include "engine/base/utf8.h"
#include "engine/base/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FILTER_BYTES 100
#define MARK "* "
#define MARK_COLS 2
#define NOTE_GAP 2

void menu_init(struct menu *menu)
{
	*menu = (struct menu){ .title = STR_INIT, .footer = STR_INIT, .filter = STR_INIT };
}

static void drop_items(struct menu *menu)
{
	for (size_t i = 0; i < menu->count; i++) {
		free(menu->items[i].text);
		free(menu->items[i].note);
		free(menu->items[i].aliases);
	}
	menu->count = menu->shown_count = menu->selected = menu->top = 0;
}

void menu_release(struct menu *menu)
{
	drop_items(menu);
	free(menu->items);
	free(menu->shown);
	str_release(&menu->title);
	str_release(&menu->footer);
	str_release(&menu->filter);
	menu_init(menu);
}

void menu_open(struct menu *menu, const char *title, bool show_filter)
{
	drop_items(menu);
	str_clear(&menu->title);
	str_add(&menu->title, title);
	str_clear(&menu->footer);
	str_clear(&menu->filter);
	menu->show_filter = show_filter;
	menu->box = (struct rect){ 0, 0, 0, 0 };
}

void menu_refill(struct menu *menu)
{
	drop_items(menu);
}

void menu_set_footer(struct menu *menu, const char *footer)
{
	str_clear(&menu->footer);
	str_add(&menu->footer, footer);
}

/* ---- filtering ---- */

/* Return a score above all partial matches if filter equals the name or an alias, else 0. */
static int whole_score(const struct menu_item *item, const char *filter)
{
	size_t len = strlen(filter);

	if (!len)
		return 0;
	if (!strncasecmp(item->text, filter, len) && (!item->text[len] || item->text[len] == ' '))
		return 4000;
	return words_has(item->aliases, filter) ? 3000 : 0;
}

/* Return the score of filter in text: 0 if no match, highest if contiguous at a word start. */
static int score(const char *text, const char *filter)
{
	const char *run = strcasestr(text, filter);
	int gaps = 0;

	if (run) {
		bool word_start = run == text || !isalnum((unsigned char)run[-1]);

		return (word_start ? 2000 : 1000) - (run - text > 500 ? 500 : (int)(run - text));
	}
	for (; *filter; filter++) {
		const char *at = text;

		while (*at && tolower((unsigned char)*at) != tolower((unsigned char)*filter))
			at++;
		if (!*at)
			return 0;
		gaps += at - text > 10 ? 10 : (int)(at - text);
		text = at + 1;
	}
	return gaps < 499 ? 500 - gaps : 1;
}

static int compare_items(const void *a, const void *b)
{
	const struct menu_item *x = *(struct menu_item *const *)a;
	const struct menu_item *y = *(struct menu_item *const *)b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x < y ? -1 : x > y; /* order of menu_add() */
}

static void refilter(struct menu *menu)
{
	menu->shown = mem_grow(menu->shown, &menu->shown_capacity, menu->count + 1,
			       sizeof(struct menu_item *));
	menu->shown_count = 0;
	for (size_t i = 0; i < menu->count; i++) {
		menu->items[i].score = whole_score(&menu->items[i], menu->filter.data);
		if (!menu->items[i].score)
			menu->items[i].score = score(menu->items[i].text, menu->filter.data);
		if (menu->items[i].score)
			menu->shown[menu->shown_count++] = &menu->items[i];
	}
	if (menu->filter.len)
		qsort(menu->shown, menu->shown_count, sizeof(struct menu_item *), compare_items);
	menu->selected = menu->top = 0;
}

void menu_add(struct menu *menu, int id, const char *text, const char *note, bool marked)
{
	size_t selected = menu->selected;

	menu->items = mem_grow(menu->items, &menu->capacity, menu->count + 1, sizeof(*menu->items));
	menu->items[menu->count++] = (struct menu_item){
		.text = mem_strdup(text),
		.note = mem_strdup(note ? note : ""),
		.aliases = mem_strdup(""),
		.id = id,
		.marked = marked,
	};
	refilter(menu); /* growing can have moved the items that .shown points to */
	menu->selected = selected < menu->shown_count ? selected : 0;
}

void menu_add_aliases(struct menu *menu, const char *aliases)
{
	struct menu_item *item = &menu->items[menu->count - 1];

	free(item->aliases);
	item->aliases = mem_strdup(aliases);
}

void menu_let_type(struct menu *menu)
{
	menu->show_filter = true;
}

void menu_select(struct menu *menu, int id)
{
	for (size_t i = 0; i < menu->shown_count; i++)
		if (menu->shown[i]->id == id)
			menu->selected = i;
}

void menu_set_filter(struct menu *menu, const char *filter)
{
	str_clear(&menu->filter);
	str_add(&menu->filter, filter);
	refilter(menu);
}

void menu_type(struct menu *menu, uint32_t code)
{
	char bytes[4];
	size_t len = utf8_encode(code, bytes);

	if (menu->filter.len > FILTER_BYTES || utf8_width(code) < 0)
		return;
	str_addn(&menu->filter, bytes, len);
	refilter(menu);
}

void menu_paste(struct menu *menu, const char *text, size_t len)
{
	for (size_t at = 0; at < len && menu->filter.len <= FILTER_BYTES;) {
		uint32_t code;
		size_t n = utf8_decode(text + at, len - at, &code);

		if (n)
			menu_type(menu, code);
		at += n ? n : 1;
	}
}

bool menu_erase(struct menu *menu)
{
	size_t len = menu->filter.len;

	if (!len)
		return false;
	do
		len--;
	while (len && ((unsigned char)menu->filter.data[len] & 0xc0) == 0x80);
	str_cut(&menu->filter, len);
	refilter(menu);
	return true;
}

/* ---- selection ---- */

static int list_rows(const struct menu *menu)
{
	int rows = menu->box.rows - 2 - (menu->show_filter ? 1 : 0);

	return rows > 1 ? rows : 1;
}

void menu_move(struct menu *menu, enum move move)
{
	long count = (long)menu->shown_count, at = (long)menu->selected;
	long page = list_rows(menu);

	if (!count)
		return;
	switch (move) {
	case MOVE_UP:
		at = (at + count - 1) % count; /* short lists wrap around */
		break;
	case MOVE_DOWN:
		at = (at + 1) % count;
		break;
	case MOVE_PAGE_UP:
	case MOVE_HALF_UP:
		at -= page;
		break;
	case MOVE_PAGE_DOWN:
	case MOVE_HALF_DOWN:
		at += page;
		break;
	case MOVE_HOME:
		at = 0;
		break;
	case MOVE_END:
		at = count - 1;
		break;
	case MOVE_LEFT:
	case MOVE_RIGHT:
	case MOVE_LINE_START:
	case MOVE_LINE_END:
		break;
	}
	menu->selected = at < 0 ? 0 : (size_t)(at < count ? at : count - 1);
}

int menu_selected(const struct menu *menu)
{
	return menu->selected < menu->shown_count ? menu->shown[menu->selected]->id : -1;
}

/* ---- drawing ---- */

static int width_of(const char *text)
{
	return utf8_text_width(text, strlen(text));
}

/* Size the box by all items, not only the matching ones, so that typing does not move it. */
static struct rect place_box(const struct menu *menu, const struct canvas *canvas)
{
	int text = 0, note = 0, title = width_of(menu->title.data) + 2, cols, rows;
	int footer = width_of(menu->footer.data) + 2;

	for (size_t i = 0; i < menu->count; i++) {
		int text_cols = width_of(menu->items[i].text);
		int note_cols = width_of(menu->items[i].note);

		text = text_cols > text ? text_cols : text;
		note = note_cols > note ? note_cols : note;
	}
	cols = MARK_COLS + text + (note ? NOTE_GAP + note : 0) + 1;
	cols = cols > title ? cols : title;
	cols = (cols > footer ? cols : footer) + 2;
	if (menu->show_filter && cols < 30)
		cols = 30;
	rows = (menu->count < 1000 ? (int)menu->count : 1000) + 2 + (menu->show_filter ? 1 : 0);
	if (cols > canvas->cols)
		cols = canvas->cols;
	if (rows > canvas->rows)
		rows = canvas->rows;
	return (struct rect){ (canvas->rows - rows) / 2, (canvas->cols - cols) / 2, rows, cols };
}

static void draw_item(const struct menu *menu, struct canvas *line, size_t index)
{
	const struct menu_item *item = menu->shown[index];
	int note = width_of(item->note);

	if (item->marked)
		canvas_text(line, 0, 0, ROLE_POPUP, MARK);
	canvas_field(line, 0, MARK_COLS, line->cols - MARK_COLS, ALIGN_LEFT, ROLE_POPUP, item->text,
		     strlen(item->text));
	if (note && MARK_COLS + width_of(item->text) + NOTE_GAP + note + 1 <= line->cols)
		canvas_text(line, 0, line->cols - note - 1, ROLE_POPUP, item->note);
	if (index == menu->selected)
		canvas_paint(line, canvas_rect(line), ROLE_SELECTED);
}

void menu_draw(struct menu *menu, struct canvas *canvas)
{
	struct canvas inside;
	int rows, first = menu->show_filter ? 1 : 0;

	menu->box = place_box(menu, canvas);
	rows = list_rows(menu);
	if (menu->selected < menu->top)
		menu->top = menu->selected;
	if (menu->selected >= menu->top + (size_t)rows)
		menu->top = menu->selected - (size_t)rows + 1;
	canvas_fill(canvas, menu->box, ' ', ROLE_POPUP);
	canvas_box(canvas, menu->box, ROLE_POPUP);
	inside = canvas_sub(canvas, menu->box);
	if (menu->title.len && inside.cols > 4)
		canvas_field(&inside, 0, 1, inside.cols - 2, ALIGN_CENTER, ROLE_POPUP,
			     menu->title.data, menu->title.len);
	if (menu->footer.len && inside.cols > 4)
		canvas_field(&inside, inside.rows - 1, 1, inside.cols - 2, ALIGN_CENTER, ROLE_POPUP,
			     menu->footer.data, menu->footer.len);
	inside = canvas_sub(canvas, (struct rect){ menu->box.row + 1, menu->box.col + 1,
						   menu->box.rows - 2, menu->box.cols - 2 });
	if (menu->show_filter) {
		int used = canvas_text(&inside, 0, 0, ROLE_POPUP, "> ");

		used += canvas_text(&inside, 0, used, ROLE_POPUP, menu->filter.data);
		canvas_fill(&inside, (struct rect){ 0, used, 1, 1 }, ' ', ROLE_SELECTED);
	}
	for (int i = 0; i < rows && menu->top + (size_t)i < menu->shown_count; i++) {
		struct canvas line = canvas_sub(&inside,
						(struct rect){ first + i, 0, 1, inside.cols });

		draw_item(menu, &line, menu->top + (size_t)i);
	}
}

int menu_click(struct menu *menu, int row, int col)
{
	int first = menu->box.row + 1 + (menu->show_filter ? 1 : 0);
	size_t index;

	if (!rect_contains(menu->box, row, col))
		return -2;
	if (row < first || row >= menu->box.row + menu->box.rows - 1)
		return -1;
	index = menu->top + (size_t)(row - first);
	if (index >= menu->shown_count)
		return -1;
	menu->selected = index;
	return menu->shown[index]->id;
}
