#include "tui/shell/table_settings.h"

#include "engine/base/escape.h"
#include "tui/config/settings.h"

#include <errno.h>
#include <string.h>

#define VIEW_PREFIX "view-"
#define NAME_BYTES 80
#define UP "up"
#define DOWN "down"

/* NULL: the pane has no table with settings. */
static struct table *table_of(const struct pane *pane)
{
	struct table *table = pane->ops->table ? pane->ops->table(pane->self) : NULL;

	return table && table->name ? table : NULL;
}

static void add_name(const char *family, const struct view *view, const struct table *table,
		     struct str *out)
{
	const char *action = action_name(view->def->action);

	str_clear(out);
	str_addf(out, "%s%s.%s", family, action + strlen(VIEW_PREFIX), table->name);
}

static const struct table_column *find_column(const struct table *table, const char *name,
					      size_t len)
{
	for (size_t i = 0; i < table->column_count; i++) {
		const char *known = table->columns[i].name;

		if (known && strlen(known) == len && !memcmp(known, name, len))
			return &table->columns[i];
	}
	return NULL;
}

static void add_order(const struct pane *pane, const struct table *table, struct str *out)
{
	for (size_t i = 0; pane->ops->sort_by && i < table->column_count; i++)
		if (table->columns[i].id == table->sort_column && table->columns[i].name)
			str_addf(out, "%s %s", table->columns[i].name,
				 table->sort_descending ? DOWN : UP);
}

static void report(const char *family, const struct view *view, const struct table *table,
		   const struct str *text, table_settings_fn *each, void *ctx)
{
	struct str name = STR_INIT;

	if (!text->len)
		return;
	add_name(family, view, table, &name);
	each(ctx, name.data, text->data);
	str_release(&name);
}

void table_settings_each(const struct shell *shell, table_settings_fn *each, void *ctx)
{
	struct str text = STR_INIT;

	for (int i = 0; i < SHELL_VIEW_COUNT; i++) {
		const struct view *view = &shell->views[i];

		for (int j = 0; j < view->pane_count; j++) {
			const struct table *table = table_of(&view->panes[j]);

			if (!table)
				continue;
			str_clear(&text);
			table_columns_format(table, &text);
			report(SETTING_COLUMNS, view, table, &text, each, ctx);
			str_clear(&text);
			add_order(&view->panes[j], table, &text);
			report(SETTING_SORT, view, table, &text, each, ctx);
		}
	}
	str_release(&text);
}

static const struct pane *find_pane(struct shell *shell, const char *family, const char *wanted)
{
	const struct pane *found = NULL;
	struct str name = STR_INIT;

	for (int i = 0; i < SHELL_VIEW_COUNT; i++) {
		struct view *view = &shell->views[i];

		for (int j = 0; j < view->pane_count; j++) {
			struct table *table = table_of(&view->panes[j]);

			if (!table)
				continue;
			add_name(family, view, table, &name);
			if (!strcmp(name.data, wanted))
				found = &view->panes[j];
		}
	}
	str_release(&name);
	return found;
}

static int set_order(const struct pane *pane, const char *text, struct err *err)
{
	struct table *table = table_of(pane);
	const char *blank = strchr(text, ' ');
	const struct table_column *column;
	bool down = blank && !strcmp(blank + 1, DOWN);

	if (!pane->ops->sort_by)
		return err_set(err, -EINVAL, "this table has a fixed order");
	if (!blank || (!down && strcmp(blank + 1, UP) != 0))
		return err_set(err, -EINVAL, "expected a column and up or down");
	column = find_column(table, text, (size_t)(blank - text));
	if (!column)
		return err_set(err, -EINVAL, "no such column to sort by");
	table->sort_column = column->id;
	table->sort_descending = down;
	return 0;
}

int table_settings_set(struct shell *shell, const char *name, const char *text, struct err *err)
{
	const struct pane *pane = find_pane(shell, SETTING_COLUMNS, name);
	char shown[NAME_BYTES];

	if (pane)
		return table_columns_parse(table_of(pane), text, err);
	pane = find_pane(shell, SETTING_SORT, name);
	if (pane)
		return set_order(pane, text, err);
	return err_set(err, -ENOENT,
		       "no table for %s; one is " SETTING_COLUMNS "overview.processes",
		       escape_name(shown, sizeof(shown), name));
}
