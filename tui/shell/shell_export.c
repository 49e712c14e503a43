#include "tui/shell/shell_export.h"

#include "engine/base/escape.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "widgets/canvas/canvas_save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REPLACE_NO, REPLACE_YES };
enum { LEAVE_NO, LEAVE_YES };

#define SHOWN_BYTES 128

void desk_export_init(struct desk *desk)
{
	exporting_init(&desk->export.exporting);
	str_init(&desk->export.path);
	path_choice_init(&desk->export.paths);
	desk->entry.paths = &desk->export.paths;
}

void desk_export_release(struct desk *desk)
{
	exporting_release(&desk->export.exporting);
	str_release(&desk->export.path);
	path_choice_release(&desk->export.paths);
	if (desk->export.has_screen)
		canvas_release(&desk->export.screen);
	desk->export.has_screen = false;
}

/* ---- what there is ---- */

static void take_subject(struct desk *desk, struct export_subject *subject)
{
	struct pane *pane = view_focused(desk->shown);

	memset(subject, 0, sizeof(*subject));
	if (desk->page.open)
		subject->name = desk->page.is_detail ? "detail" : "help";
	else if (pane->ops->exports)
		pane->ops->exports(pane->self, &desk->session, subject);
}

static void drop_subject(struct export_subject *subject)
{
	free(subject->list);
}

static size_t rows_of(const struct export_subject *subject)
{
	const struct table *table = subject->table;

	return table ? table->ops->row_count(table->data) : subject->row_count;
}

static bool has_calls(const struct export_subject *subject)
{
	return subject->has_calls && (subject->from < subject->end || subject->list_count);
}

static bool is_possible(const struct desk *desk, const struct export_subject *subject,
			enum export_format format)
{
	switch (format) {
	case EXPORT_TEXT:
		return desk->page.open || (subject->table && rows_of(subject)) ||
		       (subject->is_calls && has_calls(subject));
	case EXPORT_JSON:
	case EXPORT_CSV:
		return subject->add_row
			       ? subject->row_count > 0
			       : (subject->table && rows_of(subject)) || has_calls(subject);
	case EXPORT_FOLDED:
		return subject->folded && has_calls(subject) &&
		       desk->session.options->engine.stacks != STACKS_OFF;
	case EXPORT_TRACE:
		return has_calls(subject) && !subject->add_row;
	case EXPORT_SCREEN:
	case EXPORT_SCREEN_ANSI:
	case EXPORT_FORMAT_COUNT:
		break;
	}
	return true;
}

/* As it is now: what is typed and chosen next is not meant. */
static void keep_screen(struct desk *desk)
{
	struct desk_export *export = &desk->export;
	int row, col;

	if (export->has_screen)
		canvas_release(&export->screen);
	canvas_init(&export->screen, desk->rows, desk->cols, desk->ascii);
	export->has_screen = true;
	desk_draw(desk, &export->screen, &row, &col);
	desk->session.dirty = true;
}

static void open_menu(struct desk *desk)
{
	struct menu *menu = &desk->menus.menu;
	struct export_subject subject;
	struct str title = STR_INIT;

	keep_screen(desk);
	take_subject(desk, &subject);
	desk->export.name = subject.name;
	menus_close(&desk->menus);
	desk->menus.kind = MENU_EXPORT;
	str_addf(&title, "Write to a file: %s", subject.name ? subject.name : "the screen");
	menu_open(menu, title.data, true);
	for (int i = 0; i < EXPORT_FORMAT_COUNT; i++) {
		if (!is_possible(desk, &subject, (enum export_format)i))
			continue;
		str_clear(&title);
		str_addf(&title, "%-17s %s", export_formats[i].name, export_formats[i].help);
		menu_add(menu, i, title.data, "", false);
	}
	drop_subject(&subject);
	str_release(&title);
}

/* ---- where to ---- */

static void open_entry(struct desk *desk, const char *path)
{
	menus_close(&desk->menus);
	entry_line_open(&desk->entry, ENTRY_EXPORT, path);
	prompt_set_hint(&desk->entry.prompt, PROMPT_NO_PLACE,
			"Tab completes names; the file will be readable by its owner alone");
}

/* Of the second: nobody has to think of another name. */
static void default_path(const struct desk *desk, struct str *out)
{
	enum export_format format = desk->export.format;
	time_t now = time(NULL);
	char stamp[32] = "";
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	str_addf(out, "stxtop-%s-%s%s",
		 format >= EXPORT_SCREEN || !desk->export.name ? "screen" : desk->export.name,
		 stamp, export_formats[format].suffix);
}

static void choose_format(struct desk *desk, enum export_format format)
{
	struct str path = STR_INIT;

	desk->export.format = format;
	default_path(desk, &path);
	open_entry(desk, path.data);
	str_release(&path);
}

static void open_replace(struct desk *desk)
{
	struct str title = STR_INIT;
	char shown[SHOWN_BYTES];

	str_addf(&title, "%s is there already",
		 escape_name(shown, sizeof(shown), desk->export.path.data));
	entry_line_close(&desk->entry, false);
	menus_close(&desk->menus);
	desk->menus.kind = MENU_REPLACE;
	menu_open(&desk->menus.menu, title.data, false);
	menu_add(&desk->menus.menu, REPLACE_NO, "Choose another name", "", false);
	menu_add(&desk->menus.menu, REPLACE_YES, "Replace it", "", false);
	str_release(&title);
}

/* What is no row of a pane. */
static bool make_text(struct desk *desk, struct str *text)
{
	const struct theme *theme = desk->theme ? desk->theme : theme_default();

	if (desk->export.format == EXPORT_SCREEN)
		canvas_save_text(&desk->export.screen, text);
	else if (desk->export.format == EXPORT_SCREEN_ANSI)
		canvas_save_ansi(&desk->export.screen, theme,
				 desk->session.options->no_color ? 0 : 256, text);
	else if (desk->page.open)
		help_text(&desk->page.help, text);
	else
		return false;
	return true;
}

static void begin(struct desk *desk, bool replace)
{
	struct desk_export *export = &desk->export;
	struct export_subject subject;
	struct str text = STR_INIT;
	bool is_text = make_text(desk, &text);
	struct err err;

	take_subject(desk, &subject);
	if (exporting_begin(&export->exporting, &desk->session, &subject, export->format,
			    is_text ? text.data : NULL, export->path.data, replace, &err)) {
		drop_subject(&subject);
		session_say(&desk->session, ROLE_WARN, "%s", err.text);
	}
	str_release(&text);
}

bool desk_export_accept(struct desk *desk)
{
	struct prompt *prompt = &desk->entry.prompt;

	if (desk->entry.kind != ENTRY_EXPORT)
		return false;
	if (!*prompt_text(prompt)) {
		prompt_set_error(prompt, 0, "a name is wanted");
		return true;
	}
	if (exporting_runs(&desk->export.exporting))
		return true; /* it is being made */
	str_clear(&desk->export.path);
	path_choice_expand(prompt_text(prompt), &desk->export.path);
	begin(desk, false);
	return true;
}

bool desk_export_cancel(struct desk *desk)
{
	if (desk->entry.kind != ENTRY_EXPORT)
		return false;
	exporting_stop(&desk->export.exporting);
	entry_line_close(&desk->entry, false);
	return true;
}

bool desk_export_choose(struct desk *desk, int id)
{
	switch (desk->menus.kind) {
	case MENU_EXPORT:
		choose_format(desk, (enum export_format)id);
		return true;
	case MENU_REPLACE:
		menus_close(&desk->menus);
		if (id == REPLACE_YES)
			begin(desk, true);
		else
			open_entry(desk, desk->export.path.data);
		return true;
	case MENU_UNWRITTEN:
		menus_close(&desk->menus);
		if (id == LEAVE_YES) {
			exporting_stop(&desk->export.exporting);
			desk->wish = WISH_QUIT;
		}
		return true;
	default:
		return false;
	}
}

/* ---- while it is written ---- */

bool desk_export_stop(struct desk *desk)
{
	struct exporting *exporting = &desk->export.exporting;

	if (!exporting_runs(exporting) || exporting->stopping)
		return false;
	exporting_stop(exporting);
	return true;
}

static void ask_to_leave(struct desk *desk)
{
	struct menu *menu = &desk->menus.menu;

	menus_close(&desk->menus);
	desk->menus.kind = MENU_UNWRITTEN;
	menu_open(menu, "A file is still being written", false);
	menu_add(menu, LEAVE_NO, "Stay", "", false);
	menu_add(menu, LEAVE_YES, "Leave without it", "", false);
}

bool desk_export_act(struct desk *desk, enum action action)
{
	struct exporting *exporting = &desk->export.exporting;

	switch (action) {
	case ACTION_EXPORT:
		if (exporting_runs(exporting))
			session_say(&desk->session, ROLE_WARN,
				    "A file is being written; Esc gives it up");
		else
			open_menu(desk);
		return true;
	case ACTION_QUIT:
		if (!exporting_runs(exporting))
			return false;
		ask_to_leave(desk);
		return true;
	default:
		return false;
	}
}

/* Under sudo it is not the person's own: they would wonder why they cannot read it. */
static const char *owner_note(void)
{
	const char *user = getenv("SUDO_USER");

	return !geteuid() && user && *user ? "; it is root's, sudo chown gives it to you" : "";
}

static void say_done(struct desk *desk)
{
	struct exporting *exporting = &desk->export.exporting;
	char bytes[UNITS_TEXT_BYTES], rows[UNITS_TEXT_BYTES], missing[UNITS_TEXT_BYTES];
	char shown[SHOWN_BYTES];
	struct str text = STR_INIT;

	str_addf(&text, "Wrote %s", escape_name(shown, sizeof(shown), exporting->path.data));
	if (exporting->rows)
		str_addf(&text, ", %s %s", units_format_count(rows, exporting->rows),
			 exporting->of_calls ? "calls" : "rows");
	str_addf(&text, ", %s%s", units_format_bytes(bytes, exporting->bytes), owner_note());
	if (exporting->missing)
		str_addf(&text, "; %s calls had left the history before it came to them",
			 units_format_count(missing, exporting->missing));
	session_say(&desk->session, exporting->missing ? ROLE_WARN : ROLE_TEXT, "%s", text.data);
	str_release(&text);
}

static void take_news(struct desk *desk, enum exporting_news news)
{
	struct exporting *exporting = &desk->export.exporting;
	struct session *session = &desk->session;
	bool typing = desk->entry.open && desk->entry.kind == ENTRY_EXPORT;

	switch (news) {
	case EXPORTING_NO_NEWS:
		return;
	case EXPORTING_EXISTS:
		open_replace(desk);
		break;
	case EXPORTING_REFUSED:
		if (!typing)
			open_entry(desk, exporting->path.data);
		prompt_set_error(&desk->entry.prompt, PROMPT_NO_PLACE, exporting->err.text);
		break;
	case EXPORTING_STARTED:
		if (typing)
			entry_line_close(&desk->entry, true);
		break;
	case EXPORTING_FAILED:
		session_say(session, ROLE_ERROR, "%s", exporting->err.text);
		break;
	case EXPORTING_STOPPED:
		session_say(session, ROLE_WARN, "Given up; nothing was kept of it");
		break;
	case EXPORTING_DONE:
		say_done(desk);
		break;
	}
	session->dirty = true;
}

void desk_export_work(struct desk *desk)
{
	struct desk_export *export = &desk->export;
	struct session *session = &desk->session;

	if (desk->entry.open && entry_line_is_path(&desk->entry))
		path_choice_look(&export->paths, session->background,
				 prompt_text(&desk->entry.prompt));
	take_news(desk, exporting_look(&export->exporting, session));
}

bool desk_export_reads(const struct desk *desk)
{
	return desk->export.exporting.phase == EXPORTING_READS;
}

void desk_export_draw(const struct desk *desk, struct canvas *canvas, int row)
{
	const struct exporting *exporting = &desk->export.exporting;
	struct str text = STR_INIT;
	int cols;

	if (!exporting_runs(exporting))
		return;
	str_add(&text, " ");
	exporting_say(exporting, &text);
	str_add(&text, exporting->stopping ? " giving up " : "  Esc gives it up ");
	cols = utf8_text_width(text.data, text.len);
	if (cols > canvas->cols)
		cols = canvas->cols;
	canvas_field(canvas, row, canvas->cols - cols, cols, ALIGN_LEFT, ROLE_TOP_VALUE, text.data,
		     text.len);
	str_release(&text);
}
