#include "tui/shell/shell_settings.h"

#include "tui/panes/calls_pane.h"
#include "tui/shell/shell.h"
#include "tui/shell/shell_keys.h"
#include "tui/shell/table_settings.h"

#include <stdlib.h>
#include <string.h>

#define VIEW_PREFIX "view-"
#define SHARES_MAX (2 * LAYOUT_MAX_NODES)
#define SHARE_MAX 100000

/* ---- shares of panes ---- */

static void add_panes_name(const struct view *view, struct str *out)
{
	str_addf(out, SETTING_PANES "%s", action_name(view->def->action) + strlen(VIEW_PREFIX));
}

static void tell_panes(const struct view *view, table_settings_fn *each, void *ctx)
{
	struct str name = STR_INIT, text = STR_INIT;
	int shares[SHARES_MAX], count = view_weights(view, shares);

	for (int i = 0; i < count; i++)
		str_addf(&text, "%s%d", i ? " " : "", shares[i]);
	add_panes_name(view, &name);
	if (count)
		each(ctx, name.data, text.data);
	str_release(&name);
	str_release(&text);
}

static int parse_shares(const char *text, int shares[SHARES_MAX])
{
	int count = 0;

	while (*text && count < SHARES_MAX) {
		char *end;
		long share = strtol(text, &end, 10);

		if (end == text || share < 1 || share > SHARE_MAX)
			return -1;
		shares[count++] = (int)share;
		text = end + strspn(end, " \t");
	}
	return *text ? -1 : count;
}

/* Those of another version, which has other panes, are left alone. */
static void take_panes(struct desk *desk, const char *name, const char *text)
{
	int shares[SHARES_MAX], count = parse_shares(text, shares);

	for (int i = 0; i < DESK_VIEW_COUNT && count > 0; i++) {
		struct str known = STR_INIT;

		add_panes_name(&desk->views[i], &known);
		if (!strcmp(known.data, name))
			view_set_weights(&desk->views[i], shares, count);
		str_release(&known);
	}
}

/* ---- all of it ---- */

static void put(void *ctx, const char *name, const char *text)
{
	settings_list_put(ctx, name, text);
}

static void collect(const struct desk *desk, struct settings_list *list)
{
	settings_list_release(list);
	table_settings_each(desk, put, list);
	for (int i = 0; i < DESK_VIEW_COUNT; i++)
		tell_panes(&desk->views[i], put, list);
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Of a setting of many names. Who wrote it by hand is told why it does nothing. */
static void take_item(struct desk *desk, const struct settings_item *item, struct err *problem)
{
	struct err err;
	int rc = 0;

	if (starts_with(item->name, SETTING_PANES))
		take_panes(desk, item->name, item->value);
	else if (starts_with(item->name, SETTING_COLUMNS) || starts_with(item->name, SETTING_SORT))
		rc = table_settings_set(desk, item->name, item->value, &err);
	if (rc && !problem->text[0])
		err_set(problem, rc, "settings, line %u: %s", item->line, err.text);
}

static void follow(struct desk *desk, bool on)
{
	for (int i = 0; i < DESK_VIEW_COUNT; i++) {
		const struct view *view = &desk->views[i];

		for (int j = 0; j < view->pane_count; j++)
			calls_pane_follow(&view->panes[j], on);
	}
}

/* The keymap that was there at first is the caller's. */
static int take_keymap(struct desk *desk, const char *name, struct err *err)
{
	struct bindings *bindings;
	bool is_default = !strcmp(name, setting_default(SETTING_KEYMAP));
	int rc = bindings_new_for_user(&bindings, is_default ? NULL : name, err);

	if (rc)
		return rc;
	desk->bindings = bindings;
	bindings_free(desk->settings.bindings);
	desk->settings.bindings = bindings;
	function_bar_init(&desk->bar, bindings, desk->session.options->engine.recording != NULL);
	desk_drop_keys(desk);
	desk_say_keymap(desk);
	return 0;
}

static void apply(struct desk *desk, enum setting setting)
{
	const char *value = settings_value(desk->settings.all, setting);

	switch (setting) {
	case SETTING_REFRESH:
		desk->session.refresh_ns = setting_number(setting, value);
		break;
	case SETTING_STRING_SIZE:
		desk->session.string_bytes = (uint32_t)setting_number(setting, value);
		break;
	case SETTING_FOLLOW:
		follow(desk, setting_number(setting, value) != 0);
		break;
	case SETTING_OWN_USE:
		desk->use.in_header = setting_number(setting, value) != 0;
		break;
	case SETTING_HINTS:
		desk->hints.on = setting_number(setting, value) != 0;
		break;
	default:
		break;
	}
}

void desk_settings_take(struct desk *desk, struct settings *all)
{
	struct err *problem = &all->problem;

	desk->settings.all = all;
	collect(desk, &desk->settings.defaults);
	for (size_t i = 0; i < all->file.count; i++)
		take_item(desk, &all->file.items[i], problem);
	collect(desk, &desk->settings.taken);
	for (int i = 0; i < SETTING_COUNT; i++)
		apply(desk, (enum setting)i);
	if (problem->text[0])
		session_say(&desk->session, ROLE_WARN, "%s", problem->text);
}

void desk_settings_release(struct desk_settings *settings)
{
	settings_list_release(&settings->defaults);
	settings_list_release(&settings->taken);
	settings_list_release(&settings->names);
	bindings_free(settings->bindings);
}

int desk_settings_choose(struct desk *desk, enum setting setting, const char *value,
			 struct err *err)
{
	int rc = setting == SETTING_KEYMAP ? take_keymap(desk, value, err) : 0;

	rc = rc ? rc : settings_choose(desk->settings.all, setting, value, err);
	if (rc)
		return rc;
	apply(desk, setting);
	desk->session.dirty = true;
	if (desk->wish == WISH_NONE)
		desk->wish = WISH_LOOK;
	return 0;
}

static const char *text_of(const struct settings_list *list, const char *name)
{
	const struct settings_item *item = settings_list_find(list, name);

	return item ? item->value : "";
}

static void put_changes(struct desk *desk, const struct settings_list *names,
			const struct settings_list *now)
{
	const struct desk_settings *settings = &desk->settings;

	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->items[i].name, *text = text_of(now, name);

		if (!strcmp(text, text_of(&settings->taken, name)))
			continue;
		settings_put(settings->all, name,
			     *text && strcmp(text, text_of(&settings->defaults, name)) != 0 ? text
											    : NULL);
	}
}

void desk_settings_collect(struct desk *desk)
{
	struct settings_list now = SETTINGS_LIST_INIT;

	if (!desk->settings.all)
		return;
	collect(desk, &now);
	put_changes(desk, &now, &now);
	put_changes(desk, &desk->settings.taken, &now);
	settings_list_release(&now);
}
