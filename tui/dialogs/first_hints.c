#include "tui/dialogs/first_hints.h"

#include "tui/dialogs/demo_guide.h"

/* Minimum number of screen rows; with fewer, the panes get the row of the hints. */
#define FROM_ROWS 16

struct hint {
	enum action view; /* 0: any */
	enum action action;
	const char *text;
};

/* In display order; a narrow screen cuts off the last hints of a view. */
static const struct hint hints_table[] = {
	{ ACTION_VIEW_OVERVIEW, ACTION_DRILL_IN, "narrows to the row" },
	{ ACTION_VIEW_SYSCALLS, ACTION_DRILL_IN, "shows the calls of the row" },
	{ ACTION_VIEW_CALLS, ACTION_MOVE_UP, "selects a call" },
	{ ACTION_VIEW_CALLS, ACTION_DRILL_IN, "shows its details" },
	{ ACTION_VIEW_BLOCKED, ACTION_DRILL_IN, "shows the call's details" },
	{ ACTION_VIEW_FUTEXES, ACTION_WAKER, "jumps to the call that ended a wait" },
	{ ACTION_VIEW_FILES, ACTION_DRILL_IN, "shows calls on the file" },
	{ ACTION_VIEW_STACKS, ACTION_UNFOLD, "unfolds a level" },
	{ ACTION_VIEW_LATENCY, ACTION_MARK, "marks a rectangle to filter by" },
	{ 0, ACTION_VIEWS_MENU, "lists views" },
	{ 0, ACTION_FILTER, "filters" },
	{ 0, ACTION_PAUSE, "pauses" },
	{ 0, ACTION_HELP, "lists all keys" },
};

#define HINT_COUNT (sizeof(hints_table) / sizeof(hints_table[0]))

bool first_hints_are_shown(const struct first_hints *hints, int rows)
{
	return (hints->on || hints->demo) && rows >= FROM_ROWS;
}

static bool add_hint(const struct bindings *bindings, const struct hint *hint, struct str *out)
{
	char name[KEYSTROKES_BYTES];
	struct keystrokes keys;

	if (!bindings_first(bindings, CONTEXT_GLOBAL, hint->action, &keys))
		return false;
	str_addf(out, "%s %s, ", keystrokes_format(name, &keys), hint->text);
	return true;
}

void first_hints_text(const struct bindings *bindings, enum action view, struct str *out)
{
	struct hint away = { 0, ACTION_BACK, "hides this" };

	str_add(out, "New here? ");
	for (size_t i = 0; i < HINT_COUNT; i++)
		if (!hints_table[i].view || hints_table[i].view == view)
			add_hint(bindings, &hints_table[i], out);
	add_hint(bindings, &away, out);
	str_cut(out, out->len - 2);
}

void first_hints_draw(const struct first_hints *hints, const struct bindings *bindings,
		      enum action view, struct canvas *canvas, int row)
{
	struct str text = STR_INIT;

	if (hints->demo)
		demo_guide_text(bindings, view, &text);
	else if (hints->on)
		first_hints_text(bindings, view, &text);
	else
		return;
	canvas_field(canvas, row, 1, canvas->cols - 2, ALIGN_LEFT, ROLE_DIM, text.data, text.len);
	str_release(&text);
}

/* True if the action shows that the user knows the hints. Moving the cursor does not. */
static bool is_reported(enum action action)
{
	for (size_t i = 0; i < HINT_COUNT; i++)
		if (hints_table[i].action == action)
			return action != ACTION_MOVE_UP;
	return false;
}

bool first_hints_take(struct first_hints *hints, enum action action)
{
	bool away = hints->on && action == ACTION_BACK;

	/* The demo guide stays visible. The hints stay enabled for the time after the demo. */
	if (hints->demo)
		return false;
	if (away || is_reported(action))
		hints->on = false;
	return away;
}
