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
#include "tui/shell/shell_memory_usage.h"
#include "tui/shell/shell_mouse.h"
#include "tui/shell/shell_record.h"
#include "tui/shell/shell_recording_info.h"
#include "tui/shell/shell_settings.h"
#include "tui/shell/shell_settings_menu.h"
#include "tui/shell/shell_time.h"
#include "tui/view/files_pane.h"
#include "widgets/title.h"

#include <stdio.h>
#include <string.h>

/* With fewer rows, the panes get the row of the function bar. */
#define BAR_FROM_ROWS 8

static struct view *first_view(struct shell *shell, const struct options *options)
{
	for (int i = 0; options->view && i < SHELL_VIEW_COUNT; i++)
		if ((int)shell->views[i].def->action == options->view)
			return &shell->views[i];
	return &shell->views[SHELL_OVERVIEW];
}

static const struct shell_ops ops = {
	.act = shell_act,
	.refresh = shell_refresh,
	.draw = shell_draw,
	.drop_keys = shell_drop_keys,
};

void shell_init(struct shell *shell, struct engine *engine, const struct options *options,
		struct command *command, struct bindings *bindings,
		const struct command_output *output)
{
	memset(shell, 0, sizeof(*shell));
	shell->ops = &ops;
	session_init(&shell->session, engine, options, command);
	shell->bindings = bindings;
	shell->session.bindings = bindings;
	header_init(&shell->header);
	function_bar_init(&shell->bar, bindings, options->engine.recording != NULL);
	time_line_init(&shell->time);
	changes_init(&shell->changes);
	shell->session.changes = &shell->changes;
	overview_init(&shell->views[SHELL_OVERVIEW]);
	processes_view_init(&shell->views[SHELL_PROCESSES]);
	syscalls_view_init(&shell->views[SHELL_SYSCALLS]);
	calls_view_init(&shell->views[SHELL_CALLS]);
	blocked_view_init(&shell->views[SHELL_BLOCKED]);
	futexes_view_init(&shell->views[SHELL_FUTEXES]);
	files_view_init(&shell->views[SHELL_FILES]);
	stacks_view_init(&shell->views[SHELL_STACKS]);
	latency_view_init(&shell->views[SHELL_LATENCY]);
	compare_view_init(&shell->views[SHELL_COMPARE]);
	output_view_init(&shell->views[SHELL_OUTPUT], output);
	access_view_init(&shell->views[SHELL_ACCESS]);
	view_tabs_init(&shell->tabs, bindings, shell->views, SHELL_VIEW_COUNT);
	shell->shown = first_view(shell, options);
	shell->hints.demo = options->demo;
	event_choice_init(&shell->events, options);
	entry_line_init(&shell->entry, engine_filter_names(engine), &shell->events);
	filter_draft_init(&shell->draft);
	filter_saving_init(&shell->saving);
	catch_set_init(&shell->catch_set, engine, options);
	menus_init(&shell->menus);
	help_init(&shell->page.help);
	detail_page_init(&shell->page.detail);
	shell_export_init(shell);
	shell_record_init(shell);
	shell_flight_init(shell);
	shell_recording_info_init(shell);
	shell_memory_usage_init(shell);
	str_init(&shell->copy);
	shell->bar_row = -1;
	shell->search_step = 1;
	shell_say_keymap(shell);
}

void shell_release(struct shell *shell)
{
	for (int i = 0; i < SHELL_VIEW_COUNT; i++)
		view_release(&shell->views[i]);
	entry_line_release(&shell->entry);
	event_choice_release(&shell->events);
	filter_draft_release(&shell->draft);
	filter_saving_release(&shell->saving);
	catch_set_close(&shell->catch_set, NULL);
	menus_release(&shell->menus);
	help_release(&shell->page.help);
	detail_page_release(&shell->page.detail);
	shell_export_release(shell);
	shell_record_release(shell);
	shell_flight_release(shell);
	shell_recording_info_release(shell);
	shell_memory_usage_release(shell);
	changes_release(&shell->changes);
	str_release(&shell->copy);
	shell_settings_release(&shell->settings);
	session_release(&shell->session);
}

void shell_refresh(struct shell *shell, bool tick)
{
	struct session *session = &shell->session;

	/* Leave the rows unchanged for the few milliseconds in which an export reads them. */
	if (shell_export_reads(shell))
		return;
	session->tick = session->work = tick;
	session->shown_from_ns = 0;
	snapshot_take(session);
	if (tick) {
		session->busy = session->hurry = false;
		session_refresh(session);
		shell_time_look(shell);
		shell_compare_look(shell);
		shell_recording_info_look(shell);
		shell_memory_usage_look(shell);
		event_choice_look(&shell->events, session);
	}
	view_refresh(shell->shown, session);
	shell_filter_refresh(shell);
	if (tick) {
		shell_catch_look(shell);
		shell_record_look(shell);
		shell_flight_look(shell);
		shell_keys_tick(shell);
	}
	if (shell->page.open && shell->page.is_detail)
		detail_page_refresh(&shell->page.detail, session, shell->page.cols,
				    &shell->page.help);
	user_stack_focus_look(&shell->deep, session, shell->page.open);
	session->tick = session->work = false;
	shell_export_work(shell);
}

/* Continue the slow work of the panes; the rest of the screen stays as it is. */
static void work_on_panes(struct shell *shell)
{
	struct session *session = &shell->session;

	/* Before any other slow work, count the matches of the filter that is being typed. */
	if (shell_filter_work(shell)) {
		session->busy = true;
		return;
	}
	session->work = true;
	view_refresh(shell->shown, session);
	session->tick = session->work = false;
}

void shell_work(struct shell *shell)
{
	struct session *session = &shell->session;

	if (session->busy && !shell_export_reads(shell)) {
		session->busy = session->hurry = false;
		session_count_on(session);
		work_on_panes(shell);
		session->dirty = true;
	}
	shell_export_work(shell);
}

bool shell_has_work(const struct shell *shell, bool *hurry)
{
	*hurry = shell->session.hurry || shell_export_reads(shell);
	return shell->session.busy || exporting_runs(&shell->export.exporting);
}

void shell_refuse(struct shell *shell, const char *why)
{
	session_refused(&shell->session, why);
	shell->shown = &shell->views[SHELL_ACCESS];
	shell_refresh(shell, false);
}

/* ---- drawing ---- */

static void draw_page(struct shell *shell, struct canvas *canvas, struct rect area)
{
	struct canvas all = canvas_sub(canvas, area);
	struct canvas body = canvas_sub(&all,
					(struct rect){ 1, 1, area.rows - 1, shell->page.cols });

	char key[KEYSTROKES_BYTES], closes[KEYSTROKES_BYTES + 8];

	bindings_name(key, shell->bindings, ACTION_BACK, (struct key){ KEYS_ESC, 0 });
	snprintf(closes, sizeof(closes), "%s closes", key);
	canvas_clear(&all);
	title_draw(&all, 0, shell->page.title, closes, true);
	help_draw(&shell->page.help, &body);
}

static void draw_bottom(struct shell *shell, struct canvas *canvas)
{
	struct session *session = &shell->session;
	int row = canvas->rows - 1;
	struct canvas bar;

	shell->bar_row = -1;
	if (shell_draw_keys(shell, canvas))
		return;
	if (status_line_is_shown(&session->message, session->clock_ns)) {
		canvas_fill(canvas, (struct rect){ row, 0, 1, canvas->cols }, ' ', ROLE_TEXT);
		status_line_draw(&session->message, canvas, row, session->clock_ns);
		return;
	}
	if (canvas->rows < BAR_FROM_ROWS)
		return;
	shell->bar_cols = view_tabs_draw(&shell->tabs, canvas, row, shell->views, SHELL_VIEW_COUNT,
					 shell->shown);
	if (shell->bar_cols < canvas->cols)
		shell->bar_cols -= 2; /* gap before the tabs */
	bar = canvas_sub(canvas, (struct rect){ row, 0, 1, shell->bar_cols });
	fbar_draw(&bar, 0, shell->bar.items, shell->bar.count);
	shell->bar_row = row;
}

static int hint_rows(const struct shell *shell, const struct canvas *canvas)
{
	return !shell->page.open && shell->session.phase == SESSION_RUNNING &&
	       first_hints_are_shown(&shell->hints, canvas->rows);
}

static int prompt_height(const struct shell *shell, const struct canvas *canvas)
{
	return prompt_rows(&shell->entry.prompt, canvas->rows > 2 ? canvas->rows / 2 + 1 : 1);
}

/* Return the rows taken at the bottom, time bar included. */
static int bottom_rows(struct shell *shell, const struct canvas *canvas, int time_rows)
{
	if (shell->entry.open)
		return prompt_height(shell, canvas) + time_rows;
	return (canvas->rows >= BAR_FROM_ROWS) + hint_rows(shell, canvas) + time_rows;
}

static void say_catches(struct shell *shell)
{
	struct str text = STR_INIT;

	shell->header.has_stopped = shell_catch_text(shell, &text);
	snprintf(shell->header.catches, sizeof(shell->header.catches), "%s", text.data);
	str_release(&text);
}

void shell_draw(struct shell *shell, struct canvas *canvas, int *cursor_row, int *cursor_col)
{
	struct session *session = &shell->session;
	int top = canvas->rows > 1 ? header_rows(session, canvas->rows) : 1;
	int time_rows = time_line_rows(&shell->time, session, canvas->rows);
	int bottom = bottom_rows(shell, canvas, time_rows);
	struct rect area = { top, 0, canvas->rows - top - bottom, canvas->cols };
	struct canvas header = canvas_sub(canvas, (struct rect){ 0, 0, top, canvas->cols });

	*cursor_row = -1;
	*cursor_col = 0;
	shell->rows = canvas->rows;
	shell->cols = canvas->cols;
	shell->ascii = canvas->ascii;
	shell->page.cols = canvas->cols - 2; /* a blank on either side */
	canvas_clear(canvas);
	say_catches(shell);
	header_draw(&shell->header, session, &header);
	if (!rect_is_empty(area)) {
		if (shell->page.open)
			draw_page(shell, canvas, area);
		else
			view_draw(shell->shown, session, canvas, area);
	}
	time_line_draw(&shell->time, session, canvas,
		       (struct rect){ shell->entry.open ? canvas->rows - bottom
							: canvas->rows - 1 - time_rows,
				      0, time_rows, canvas->cols });
	if (shell->entry.open) {
		struct canvas line;

		bottom -= time_rows;
		shell->entry_rect = (struct rect){ canvas->rows - bottom, 0, bottom, canvas->cols };
		line = canvas_sub(canvas, shell->entry_rect);
		canvas_clear(&line);
		*cursor_col = prompt_draw(&shell->entry.prompt, &line);
		*cursor_row = shell->entry_rect.row;
		shell->bar_row = -1;
	} else {
		if (hint_rows(shell, canvas))
			first_hints_draw(&shell->hints, shell->bindings, shell->shown->def->action,
					 canvas, canvas->rows - 2 - time_rows);
		draw_bottom(shell, canvas);
		shell_export_draw(shell, canvas, canvas->rows - 1);
	}
	if (shell->menus.kind != MENU_NONE)
		menu_draw(&shell->menus.menu, canvas);
	toast_draw(&session->toast, canvas, top, session->clock_ns);
	if (session->options->accessible)
		shell_place_cursor(shell, canvas, cursor_row, cursor_col);
	session->dirty = false;
}

static void take_event(struct shell *shell, const struct input_event *event)
{
	shell->session.dirty = true;
	if (event->kind == EVENT_MOUSE || event->kind == EVENT_PASTE)
		shell_drop_keys(shell);
	exporting_read_all(&shell->export.exporting);
	switch (event->kind) {
	case EVENT_KEY:
		toast_dismiss(&shell->session.toast);
		shell_key(shell, event->key);
		break;
	case EVENT_MOUSE:
		shell_mouse(shell, event);
		break;
	case EVENT_PASTE:
		/* Outside of text input, a paste is ignored: its text must not act as keys. */
		if (shell->entry.open)
			prompt_insert(&shell->entry.prompt, event->paste, event->paste_bytes);
		else if (shell->menus.kind != MENU_NONE && shell->menus.menu.show_filter)
			menu_paste(&shell->menus.menu, event->paste, event->paste_bytes);
		break;
	default:
		break;
	}
}

void shell_event(struct shell *shell, const struct input_event *event)
{
	take_event(shell, event);
	shell_settings_menu_look(shell);
}
