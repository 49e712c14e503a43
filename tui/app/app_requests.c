#include "tui/app/app_private.h"

#include "tui/session/key_name.h"
#include "tui/shell/shell_settings_menu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void app_suspend(struct app *app)
{
	screen_suspend(app->screen);
	signals_stop_here();
	screen_resume(app->screen);
	screen_check_size(app->screen);
	app->shell.session.dirty = true;
}

static void copy(struct app *app, struct shell *shell)
{
	struct session *session = &shell->session;
	const char *way = screen_copy_way(app->screen) == SCREEN_COPY_BY_TMUX
				  ? " (via tmux, if its set-clipboard is on)"
				  : "";
	char key[KEY_NAME_TEXT_BYTES];

	switch (screen_copy(app->screen, shell->copy.data, shell->copy.len)) {
	case 0:
		if (shell->page.open)
			session_say(session, ROLE_TEXT, "Copied the page%s", way);
		else if (shell->menus.kind == MENU_THEMES)
			session_say(session, ROLE_TEXT, "Copied the theme%s", way);
		else
			session_say(session, ROLE_TEXT, "Copied%s: %s", way, shell->copy.data);
		break;
	case -E2BIG:
		session_say(session, ROLE_WARN,
			    "Too long for the clipboard; %s writes it to a file",
			    key_name(key, session, ACTION_EXPORT));
		break;
	case -EOPNOTSUPP:
		session_say(session, ROLE_WARN,
			    "Terminal type %s has no clipboard; %s writes to a file",
			    getenv("TERM"), key_name(key, session, ACTION_EXPORT));
		break;
	default:
		session_say(session, ROLE_WARN, "Not copied: the terminal is busy; try again");
		break;
	}
}

/* Apply the settings of the screen. The screen must get the new theme: the old one is freed. */
static void take_look(struct app *app)
{
	const struct settings *settings = app->settings;
	struct shell *shell = &app->shell;
	struct err err;
	int rc = 0;

	if (strcmp(shell_settings_menu_theme(shell), app->theme.name.data))
		rc = theme_choice_set(&app->theme, shell_settings_menu_theme(shell), &err);
	if (rc)
		session_say(&shell->session, ROLE_WARN, "%s", err.text);
	shell->theme = app->theme.theme;
	screen_set_theme(app->screen, app->theme.theme);
	screen_set_ascii(app->screen, settings_is_on(settings, SETTING_ASCII));
	screen_set_mouse(app->screen, settings_is_on(settings, SETTING_MOUSE));
	shell->session.dirty = true;
}

void app_grant_request(struct app *app)
{
	struct shell *shell = &app->shell;
	enum shell_request request = shell->request;

	shell->request = REQUEST_NONE;
	switch (request) {
	case REQUEST_NONE:
		break;
	case REQUEST_QUIT:
		app->left_by_key = true;
		if (app->refused)
			*app->err = app->engine_starter.err;
		app_leave(app, app->refused                   ? 1
			       : shell->session.command_ended ? shell->session.command_status
							      : 0);
		break;
	case REQUEST_SUSPEND:
		app_suspend(app);
		break;
	case REQUEST_REDRAW:
		screen_redraw(app->screen);
		break;
	case REQUEST_COPY:
		copy(app, shell);
		break;
	case REQUEST_APPLY_SETTINGS:
		take_look(app);
		break;
	case REQUEST_AGAIN:
		app->left_by_key = true;
		app_leave(app, APP_AGAIN);
		break;
	}
}
