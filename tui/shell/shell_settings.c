#include "tui/shell/shell_settings.h"

#include "tui/panes/calls_pane.h"
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

static void report_panes(const struct view *view, table_settings_fn *each, void *ctx)
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

/* Apply stored shares. Shares of another version, which has other panes, are ignored. */
static void take_panes(struct shell *shell, const char *name, const char *text)
{
	int shares[SHARES_MAX], count = parse_shares(text, shares);

	for (int i = 0; i < SHELL_VIEW_COUNT && count > 0; i++) {
		struct str known = STR_INIT;

		add_panes_name(&shell->views[i], &known);
		if (!strcmp(known.data, name))
			view_set_weights(&shell->views[i], shares, count);
		str_release(&known);
	}
}

/* ---- all settings ---- */

static void put(void *ctx, const char *name, const char *text)
{
	settings_list_put(ctx, name, text);
}

static void collect(const struct shell *shell, struct settings_list *list)
{
	settings_list_release(list);
	table_settings_each(shell, put, list);
	for (int i = 0; i < SHELL_VIEW_COUNT; i++)
		report_panes(&shell->views[i], put, list);
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/*
 * Apply one item of a family of settings. The first error goes to *problem, with its line in the
 * file.
 */
static void take_item(struct shell *shell, const struct settings_item *item, struct err *problem)
{
	struct err err;
	int rc = 0;

	if (starts_with(item->name, SETTING_PANES))
		take_panes(shell, item->name, item->value);
	else if (starts_with(item->name, SETTING_COLUMNS) || starts_with(item->name, SETTING_SORT))
		rc = table_settings_set(shell, item->name, item->value, &err);
	if (rc && !problem->text[0])
		err_set(problem, rc, "settings, line %u: %s", item->line, err.text);
}

static void follow(struct shell *shell, bool on)
{
	for (int i = 0; i < SHELL_VIEW_COUNT; i++) {
		const struct view *view = &shell->views[i];

		for (int j = 0; j < view->pane_count; j++)
			calls_pane_follow(&view->panes[j], on);
	}
}

/* Load and use a keymap. The initial one belongs to the caller and is not freed. */
static int take_keymap(struct shell *shell, const char *name, struct err *err)
{
	struct bindings *bindings;
	bool is_default = !strcmp(name, setting_default(SETTING_KEYMAP));
	int rc = bindings_new_for_user(&bindings, is_default ? NULL : name, err);

	if (rc)
		return rc;
	shell->bindings = bindings;
	bindings_free(shell->settings.bindings);
	shell->settings.bindings = bindings;
	function_bar_init(&shell->bar, bindings, shell->session.options->engine.recording != NULL);
	shell->ops->drop_keys(shell);
	shell_say_keymap(shell);
	return 0;
}

static void apply(struct shell *shell, enum setting setting)
{
	const char *value = settings_value(shell->settings.all, setting);

	switch (setting) {
	case SETTING_REFRESH:
		shell->session.refresh_ns = setting_number(setting, value);
		break;
	case SETTING_STRING_SIZE:
		shell->session.string_bytes = (uint32_t)setting_number(setting, value);
		break;
	case SETTING_FOLLOW:
		follow(shell, setting_number(setting, value) != 0);
		break;
	case SETTING_SELF_USAGE:
		shell->use.in_header = setting_number(setting, value) != 0;
		break;
	case SETTING_HINTS:
		shell->hints.on = setting_number(setting, value) != 0;
		break;
	default:
		break;
	}
}

void shell_settings_take(struct shell *shell, struct settings *all)
{
	struct err *problem = &all->problem;

	shell->settings.all = all;
	collect(shell, &shell->settings.defaults);
	for (size_t i = 0; i < all->file.count; i++)
		take_item(shell, &all->file.items[i], problem);
	collect(shell, &shell->settings.taken);
	for (int i = 0; i < SETTING_COUNT; i++)
		apply(shell, (enum setting)i);
	if (problem->text[0])
		session_say(&shell->session, ROLE_WARN, "%s", problem->text);
}

void shell_settings_release(struct shell_settings *settings)
{
	settings_list_release(&settings->defaults);
	settings_list_release(&settings->taken);
	settings_list_release(&settings->names);
	bindings_free(settings->bindings);
}

int shell_settings_choose(struct shell *shell, enum setting setting, const char *value,
			  struct err *err)
{
	int rc = setting == SETTING_KEYMAP ? take_keymap(shell, value, err) : 0;

	rc = rc ? rc : settings_choose(shell->settings.all, setting, value, err);
	if (rc)
		return rc;
	apply(shell, setting);
	shell->session.dirty = true;
	if (shell->request == REQUEST_NONE)
		shell->request = REQUEST_APPLY_SETTINGS;
	return 0;
}

static const char *text_of(const struct settings_list *list, const char *name)
{
	const struct settings_item *item = settings_list_find(list, name);

	return item ? item->value : "";
}

static void put_changes(struct shell *shell, const struct settings_list *names,
			const struct settings_list *now)
{
	const struct shell_settings *settings = &shell->settings;

	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->items[i].name, *text = text_of(now, name);

		if (!strcmp(text, text_of(&settings->taken, name)))
			continue;
		settings_put(settings->all, name,
			     *text && strcmp(text, text_of(&settings->defaults, name)) != 0 ? text
											    : NULL);
	}
}

void shell_settings_collect(struct shell *shell)
{
	struct settings_list now = SETTINGS_LIST_INIT;

	if (!shell->settings.all)
		return;
	collect(shell, &now);
	put_changes(shell, &now, &now);
	put_changes(shell, &shell->settings.taken, &now);
	settings_list_release(&now);
}
