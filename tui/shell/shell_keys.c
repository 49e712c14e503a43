#include "tui/shell/shell_keys.h"

#include "engine/base/clock.h"
#include "tui/dialogs/column_choice.h"
#include "tui/shell/palette.h"
#include "tui/shell/shell_actions.h"
#include "tui/shell/shell_catch.h"
#include "tui/shell/shell_export.h"
#include "tui/shell/shell_filter.h"
#include "tui/shell/shell_flight.h"
#include "tui/shell/shell_settings_menu.h"
#include "widgets/key_hints.h"

#include <stdio.h>

/* Who knows what comes next has pressed it by then. */
#define HINT_NS (NS_PER_S / 2)
/* Where a letter that begins a sequence may be meant as text: so long it waits for the rest. */
#define TYPING_NS NS_PER_S

static const struct key help_key = { KEYS_F1, 0 };

/* Letters are text. */
static bool is_typing(const struct desk *desk)
{
	return desk->entry.open || (desk->menus.kind != MENU_NONE && desk->menus.menu.show_filter);
}

static void add_place(struct prefix_places *places, enum action_context context)
{
	places->at[places->count++] = context;
}

static void find_places(const struct desk *desk, struct key key, struct prefix_places *places)
{
	enum menu_kind kind = desk->menus.kind;
	/* In what can be searched by typing, letters are no keys. */
	struct key first = prefix_waits(&desk->prefix) ? desk->prefix.keys.keys[0] : key;

	places->count = 0;
	if (desk->entry.open) {
		add_place(places, CONTEXT_PROMPT);
	} else if (kind == MENU_LEAVE) { /* what leaves means it here too */
		add_place(places, CONTEXT_GLOBAL);
		add_place(places, CONTEXT_MENU);
	} else if (kind != MENU_NONE) {
		if (kind == MENU_TERMS || kind == MENU_CATCHES ||
		    (kind == MENU_SETUP && (!key_is_text(first) || first.code == ' ')) ||
		    (kind == MENU_SAVED && !key_is_text(first)))
			add_place(places, CONTEXT_TERMS);
		if (kind == MENU_COLUMNS)
			add_place(places, CONTEXT_COLUMNS);
		add_place(places, CONTEXT_MENU);
		/* What moves elsewhere moves here too, but for letters where those are typed. */
		if (!desk->menus.menu.show_filter || !key_is_text(first))
			add_place(places, CONTEXT_GLOBAL);
	} else {
		add_place(places, CONTEXT_GLOBAL);
	}
}

/* ---- what an action does where one is; KEYMAP_NONE: the key may be text ---- */

static void entry_key(struct desk *desk, int action, struct key key)
{
	if (action == ACTION_REDRAW || action == ACTION_SUSPEND) {
		desk_act(desk, (enum action)action);
		return;
	}
	if (action == ACTION_SEARCH_NEXT || action == ACTION_SEARCH_PREVIOUS) {
		desk_search_on(desk, (enum action)action);
		return;
	}
	switch (entry_line_key(&desk->entry, action, key)) {
	case ENTRY_ACCEPTED:
		desk_accept_entry(desk);
		break;
	case ENTRY_CANCELLED:
		if (!desk_filter_cancel(desk) && !desk_catch_cancel(desk) &&
		    !desk_export_cancel(desk) && !desk_flight_cancel(desk))
			entry_line_close(&desk->entry, false);
		break;
	case ENTRY_GOES_ON:
		break;
	}
}

static void menu_key(struct desk *desk, int action, struct key key)
{
	struct menu *menu = &desk->menus.menu;
	enum move move;

	if (action == KEYMAP_NONE) {
		if (menu->show_filter && key_is_text(key) && !palette_type(desk, key.code))
			menu_type(menu, key.code);
		return;
	}
	/* Who asks twice to leave means it: as Ctrl-C under strace would end the command. */
	if (desk->menus.kind == MENU_LEAVE && action == ACTION_QUIT) {
		desk_accept_menu(desk, LEAVE_END);
		return;
	}
	if (desk_setup_menu_act(desk, (enum action)action))
		return;
	if (pane_move((enum action)action, &move)) {
		menu_move(menu, move);
		return;
	}
	if (desk_filter_menu_act(desk, (enum action)action) ||
	    desk_catch_menu_act(desk, (enum action)action) ||
	    column_choice_act(&desk->menus, &desk->session, (enum action)action))
		return;
	switch (action) {
	case ACTION_ACCEPT:
	case ACTION_DRILL_IN:
		desk_accept_menu(desk, menu_selected(menu));
		break;
	case ACTION_CANCEL:
	case ACTION_BACK:
	case ACTION_QUIT:
		menus_close(&desk->menus);
		break;
	case ACTION_COMPLETE:
		palette_complete(&desk->menus);
		break;
	case ACTION_EDIT_BACKSPACE:
		if (!menu_erase(menu))
			menus_close(&desk->menus);
		break;
	case ACTION_REDRAW:
	case ACTION_SUSPEND:
		desk_act(desk, (enum action)action);
		break;
	default:
		break;
	}
}

static void page_key(struct desk *desk, int action)
{
	enum move move;

	if (action == KEYMAP_NONE)
		return;
	if (pane_move((enum action)action, &move)) {
		help_move(&desk->page.help, move);
		return;
	}
	switch (action) {
	case ACTION_BACK:
	case ACTION_QUIT:
	case ACTION_HELP:
	case ACTION_DETAIL:
	case ACTION_DRILL_IN:
		desk->page.open = false;
		break;
	case ACTION_SEARCH:
	case ACTION_SEARCH_BACK:
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
	case ACTION_COPY_ROW:
	case ACTION_EXPORT:
	case ACTION_PAUSE:
	case ACTION_WAKER:
	case ACTION_OWNER:
	case ACTION_REDRAW:
	case ACTION_SUSPEND:
		desk_act(desk, (enum action)action);
		break;
	default:
		if (desk->page.is_detail)
			desk_filter_act_on_row(desk, (enum action)action);
		break;
	}
}

static void act(struct desk *desk, int action, struct key key)
{
	if (desk->entry.open) {
		entry_key(desk, action, key);
	} else if (desk->menus.kind != MENU_NONE) {
		menu_key(desk, action, key);
	} else {
		status_line_clear(&desk->session.message);
		if (desk->page.open)
			page_key(desk, action);
		else if (action != KEYMAP_NONE)
			desk_act(desk, (enum action)action);
	}
}

/* ---- keys ---- */

static void say_nothing_done(struct desk *desk, const struct keystrokes *pressed)
{
	char name[KEYSTROKES_BYTES], help[KEYSTROKES_BYTES];

	if (desk->menus.kind == MENU_NONE && (!desk->page.open || pressed->count > 1))
		session_say(&desk->session, ROLE_DIM, "%s does nothing; %s lists the keys",
			    keystrokes_format(name, pressed),
			    bindings_name(help, desk->bindings, ACTION_HELP, help_key));
}

/* What began as a sequence and is none was text, its last key may begin another one. */
static void type_pressed(struct desk *desk, const struct keystrokes *pressed)
{
	int last = pressed->count - 1;

	for (int i = 0; i < last; i++)
		act(desk, KEYMAP_NONE, pressed->keys[i]);
	if (last > 0)
		desk_key(desk, pressed->keys[last]);
	else
		act(desk, KEYMAP_NONE, pressed->keys[0]);
}

static void say_what_it_does(struct desk *desk, const struct keystrokes *pressed,
			     enum action action)
{
	char name[KEYSTROKES_BYTES];
	struct str origin = STR_INIT;

	bindings_origin(desk->bindings, CONTEXT_GLOBAL, pressed, &origin);
	session_say(&desk->session, ROLE_TEXT, "%s does %s: %s (%s)",
		    keystrokes_format(name, pressed), action_name(action), action_help(action),
		    origin.data);
	str_release(&origin);
}

static void describe(struct desk *desk, struct key key)
{
	static const struct prefix_places places = { .at = { CONTEXT_GLOBAL }, .count = 1 };
	struct keystrokes pressed;
	enum action action;

	switch (prefix_take(&desk->prefix, desk->bindings, &places, key, desk->session.clock_ns,
			    &pressed, &action)) {
	case PREFIX_ACTION:
		say_what_it_does(desk, &pressed, action);
		break;
	case PREFIX_WAITS:
		return;
	case PREFIX_NOTHING:
		say_nothing_done(desk, &pressed);
		break;
	case PREFIX_CANCELLED:
		break;
	}
	desk->describes = false;
}

void desk_key(struct desk *desk, struct key key)
{
	struct prefix_places places;
	struct keystrokes pressed;
	enum action action;

	if (desk->describes) {
		describe(desk, key);
		return;
	}
	find_places(desk, key, &places);
	switch (prefix_take(&desk->prefix, desk->bindings, &places, key, desk->session.clock_ns,
			    &pressed, &action)) {
	case PREFIX_ACTION:
		act(desk, (int)action, key);
		break;
	case PREFIX_WAITS:
	case PREFIX_CANCELLED:
		status_line_clear(&desk->session.message);
		break;
	case PREFIX_NOTHING:
		if (is_typing(desk)) {
			type_pressed(desk, &pressed);
		} else {
			act(desk, KEYMAP_NONE, key);
			say_nothing_done(desk, &pressed);
		}
		break;
	}
}

void desk_drop_keys(struct desk *desk)
{
	struct keystrokes pressed = desk->prefix.keys;

	desk->describes = false;
	prefix_drop(&desk->prefix);
	for (int i = 0; i < pressed.count && is_typing(desk); i++)
		act(desk, KEYMAP_NONE, pressed.keys[i]);
}

void desk_keys_tick(struct desk *desk)
{
	uint64_t waited_ns = desk->session.clock_ns - desk->prefix.since_ns;

	if (!prefix_waits(&desk->prefix))
		return;
	if (is_typing(desk) && waited_ns >= TYPING_NS)
		desk_drop_keys(desk);
	desk->session.dirty = true;
}

void desk_say_keymap(struct desk *desk)
{
	const char *problem = bindings_problem(desk->bindings, 0);
	char help[KEYSTROKES_BYTES];
	size_t more = 0;

	if (!problem)
		return;
	while (bindings_problem(desk->bindings, more + 1))
		more++;
	if (more)
		status_line_set(&desk->session.message, ROLE_WARN, 0, 0, "%s (and %zu more: %s)",
				problem, more,
				bindings_name(help, desk->bindings, ACTION_HELP, help_key));
	else
		status_line_set(&desk->session.message, ROLE_WARN, 0, 0, "%s", problem);
}

/* ---- what may follow ---- */

static size_t find_hints(const struct desk *desk, struct key_hint hints[KEY_HINTS_MAX])
{
	const struct keystrokes *pressed = &desk->prefix.keys;
	struct prefix_places places;
	size_t count = 0;

	find_places(desk, pressed->keys[0], &places);
	for (int i = 0; i < places.count; i++) {
		struct keystrokes whole;
		enum action action;

		for (size_t j = 0;
		     count < KEY_HINTS_MAX &&
		     bindings_follow(desk->bindings, places.at[i], pressed, j, &whole, &action);
		     j++, count++) {
			struct keystrokes rest = { .count = whole.count - pressed->count };

			for (int k = 0; k < rest.count; k++)
				rest.keys[k] = whole.keys[pressed->count + k];
			keystrokes_format(hints[count].keys, &rest);
			hints[count].text = action_help(action);
		}
	}
	return count;
}

bool desk_draw_keys(struct desk *desk, struct canvas *canvas)
{
	struct key_hint hints[KEY_HINTS_MAX];
	char name[KEYSTROKES_BYTES], title[KEYSTROKES_BYTES + 40];
	int row = canvas->rows - 1, used, rows;
	struct canvas area;
	size_t count;

	if ((!prefix_waits(&desk->prefix) || is_typing(desk)) && !desk->describes)
		return false;
	canvas_fill(canvas, (struct rect){ row, 0, 1, canvas->cols }, ' ', ROLE_TEXT);
	if (!prefix_waits(&desk->prefix)) {
		canvas_text(canvas, row, 0, ROLE_STRONG, "Press a key to be told what it does");
		return true;
	}
	used = canvas_text(canvas, row, 0, ROLE_KEY, keystrokes_format(name, &desk->prefix.keys));
	canvas_text(canvas, row, used, ROLE_DIM, " - another key, or Esc to cancel");
	if (desk->session.clock_ns - desk->prefix.since_ns < HINT_NS)
		return true;
	count = find_hints(desk, hints);
	rows = key_hints_rows(hints, count, canvas->cols);
	if (rows > canvas->rows / 2)
		rows = canvas->rows / 2;
	if (rows < 2)
		return true;
	snprintf(title, sizeof(title), "What may follow %s", name);
	area = canvas_sub(canvas, (struct rect){ row - rows, 0, rows, canvas->cols });
	key_hints_draw(&area, title, hints, count);
	return true;
}
