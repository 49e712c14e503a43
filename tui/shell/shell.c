#include "tui/shell/shell.h"

#include "tui/compare/compare_view.h"
#include "tui/panes/access_pane.h"
#include "tui/panes/blocked_view.h"
#include "tui/panes/calls_view.h"
#include "tui/panes/futexes_view.h"
#include "tui/panes/latency_pane.h"
#include "tui/panes/output_pane.h"
#include "tui/panes/overview.h"
#include "tui/panes/processes_view.h"
#include "tui/panes/stacks_pane.h"
#include "tui/panes/syscalls_view.h"
#include "tui/session/snapshot.h"
#include "tui/shell/shell_actions.h"
#include "tui/shell/shell_catch.h"
#include "tui/shell/shell_compare.h"
#include "tui/shell/shell_cursor.h"
#include "tui/shell/shell_export.h"
#include "tui/shell/shell_filter.h"
#include "tui/shell/shell_flight.h"
#include "tui/shell/shell_keys.h"
#include "tui/shell/shell_mouse.h"
#include "tui/shell/shell_record.h"
#include "tui/shell/shell_settings_menu.h"
#include "tui/shell/shell_time.h"
#include "tui/view/files_pane.h"
#include "widgets/title.h"

#include <stdio.h>
#include <string.h>

/* Fewer rows than this are better spent on panes than on the names of keys. */
#define BAR_FROM_ROWS 8

static struct view *first_view(struct desk *desk, const struct options *options)
{
	for (int i = 0; options->view && i < DESK_VIEW_COUNT; i++)
		if ((int)desk->views[i].def->action == options->view)
			return &desk->views[i];
	return &desk->views[DESK_OVERVIEW];
}

void desk_init(struct desk *desk, struct engine *engine, const struct options *options,
	       struct command *command, struct bindings *bindings,
	       const struct command_output *output)
{
	memset(desk, 0, sizeof(*desk));
	session_init(&desk->session, engine, options, command);
	desk->bindings = bindings;
	desk->session.bindings = bindings;
	header_init(&desk->header);
	function_bar_init(&desk->bar, bindings, options->engine.recording != NULL);
	time_line_init(&desk->time);
	changes_init(&desk->changes);
	desk->session.changes = &desk->changes;
	overview_init(&desk->views[DESK_OVERVIEW]);
	processes_view_init(&desk->views[DESK_PROCESSES]);
	syscalls_view_init(&desk->views[DESK_SYSCALLS]);
	calls_view_init(&desk->views[DESK_CALLS]);
	blocked_view_init(&desk->views[DESK_BLOCKED]);
	futexes_view_init(&desk->views[DESK_FUTEXES]);
	files_view_init(&desk->views[DESK_FILES]);
	stacks_view_init(&desk->views[DESK_STACKS]);
	latency_view_init(&desk->views[DESK_LATENCY]);
	compare_view_init(&desk->views[DESK_COMPARE]);
	output_view_init(&desk->views[DESK_OUTPUT], output);
	access_view_init(&desk->views[DESK_ACCESS]);
	view_tabs_init(&desk->tabs, bindings, desk->views, DESK_VIEW_COUNT);
	desk->shown = first_view(desk, options);
	desk->hints.demo = options->demo;
	event_choice_init(&desk->events, options);
	entry_line_init(&desk->entry, engine_filter_names(engine), &desk->events);
	filter_draft_init(&desk->draft);
	filter_saving_init(&desk->saving);
	catching_init(&desk->catching, engine, options);
	menus_init(&desk->menus);
	help_init(&desk->page.help);
	detail_page_init(&desk->page.detail);
	desk_export_init(desk);
	desk_record_init(desk);
	desk_flight_init(desk);
	desk_about_init(desk);
	desk_use_init(desk);
	str_init(&desk->copy);
	desk->bar_row = -1;
	desk->search_step = 1;
	desk_say_keymap(desk);
}

void desk_release(struct desk *desk)
{
	for (int i = 0; i < DESK_VIEW_COUNT; i++)
		view_release(&desk->views[i]);
	entry_line_release(&desk->entry);
	event_choice_release(&desk->events);
	filter_draft_release(&desk->draft);
	filter_saving_release(&desk->saving);
	catching_close(&desk->catching, NULL);
	menus_release(&desk->menus);
	help_release(&desk->page.help);
	detail_page_release(&desk->page.detail);
	desk_export_release(desk);
	desk_record_release(desk);
	desk_flight_release(desk);
	desk_about_release(desk);
	desk_use_release(desk);
	changes_release(&desk->changes);
	str_release(&desk->copy);
	desk_settings_release(&desk->settings);
	session_release(&desk->session);
}

void desk_refresh(struct desk *desk, bool tick)
{
	struct session *session = &desk->session;

	/* Rows are being read: it is over in some milliseconds. */
	if (desk_export_reads(desk))
		return;
	session->tick = session->work = tick;
	session->shown_from_ns = 0;
	survey_take(session);
	if (tick) {
		session->busy = session->hurry = false;
		session_refresh(session);
		desk_time_look(desk);
		desk_compare_look(desk);
		desk_about_look(desk);
		desk_use_look(desk);
		event_choice_look(&desk->events, session);
	}
	view_refresh(desk->shown, session);
	desk_filter_refresh(desk);
	if (tick) {
		desk_catch_look(desk);
		desk_record_look(desk);
		desk_flight_look(desk);
		desk_keys_tick(desk);
	}
	if (desk->page.open && desk->page.is_detail)
		detail_page_refresh(&desk->page.detail, session, desk->page.cols, &desk->page.help);
	deep_watch_look(&desk->deep, session, desk->page.open);
	session->tick = session->work = false;
	desk_export_work(desk);
}

/* What the panes have to do; the rest of the screen stays as it is. */
static void work_on_panes(struct desk *desk)
{
	struct session *session = &desk->session;

	/* What is asked for now goes before what is being made of the answers before it. */
	if (desk_filter_work(desk)) {
		session->busy = true;
		return;
	}
	session->work = true;
	view_refresh(desk->shown, session);
	session->tick = session->work = false;
}

void desk_work(struct desk *desk)
{
	struct session *session = &desk->session;

	if (session->busy && !desk_export_reads(desk)) {
		session->busy = session->hurry = false;
		session_count_on(session);
		work_on_panes(desk);
		session->dirty = true;
	}
	desk_export_work(desk);
}

bool desk_has_work(const struct desk *desk, bool *hurry)
{
	*hurry = desk->session.hurry || desk_export_reads(desk);
	return desk->session.busy || exporting_runs(&desk->export.exporting);
}

void desk_refuse(struct desk *desk, const char *why)
{
	session_refused(&desk->session, why);
	desk->shown = &desk->views[DESK_ACCESS];
	desk_refresh(desk, false);
}

/* ---- drawing ---- */

static void draw_page(struct desk *desk, struct canvas *canvas, struct rect area)
{
	struct canvas all = canvas_sub(canvas, area);
	struct canvas body = canvas_sub(&all,
					(struct rect){ 1, 1, area.rows - 1, desk->page.cols });

	char key[KEYSTROKES_BYTES], closes[KEYSTROKES_BYTES + 8];

	bindings_name(key, desk->bindings, ACTION_BACK, (struct key){ KEYS_ESC, 0 });
	snprintf(closes, sizeof(closes), "%s closes", key);
	canvas_clear(&all);
	title_draw(&all, 0, desk->page.title, closes, true);
	help_draw(&desk->page.help, &body);
}

static void draw_bottom(struct desk *desk, struct canvas *canvas)
{
	struct session *session = &desk->session;
	int row = canvas->rows - 1;
	struct canvas bar;

	desk->bar_row = -1;
	if (desk_draw_keys(desk, canvas))
		return;
	if (status_line_is_shown(&session->message, session->clock_ns)) {
		canvas_fill(canvas, (struct rect){ row, 0, 1, canvas->cols }, ' ', ROLE_TEXT);
		status_line_draw(&session->message, canvas, row, session->clock_ns);
		return;
	}
	if (canvas->rows < BAR_FROM_ROWS)
		return;
	desk->bar_cols = view_tabs_draw(&desk->tabs, canvas, row, desk->views, DESK_VIEW_COUNT,
					desk->shown);
	if (desk->bar_cols < canvas->cols)
		desk->bar_cols -= 2; /* apart from them */
	bar = canvas_sub(canvas, (struct rect){ row, 0, 1, desk->bar_cols });
	fbar_draw(&bar, 0, desk->bar.items, desk->bar.count);
	desk->bar_row = row;
}

static int hint_rows(const struct desk *desk, const struct canvas *canvas)
{
	return !desk->page.open && desk->session.phase == SESSION_RUNNING &&
	       first_hints_are_shown(&desk->hints, canvas->rows);
}

static int prompt_height(const struct desk *desk, const struct canvas *canvas)
{
	return prompt_rows(&desk->entry.prompt, canvas->rows > 2 ? canvas->rows / 2 + 1 : 1);
}

/* Returns the rows taken at the bottom, the time bar's among them. */
static int bottom_rows(struct desk *desk, const struct canvas *canvas, int time_rows)
{
	if (desk->entry.open)
		return prompt_height(desk, canvas) + time_rows;
	return (canvas->rows >= BAR_FROM_ROWS) + hint_rows(desk, canvas) + time_rows;
}

static void say_catches(struct desk *desk)
{
	struct str text = STR_INIT;

	desk->header.has_stopped = desk_catch_text(desk, &text);
	snprintf(desk->header.catches, sizeof(desk->header.catches), "%s", text.data);
	str_release(&text);
}

void desk_draw(struct desk *desk, struct canvas *canvas, int *cursor_row, int *cursor_col)
{
	struct session *session = &desk->session;
	int top = canvas->rows > 1 ? header_rows(session, canvas->rows) : 1;
	int time_rows = time_line_rows(&desk->time, session, canvas->rows);
	int bottom = bottom_rows(desk, canvas, time_rows);
	struct rect area = { top, 0, canvas->rows - top - bottom, canvas->cols };
	struct canvas header = canvas_sub(canvas, (struct rect){ 0, 0, top, canvas->cols });

	*cursor_row = -1;
	*cursor_col = 0;
	desk->rows = canvas->rows;
	desk->cols = canvas->cols;
	desk->ascii = canvas->ascii;
	desk->page.cols = canvas->cols - 2; /* a blank on either side */
	canvas_clear(canvas);
	say_catches(desk);
	header_draw(&desk->header, session, &header);
	if (!rect_is_empty(area)) {
		if (desk->page.open)
			draw_page(desk, canvas, area);
		else
			view_draw(desk->shown, session, canvas, area);
	}
	time_line_draw(&desk->time, session, canvas,
		       (struct rect){ desk->entry.open ? canvas->rows - bottom
						       : canvas->rows - 1 - time_rows,
				      0, time_rows, canvas->cols });
	if (desk->entry.open) {
		struct canvas line;

		bottom -= time_rows;
		desk->entry_rect = (struct rect){ canvas->rows - bottom, 0, bottom, canvas->cols };
		line = canvas_sub(canvas, desk->entry_rect);
		canvas_clear(&line);
		*cursor_col = prompt_draw(&desk->entry.prompt, &line);
		*cursor_row = desk->entry_rect.row;
		desk->bar_row = -1;
	} else {
		if (hint_rows(desk, canvas))
			first_hints_draw(&desk->hints, desk->bindings, desk->shown->def->action,
					 canvas, canvas->rows - 2 - time_rows);
		draw_bottom(desk, canvas);
		desk_export_draw(desk, canvas, canvas->rows - 1);
	}
	if (desk->menus.kind != MENU_NONE)
		menu_draw(&desk->menus.menu, canvas);
	toast_draw(&session->toast, canvas, top, session->clock_ns);
	if (session->options->accessible)
		desk_place_cursor(desk, canvas, cursor_row, cursor_col);
	session->dirty = false;
}

static void take_event(struct desk *desk, const struct input_event *event)
{
	desk->session.dirty = true;
	if (event->kind == EVENT_MOUSE || event->kind == EVENT_PASTE)
		desk_drop_keys(desk);
	exporting_read_all(&desk->export.exporting);
	switch (event->kind) {
	case EVENT_KEY:
		toast_dismiss(&desk->session.toast);
		desk_key(desk, event->key);
		break;
	case EVENT_MOUSE:
		desk_mouse(desk, event);
		break;
	case EVENT_PASTE:
		/* Nowhere else is what was pasted anything that was meant. */
		if (desk->entry.open)
			prompt_insert(&desk->entry.prompt, event->paste, event->paste_bytes);
		else if (desk->menus.kind != MENU_NONE && desk->menus.menu.show_filter)
			menu_paste(&desk->menus.menu, event->paste, event->paste_bytes);
		break;
	default:
		break;
	}
}

void desk_event(struct desk *desk, const struct input_event *event)
{
	take_event(desk, event);
	desk_setup_look(desk);
}
