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

/* Delay of the key hints: a user that knows the sequence presses the next key earlier. */
#define HINT_NS (NS_PER_S / 2)
/* Where text is typed, a letter that begins a sequence becomes text after this time. */
#define TYPING_NS NS_PER_S

static const struct key help_key = { KEYS_F1, 0 };

/* True if letters are text. */
static bool is_typing(const struct shell *shell)
{
	return shell->entry.open ||
	       (shell->menus.kind != MENU_NONE && shell->menus.menu.show_filter);
}

static void add_place(struct pending_keys_places *places, enum action_context context)
{
	places->at[places->count++] = context;
}

static void find_places(const struct shell *shell, struct key key,
			struct pending_keys_places *places)
{
	enum menu_kind kind = shell->menus.kind;
	/* A menu with a filter line takes a sequence as text if its first key is text. */
	struct key first = pending_keys_waits(&shell->pending_keys)
				   ? shell->pending_keys.keys.keys[0]
				   : key;

	places->count = 0;
	if (shell->entry.open) {
		add_place(places, CONTEXT_PROMPT);
	} else if (kind == MENU_LEAVE) { /* the quit key confirms here */
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
		/* Global movement keys work here too, except letters where those are text. */
		if (!shell->menus.menu.show_filter || !key_is_text(first))
			add_place(places, CONTEXT_GLOBAL);
	} else {
		add_place(places, CONTEXT_GLOBAL);
	}
}

/* ---- actions by context; KEYMAP_NONE: the key may be text ---- */

static void entry_key(struct shell *shell, int action, struct key key)
{
	if (action == ACTION_REDRAW || action == ACTION_SUSPEND) {
		shell_act(shell, (enum action)action);
		return;
	}
	if (action == ACTION_SEARCH_NEXT || action == ACTION_SEARCH_PREVIOUS) {
		shell_search_on(shell, (enum action)action);
		return;
	}
	switch (entry_line_key(&shell->entry, action, key)) {
	case ENTRY_ACCEPTED:
		shell_accept_entry(shell);
		break;
	case ENTRY_CANCELLED:
		if (!shell_filter_cancel(shell) && !shell_catch_cancel(shell) &&
		    !shell_export_cancel(shell) && !shell_flight_cancel(shell))
			entry_line_close(&shell->entry, false);
		break;
	case ENTRY_GOES_ON:
		break;
	}
}

static void menu_key(struct shell *shell, int action, struct key key)
{
	struct menu *menu = &shell->menus.menu;
	enum move move;

	if (action == KEYMAP_NONE) {
		if (menu->show_filter && key_is_text(key) && !palette_type(shell, key.code))
			menu_type(menu, key.code);
		return;
	}
	/* Quit pressed twice ends the command, as Ctrl-C does under strace. */
	if (shell->menus.kind == MENU_LEAVE && action == ACTION_QUIT) {
		shell_accept_menu(shell, LEAVE_END);
		return;
	}
	if (shell_settings_menu_menu_act(shell, (enum action)action))
		return;
	if (pane_move((enum action)action, &move)) {
		menu_move(menu, move);
		return;
	}
	if (shell_filter_menu_act(shell, (enum action)action) ||
	    shell_catch_menu_act(shell, (enum action)action) ||
	    column_choice_act(&shell->menus, &shell->session, (enum action)action))
		return;
	switch (action) {
	case ACTION_ACCEPT:
	case ACTION_DRILL_IN:
		shell_accept_menu(shell, menu_selected(menu));
		break;
	case ACTION_CANCEL:
	case ACTION_BACK:
	case ACTION_QUIT:
		menus_close(&shell->menus);
		break;
	case ACTION_COMPLETE:
		palette_complete(&shell->menus);
		break;
	case ACTION_EDIT_BACKSPACE:
		if (!menu_erase(menu))
			menus_close(&shell->menus);
		break;
	case ACTION_REDRAW:
	case ACTION_SUSPEND:
		shell_act(shell, (enum action)action);
		break;
	default:
		break;
	}
}

static void page_key(struct shell *shell, int action)
{
	enum move move;

	if (action == KEYMAP_NONE)
		return;
	if (pane_move((enum action)action, &move)) {
		help_move(&shell->page.help, move);
		return;
	}
	switch (action) {
	case ACTION_BACK:
	case ACTION_QUIT:
	case ACTION_HELP:
	case ACTION_DETAIL:
	case ACTION_DRILL_IN:
		shell->page.open = false;
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
		shell_act(shell, (enum action)action);
		break;
	default:
		if (shell->page.is_detail)
			shell_filter_act_on_row(shell, (enum action)action);
		break;
	}
}

static void act(struct shell *shell, int action, struct key key)
{
	if (shell->entry.open) {
		entry_key(shell, action, key);
	} else if (shell->menus.kind != MENU_NONE) {
		menu_key(shell, action, key);
	} else {
		status_line_clear(&shell->session.message);
		if (shell->page.open)
			page_key(shell, action);
		else if (action != KEYMAP_NONE)
			shell_act(shell, (enum action)action);
	}
}

/* ---- keys ---- */

static void say_nothing_done(struct shell *shell, const struct keystrokes *pressed)
{
	char name[KEYSTROKES_BYTES], help[KEYSTROKES_BYTES];

	if (shell->menus.kind == MENU_NONE && (!shell->page.open || pressed->count > 1))
		session_say(&shell->session, ROLE_DIM, "%s does nothing; %s lists the keys",
			    keystrokes_format(name, pressed),
			    bindings_name(help, shell->bindings, ACTION_HELP, help_key));
}

/* Insert an unbound sequence as text. Its last key can begin another sequence. */
static void type_pressed(struct shell *shell, const struct keystrokes *pressed)
{
	int last = pressed->count - 1;

	for (int i = 0; i < last; i++)
		act(shell, KEYMAP_NONE, pressed->keys[i]);
	if (last > 0)
		shell_key(shell, pressed->keys[last]);
	else
		act(shell, KEYMAP_NONE, pressed->keys[0]);
}

static void say_what_it_does(struct shell *shell, const struct keystrokes *pressed,
			     enum action action)
{
	char name[KEYSTROKES_BYTES];
	struct str origin = STR_INIT;

	bindings_origin(shell->bindings, CONTEXT_GLOBAL, pressed, &origin);
	session_say(&shell->session, ROLE_TEXT, "%s runs %s: %s (%s)",
		    keystrokes_format(name, pressed), action_name(action), action_help(action),
		    origin.data);
	str_release(&origin);
}

static void describe(struct shell *shell, struct key key)
{
	static const struct pending_keys_places places = { .at = { CONTEXT_GLOBAL }, .count = 1 };
	struct keystrokes pressed;
	enum action action;

	switch (pending_keys_take(&shell->pending_keys, shell->bindings, &places, key,
				  shell->session.clock_ns, &pressed, &action)) {
	case PENDING_KEYS_ACTION:
		say_what_it_does(shell, &pressed, action);
		break;
	case PENDING_KEYS_WAITS:
		return;
	case PENDING_KEYS_NOTHING:
		say_nothing_done(shell, &pressed);
		break;
	case PENDING_KEYS_CANCELLED:
		break;
	}
	shell->describes = false;
}

void shell_key(struct shell *shell, struct key key)
{
	struct pending_keys_places places;
	struct keystrokes pressed;
	enum action action;

	if (shell->describes) {
		describe(shell, key);
		return;
	}
	if (key_is_text(key) && menus_answer(&shell->menus, key.code))
		return;
	find_places(shell, key, &places);
	switch (pending_keys_take(&shell->pending_keys, shell->bindings, &places, key,
				  shell->session.clock_ns, &pressed, &action)) {
	case PENDING_KEYS_ACTION:
		act(shell, (int)action, key);
		break;
	case PENDING_KEYS_WAITS:
	case PENDING_KEYS_CANCELLED:
		status_line_clear(&shell->session.message);
		break;
	case PENDING_KEYS_NOTHING:
		if (is_typing(shell)) {
			type_pressed(shell, &pressed);
		} else {
			act(shell, KEYMAP_NONE, key);
			say_nothing_done(shell, &pressed);
		}
		break;
	}
}

void shell_drop_keys(struct shell *shell)
{
	struct keystrokes pressed = shell->pending_keys.keys;

	shell->describes = false;
	pending_keys_drop(&shell->pending_keys);
	for (int i = 0; i < pressed.count && is_typing(shell); i++)
		act(shell, KEYMAP_NONE, pressed.keys[i]);
}

void shell_keys_tick(struct shell *shell)
{
	uint64_t waited_ns = shell->session.clock_ns - shell->pending_keys.since_ns;

	if (!pending_keys_waits(&shell->pending_keys))
		return;
	if (is_typing(shell) && waited_ns >= TYPING_NS)
		shell_drop_keys(shell);
	shell->session.dirty = true;
}

/* ---- key hints ---- */

static size_t find_hints(const struct shell *shell, struct key_hint hints[KEY_HINTS_MAX])
{
	const struct keystrokes *pressed = &shell->pending_keys.keys;
	struct pending_keys_places places;
	size_t count = 0;

	find_places(shell, pressed->keys[0], &places);
	for (int i = 0; i < places.count; i++) {
		struct keystrokes whole;
		enum action action;

		for (size_t j = 0;
		     count < KEY_HINTS_MAX &&
		     bindings_follow(shell->bindings, places.at[i], pressed, j, &whole, &action);
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

bool shell_draw_keys(struct shell *shell, struct canvas *canvas)
{
	struct key_hint hints[KEY_HINTS_MAX];
	char name[KEYSTROKES_BYTES], title[KEYSTROKES_BYTES + 40];
	int row = canvas->rows - 1, used, rows;
	struct canvas area;
	size_t count;

	if ((!pending_keys_waits(&shell->pending_keys) || is_typing(shell)) && !shell->describes)
		return false;
	canvas_fill(canvas, (struct rect){ row, 0, 1, canvas->cols }, ' ', ROLE_TEXT);
	if (!pending_keys_waits(&shell->pending_keys)) {
		canvas_text(canvas, row, 0, ROLE_STRONG, "Describe key: press a key");
		return true;
	}
	used = canvas_text(canvas, row, 0, ROLE_KEY,
			   keystrokes_format(name, &shell->pending_keys.keys));
	canvas_text(canvas, row, used, ROLE_DIM, " - another key, or Esc to cancel");
	if (shell->session.clock_ns - shell->pending_keys.since_ns < HINT_NS)
		return true;
	count = find_hints(shell, hints);
	rows = key_hints_rows(hints, count, canvas->cols);
	if (rows > canvas->rows / 2)
		rows = canvas->rows / 2;
	if (rows < 2)
		return true;
	snprintf(title, sizeof(title), "Keys after %s", name);
	area = canvas_sub(canvas, (struct rect){ row - rows, 0, rows, canvas->cols });
	key_hints_draw(&area, title, hints, count);
	return true;
}
