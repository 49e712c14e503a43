#include "tui/dialogs/column_choice.h"

#include "tui/session/key_name.h"

#include "widgets/table_layout.h"

#define STEP_COLS 2
#define WHAT_COLS 14

static void say_item(const struct table *table, size_t index, struct str *text, struct str *note)
{
	const struct table_column *column = &table->columns[index];
	int cols = table_column_cols(table, index);

	str_addf(text, "%-*s %s", WHAT_COLS, column->title, column->help ? column->help : "");
	if (column->hidden)
		str_add(note, "empty now");
	else if (cols)
		str_addf(note, "%d wide", cols);
}

static void fill(struct menus *menus, const struct bindings *bindings, int selected)
{
	struct table *table = menus->table;
	size_t order[TABLE_COLUMNS_MAX], count = table_columns_order(table, order);
	struct str footer = STR_INIT;

	menu_refill(&menus->menu);
	for (size_t i = 0; i < count; i++) {
		const struct table_column *column = &table->columns[order[i]];
		struct str text = STR_INIT, note = STR_INIT;

		if (!column->name)
			continue;
		say_item(table, order[i], &text, &note);
		menu_add(&menus->menu, column->id, text.data, note.data,
			 table_column_is_on(table, order[i]));
		str_release(&text);
		str_release(&note);
	}
	menu_select(&menus->menu, selected);
	menus_add_key(bindings, CONTEXT_COLUMNS, ACTION_SWITCH_COLUMN, "shows/hides", &footer);
	menus_add_key(bindings, CONTEXT_COLUMNS, ACTION_COLUMN_LEFT, "left", &footer);
	menus_add_key(bindings, CONTEXT_COLUMNS, ACTION_COLUMN_RIGHT, "right", &footer);
	menus_add_key(bindings, CONTEXT_COLUMNS, ACTION_COLUMN_WIDER, "wider", &footer);
	menus_add_key(bindings, CONTEXT_COLUMNS, ACTION_COLUMN_NARROWER, "narrower", &footer);
	menus_add_key(bindings, CONTEXT_COLUMNS, ACTION_RESET_COLUMNS, "default", &footer);
	menu_set_footer(&menus->menu, footer.data);
	str_release(&footer);
}

void column_choice_open(struct menus *menus, struct session *session, struct pane *pane,
			const struct bindings *bindings)
{
	struct table *table = pane->ops->table ? pane->ops->table(pane->self) : NULL;
	char key[KEY_NAME_TEXT_BYTES];

	if (!table || !table->name) {
		session_say(session, ROLE_WARN,
			    "This pane has no columns to choose; %s goes to the next pane",
			    key_name(key, session, ACTION_NEXT_PANE));
		return;
	}
	menus_close(menus);
	menus->kind = MENU_COLUMNS;
	menus->table = table;
	menus->bindings = bindings;
	menu_open(&menus->menu, "Columns, from left to right", true);
	fill(menus, bindings, table->sort_column >= 0 ? table->sort_column : table->columns[0].id);
}

static size_t index_of(const struct table *table, int id)
{
	size_t i = 0;

	while (i < table->column_count - 1 && table->columns[i].id != id)
		i++;
	return i;
}

void column_choice_switch(struct menus *menus, struct session *session, int id)
{
	struct table *table = menus->table;
	size_t shown[TABLE_COLUMNS_MAX];
	bool on = table_column_is_on(table, index_of(table, id));

	table_column_switch(table, id, !on);
	if (!table_columns_shown(table, shown)) {
		table_column_switch(table, id, true);
		session_say(session, ROLE_WARN, "The last column cannot be hidden");
	}
	fill(menus, menus->bindings, id);
}

/* Add `step` to the drawn width, which exceeds the set width if the table has spare room. */
static void resize(struct table *table, int id, int step)
{
	struct table_layout layout;
	int cols;

	table_layout_columns(table, table->view_cols, &layout);
	for (size_t i = 0; i < layout.count; i++) {
		if (table->columns[layout.spots[i].column].id != id)
			continue;
		cols = layout.spots[i].cols + step;
		table_column_resize(table, id, cols < 1 ? 1 : cols);
	}
}

bool column_choice_act(struct menus *menus, struct session *session, enum action action)
{
	int id = menu_selected(&menus->menu);

	if (menus->kind != MENU_COLUMNS || id < 0)
		return false;
	switch (action) {
	case ACTION_SWITCH_COLUMN:
		column_choice_switch(menus, session, id);
		return true;
	case ACTION_COLUMN_LEFT:
	case ACTION_COLUMN_RIGHT:
		table_column_move(menus->table, id, action == ACTION_COLUMN_RIGHT ? 1 : -1);
		break;
	case ACTION_COLUMN_WIDER:
	case ACTION_COLUMN_NARROWER:
		resize(menus->table, id, action == ACTION_COLUMN_WIDER ? STEP_COLS : -STEP_COLS);
		break;
	case ACTION_RESET_COLUMNS:
		table_columns_reset(menus->table);
		break;
	default:
		return false;
	}
	fill(menus, menus->bindings, id);
	return true;
}
