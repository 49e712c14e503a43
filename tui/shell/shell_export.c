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

#define SHOWN_BYTES 128

void shell_export_init(struct shell *shell)
{
	exporting_init(&shell->export.exporting);
	str_init(&shell->export.path);
	path_choice_init(&shell->export.paths);
	shell->entry.paths = &shell->export.paths;
}

void shell_export_release(struct shell *shell)
{
	exporting_release(&shell->export.exporting);
	str_release(&shell->export.path);
	path_choice_release(&shell->export.paths);
	if (shell->export.has_screen)
		canvas_release(&shell->export.screen);
	shell->export.has_screen = false;
}

/* ---- content ---- */

static void take_subject(struct shell *shell, struct export_subject *subject)
{
	struct pane *pane = view_focused(shell->shown);

	memset(subject, 0, sizeof(*subject));
	if (shell->page.open)
		subject->name = shell->page.is_detail ? "detail" : "help";
	else if (pane->ops->exports)
		pane->ops->exports(pane->self, &shell->session, subject);
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

static bool is_possible(const struct shell *shell, const struct export_subject *subject,
			enum export_format format)
{
	switch (format) {
	case EXPORT_TEXT:
		return shell->page.open || (subject->table && rows_of(subject)) ||
		       (subject->is_calls && has_calls(subject));
	case EXPORT_JSON:
	case EXPORT_CSV:
		return subject->add_row
			       ? subject->row_count > 0
			       : (subject->table && rows_of(subject)) || has_calls(subject);
	case EXPORT_FOLDED:
		return subject->folded && has_calls(subject) &&
		       shell->session.options->engine.stacks != STACKS_OFF;
	case EXPORT_TRACE:
		return has_calls(subject) && !subject->add_row;
	case EXPORT_SCREEN:
	case EXPORT_SCREEN_ANSI:
	case EXPORT_FORMAT_COUNT:
		break;
	}
	return true;
}

/* Store the screen before the dialogs of the export cover it. */
static void store_screen(struct shell *shell)
{
	struct shell_export *export = &shell->export;
	int row, col;

	if (export->has_screen)
		canvas_release(&export->screen);
	canvas_init(&export->screen, shell->rows, shell->cols, shell->ascii);
	export->has_screen = true;
	shell->ops->draw(shell, &export->screen, &row, &col);
	shell->session.dirty = true;
}

static void open_menu(struct shell *shell)
{
	struct menu *menu = &shell->menus.menu;
	struct export_subject subject;
	struct str title = STR_INIT;

	store_screen(shell);
	take_subject(shell, &subject);
	shell->export.name = subject.name;
	menus_close(&shell->menus);
	shell->menus.kind = MENU_EXPORT;
	str_addf(&title, "Write to a file: %s", subject.name ? subject.name : "the screen");
	menu_open(menu, title.data, true);
	for (int i = 0; i < EXPORT_FORMAT_COUNT; i++) {
		if (!is_possible(shell, &subject, (enum export_format)i))
			continue;
		str_clear(&title);
		str_addf(&title, "%-17s %s", export_formats[i].name, export_formats[i].help);
		menu_add(menu, i, title.data, "", false);
	}
	drop_subject(&subject);
	str_release(&title);
}

/* ---- path ---- */

static void open_entry(struct shell *shell, const char *path)
{
	menus_close(&shell->menus);
	entry_line_open(&shell->entry, ENTRY_EXPORT, path);
	prompt_set_hint(&shell->entry.prompt, PROMPT_NO_PLACE,
			"Tab completes names; the file is readable by its owner only");
}

/* Append a path with the time in seconds, so that the user need not choose a name. */
static void default_path(const struct shell *shell, struct str *out)
{
	enum export_format format = shell->export.format;
	time_t now = time(NULL);
	char stamp[32] = "";
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	str_addf(out, "stxtop-%s-%s%s",
		 format >= EXPORT_SCREEN || !shell->export.name ? "screen" : shell->export.name,
		 stamp, export_formats[format].suffix);
}

static void choose_format(struct shell *shell, enum export_format format)
{
	struct str path = STR_INIT;

	shell->export.format = format;
	default_path(shell, &path);
	open_entry(shell, path.data);
	str_release(&path);
}

static void open_replace(struct shell *shell)
{
	struct str title = STR_INIT;
	char shown[SHOWN_BYTES];

	str_addf(&title, "%s already exists: replace it?",
		 escape_name(shown, sizeof(shown), shell->export.path.data));
	entry_line_close(&shell->entry, false);
	menus_close(&shell->menus);
	menus_open_question(&shell->menus, MENU_REPLACE, title.data, "No, choose another name",
			    "Yes, replace it");
	str_release(&title);
}

/* Make the text of an export of the screen or a page. False: the export has rows of a pane. */
static bool make_text(struct shell *shell, struct str *text)
{
	const struct theme *theme = shell->theme ? shell->theme : theme_default();

	if (shell->export.format == EXPORT_SCREEN)
		canvas_save_text(&shell->export.screen, text);
	else if (shell->export.format == EXPORT_SCREEN_ANSI)
		canvas_save_ansi(&shell->export.screen, theme,
				 shell->session.options->no_color ? 0 : 256, text);
	else if (shell->page.open)
		help_text(&shell->page.help, text);
	else
		return false;
	return true;
}

static void begin(struct shell *shell, bool replace)
{
	struct shell_export *export = &shell->export;
	struct export_subject subject;
	struct str text = STR_INIT;
	bool is_text = make_text(shell, &text);
	struct err err;

	take_subject(shell, &subject);
	if (exporting_begin(&export->exporting, &shell->session, &subject, export->format,
			    is_text ? text.data : NULL, export->path.data, replace, &err)) {
		drop_subject(&subject);
		session_say(&shell->session, ROLE_WARN, "%s", err.text);
	}
	str_release(&text);
}

bool shell_export_accept(struct shell *shell)
{
	struct prompt *prompt = &shell->entry.prompt;

	if (shell->entry.kind != ENTRY_EXPORT)
		return false;
	if (!*prompt_text(prompt)) {
		prompt_set_error(prompt, 0, "expected a file name");
		return true;
	}
	if (exporting_runs(&shell->export.exporting))
		return true; /* already in progress */
	str_clear(&shell->export.path);
	path_choice_expand(prompt_text(prompt), &shell->export.path);
	begin(shell, false);
	return true;
}

bool shell_export_cancel(struct shell *shell)
{
	if (shell->entry.kind != ENTRY_EXPORT)
		return false;
	exporting_stop(&shell->export.exporting);
	entry_line_close(&shell->entry, false);
	return true;
}

bool shell_export_choose(struct shell *shell, int id)
{
	switch (shell->menus.kind) {
	case MENU_EXPORT:
		choose_format(shell, (enum export_format)id);
		return true;
	case MENU_REPLACE:
		menus_close(&shell->menus);
		if (id)
			begin(shell, true);
		else
			open_entry(shell, shell->export.path.data);
		return true;
	case MENU_UNWRITTEN:
		menus_close(&shell->menus);
		if (id) {
			exporting_stop(&shell->export.exporting);
			shell->request = REQUEST_QUIT;
		}
		return true;
	default:
		return false;
	}
}

/* ---- progress ---- */

bool shell_export_stop(struct shell *shell)
{
	struct exporting *exporting = &shell->export.exporting;

	if (!exporting_runs(exporting) || exporting->stopping)
		return false;
	exporting_stop(exporting);
	return true;
}

static void ask_to_leave(struct shell *shell)
{
	menus_close(&shell->menus);
	menus_open_question(&shell->menus, MENU_UNWRITTEN,
			    "A file is still being written: quit and discard it?", "No, stay",
			    "Yes, quit");
}

bool shell_export_act(struct shell *shell, enum action action)
{
	struct exporting *exporting = &shell->export.exporting;

	switch (action) {
	case ACTION_EXPORT:
		if (exporting_runs(exporting))
			session_say(&shell->session, ROLE_WARN,
				    "A file is being written; Esc cancels");
		else
			open_menu(shell);
		return true;
	case ACTION_QUIT:
		if (!exporting_runs(exporting))
			return false;
		ask_to_leave(shell);
		return true;
	default:
		return false;
	}
}

/* Under sudo the file belongs to root: explain why the user cannot read it. */
static const char *owner_note(void)
{
	const char *user = getenv("SUDO_USER");

	return !geteuid() && user && *user ? "; owned by root, sudo chown changes that" : "";
}

static void say_done(struct shell *shell)
{
	struct exporting *exporting = &shell->export.exporting;
	char bytes[UNITS_TEXT_BYTES], rows[UNITS_TEXT_BYTES], missing[UNITS_TEXT_BYTES];
	char shown[SHOWN_BYTES];
	struct str text = STR_INIT;

	str_addf(&text, "Wrote %s", escape_name(shown, sizeof(shown), exporting->path.data));
	if (exporting->rows)
		str_addf(&text, ", %s %s", units_format_count(rows, exporting->rows),
			 exporting->of_calls ? "calls" : "rows");
	str_addf(&text, ", %s%s", units_format_bytes(bytes, exporting->bytes), owner_note());
	if (exporting->missing)
		str_addf(&text, "; %s calls were evicted before they were read",
			 units_format_count(missing, exporting->missing));
	session_say(&shell->session, exporting->missing ? ROLE_WARN : ROLE_TEXT, "%s", text.data);
	str_release(&text);
}

static void take_news(struct shell *shell, enum exporting_news news)
{
	struct exporting *exporting = &shell->export.exporting;
	struct session *session = &shell->session;
	bool typing = shell->entry.open && shell->entry.kind == ENTRY_EXPORT;

	switch (news) {
	case EXPORTING_NO_NEWS:
		return;
	case EXPORTING_EXISTS:
		open_replace(shell);
		break;
	case EXPORTING_REFUSED:
		if (!typing)
			open_entry(shell, exporting->path.data);
		prompt_set_error(&shell->entry.prompt, PROMPT_NO_PLACE, exporting->err.text);
		break;
	case EXPORTING_STARTED:
		if (typing)
			entry_line_close(&shell->entry, true);
		break;
	case EXPORTING_FAILED:
		session_say(session, ROLE_ERROR, "%s", exporting->err.text);
		break;
	case EXPORTING_STOPPED:
		session_say(session, ROLE_WARN, "Export cancelled; nothing kept");
		break;
	case EXPORTING_DONE:
		say_done(shell);
		break;
	}
	session->dirty = true;
}

void shell_export_work(struct shell *shell)
{
	struct shell_export *export = &shell->export;
	struct session *session = &shell->session;

	if (shell->entry.open && entry_line_is_path(&shell->entry))
		path_choice_look(&export->paths, session->background,
				 prompt_text(&shell->entry.prompt));
	take_news(shell, exporting_look(&export->exporting, session));
}

bool shell_export_reads(const struct shell *shell)
{
	return shell->export.exporting.phase == EXPORTING_READS;
}

void shell_export_draw(const struct shell *shell, struct canvas *canvas, int row)
{
	const struct exporting *exporting = &shell->export.exporting;
	struct str text = STR_INIT;
	int cols;

	if (!exporting_runs(exporting))
		return;
	str_add(&text, " ");
	exporting_say(exporting, &text);
	str_add(&text, exporting->stopping ? " cancelling " : "  Esc cancels ");
	cols = utf8_text_width(text.data, text.len);
	if (cols > canvas->cols)
		cols = canvas->cols;
	canvas_field(canvas, row, canvas->cols - cols, cols, ALIGN_LEFT, ROLE_TOP_VALUE, text.data,
		     text.len);
	str_release(&text);
}
