#include "tui/column_settings.h"

#include "engine/base/escape.h"

#include <errno.h>
#include <string.h>

#define VIEW_PREFIX "view-"
#define NAME_BYTES 80

/* NULL: the pane has nothing to choose. */
static struct table *table_of(const struct pane *pane)
{
	struct table *table = pane->ops->table ? pane->ops->table(pane->self) : NULL;

	return table && table->name ? table : NULL;
}

static void add_name(const struct view *view, const struct table *table, struct str *out)
{
	const char *action = action_name(view->def->action);

	str_clear(out);
	str_addf(out, "%s.%s", action + strlen(VIEW_PREFIX), table->name);
}

void column_settings_each(const struct desk *desk, column_settings_fn *each, void *ctx)
{
	struct str name = STR_INIT, text = STR_INIT;

	for (int i = 0; i < DESK_VIEW_COUNT; i++) {
		const struct view *view = &desk->views[i];

		for (int j = 0; j < view->pane_count; j++) {
			const struct table *table = table_of(&view->panes[j]);

			str_clear(&text);
			if (table)
				table_columns_format(table, &text);
			if (!text.len)
				continue;
			add_name(view, table, &name);
			each(ctx, name.data, text.data);
		}
	}
	str_release(&name);
	str_release(&text);
}

static struct table *find_table(struct desk *desk, const char *wanted)
{
	struct table *found = NULL;
	struct str name = STR_INIT;

	for (int i = 0; i < DESK_VIEW_COUNT; i++) {
		struct view *view = &desk->views[i];

		for (int j = 0; j < view->pane_count; j++) {
			struct table *table = table_of(&view->panes[j]);

			if (!table)
				continue;
			add_name(view, table, &name);
			if (!strcmp(name.data, wanted))
				found = table;
		}
	}
	str_release(&name);
	return found;
}

int column_settings_set(struct desk *desk, const char *name, const char *text, struct err *err)
{
	struct table *table = find_table(desk, name);
	char shown[NAME_BYTES];

	if (!table)
		return err_set(err, -ENOENT, "there is no table %s; one is overview.processes",
			       escape_name(shown, sizeof(shown), name));
	return table_columns_parse(table, text, err);
}
