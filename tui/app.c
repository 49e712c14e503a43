#include "tui/app.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/command.h"
#include "tui/background.h"
#include "tui/desk_catch.h"
#include "tui/desk_flight.h"
#include "tui/desk_settings.h"
#include "tui/desk_setup.h"
#include "tui/errands.h"
#include "tui/key_name.h"
#include "tui/signals.h"
#include "tui/starter.h"
#include "tui/theme_choice.h"
#include "widgets/screen.h"
#include "widgets/screen_input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* At most so often, but for the answer to a key. */
#define FRAME_NS (NS_PER_S / 60)
#define CALM_FRAME_NS NS_PER_S
/* New data is taken so often while no calls come, otherwise as often as was chosen. */
#define TICK_QUIET_NS (NS_PER_S / 4)
/* What takes long has some milliseconds of each of these; keys have the rest. */
#define WORK_EVERY_NS (10 * NS_PER_MS)
#define WORK_EVERY_HURRY_NS (5 * NS_PER_MS)
/* The first frame waits so long for the engine: most failures then leave no flicker. */
#define START_WAIT_MS 20
/* Keys that queued up behind a slow terminal are all taken before the next frame. */
#define EVENTS_PER_TURN 256
#define PRIORITY (-10)

enum poll_slot {
	POLL_INPUT,
	POLL_SCREEN, /* for writing, while the terminal is behind */
	POLL_SIGNALS,
	POLL_STARTER,
	POLL_OUTPUT,
	POLL_COMMAND,
	POLL_CATCH,
	POLL_ERRANDS,
	POLL_COUNT
};

struct app {
	struct screen *screen;
	struct bindings *bindings;
	struct theme_choice theme;
	struct err theme_err; /* what is wrong with it; empty: nothing */
	struct signals signals;
	struct starter starter;
	struct command_output output;
	struct background *background;
	struct errands *errands;
	struct desk desk;
	struct engine *engine;
	struct command *command;
	bool starting; /* the starter has not been joined */
	bool refused;  /* it was joined, and this user may not watch */
	bool input_left; /* read, but not taken yet */
	bool touched;    /* there was input since the last frame */
	bool leaving;
	bool answers; /* a key was taken: the next frame does not wait for its turn */
	bool left_by_key; /* which is when settings are kept */
	struct settings *settings;
	int status;
	struct err *err;
	uint64_t drawn_ns, worked_ns, ticked_ns, tick_every_ns;
	uint64_t generation; /* of the model at the last tick */
};

static void leave(struct app *app, int status)
{
	app->leaving = true;
	app->status = status;
}

/* ---- what comes in ---- */

static void suspend(struct app *app)
{
	screen_suspend(app->screen);
	signals_stop_here();
	screen_resume(app->screen);
	screen_check_size(app->screen);
	app->desk.session.dirty = true;
}

static void copy(struct app *app, struct desk *desk)
{
	struct session *session = &desk->session;
	const char *way = screen_copy_way(app->screen) == SCREEN_COPY_BY_TMUX
			  ? " (by tmux, if its set-clipboard is on)" : "";
	char key[KEY_NAME_TEXT_BYTES];

	switch (screen_copy(app->screen, desk->copy.data, desk->copy.len)) {
	case 0:
		if (desk->page.open)
			session_say(session, ROLE_TEXT, "Copied the page%s", way);
		else if (desk->menus.kind == MENU_THEMES)
			session_say(session, ROLE_TEXT, "Copied the theme%s", way);
		else
			session_say(session, ROLE_TEXT, "Copied%s: %s", way, desk->copy.data);
		break;
	case -E2BIG:
		session_say(session, ROLE_WARN, "That is too long for the clipboard; %s writes it "
			    "to a file", key_name(key, session, ACTION_EXPORT));
		break;
	case -EOPNOTSUPP:
		session_say(session, ROLE_WARN, "A terminal of type %s has no clipboard to copy "
			    "to; %s writes to a file", getenv("TERM"),
			    key_name(key, session, ACTION_EXPORT));
		break;
	default:
		session_say(session, ROLE_WARN, "Not copied: the terminal is behind; try again");
		break;
	}
}

/* What was chosen of it. The screen must not have a theme that is freed. */
static void take_look(struct app *app)
{
	const struct settings *settings = app->settings;
	struct desk *desk = &app->desk;
	struct err err;
	int rc = 0;

	if (strcmp(desk_setup_theme(desk), app->theme.name.data))
		rc = theme_choice_set(&app->theme, desk_setup_theme(desk), &err);
	if (rc)
		session_say(&desk->session, ROLE_WARN, "%s", err.text);
	desk->theme = app->theme.theme;
	screen_set_theme(app->screen, app->theme.theme);
	screen_set_ascii(app->screen, settings_is_on(settings, SETTING_ASCII));
	screen_set_mouse(app->screen, settings_is_on(settings, SETTING_MOUSE));
	desk->session.dirty = true;
}

static void grant_wish(struct app *app)
{
	struct desk *desk = &app->desk;
	enum desk_wish wish = desk->wish;

	desk->wish = WISH_NONE;
	switch (wish) {
	case WISH_NONE:
		break;
	case WISH_QUIT:
		app->left_by_key = true;
		if (app->refused)
			*app->err = app->starter.err;
		leave(app, app->refused ? 1 :
		      desk->session.command_ended ? desk->session.command_status : 0);
		break;
	case WISH_SUSPEND:
		suspend(app);
		break;
	case WISH_REDRAW:
		screen_redraw(app->screen);
		break;
	case WISH_COPY:
		copy(app, desk);
		break;
	case WISH_LOOK:
		take_look(app);
		break;
	case WISH_AGAIN:
		app->left_by_key = true;
		leave(app, APP_AGAIN);
		break;
	}
}

static void hung_up(struct app *app)
{
	err_set(app->err, -EIO, "the terminal is gone");
	if (app->command)
		command_signal(app->command, SIGHUP);
	leave(app, 1);
}

static void take_input(struct app *app)
{
	struct input_event event;

	app->input_left = false;
	for (int i = 0; i < EVENTS_PER_TURN && !app->leaving; i++) {
		if (!screen_input_next(app->screen, &event))
			return;
		app->touched = true;
		if (event.kind == EVENT_HANGUP) {
			hung_up(app);
			return;
		}
		desk_event(&app->desk, &event);
		app->answers = true;
		grant_wish(app);
		/* The next key may mean the row that this one selected. */
		desk_refresh(&app->desk, false);
	}
	app->input_left = true;
}

static void take_signals(struct app *app)
{
	int number;

	while ((number = signals_next(&app->signals))) {
		switch (number) {
		case SIGWINCH:
			screen_check_size(app->screen);
			app->desk.session.dirty = app->touched = true;
			break;
		case SIGTSTP:
			suspend(app);
			break;
		case SIGCONT:
			/* After a SIGSTOP the shell has had the terminal. */
			screen_take_again(app->screen);
			app->desk.session.dirty = true;
			break;
		case SIGUSR1:
			desk_flight_signal(&app->desk);
			break;
		case SIGHUP:
			hung_up(app);
			return;
		default:
			if (app->command)
				command_signal(app->command, SIGTERM);
			leave(app, 0);
			return;
		}
	}
}

/*
 * Where the watched want all processors, a key would wait for them. Once the engine's threads
 * are there, which would inherit it. Where we may not, it has to wait.
 */
static void go_before_others(void)
{
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* of this thread alone */
}

/* Of what is to be watched now; a recording may be somebody else's file for all we know. */
static bool is_refusal(const struct starter *starter)
{
	return !starter->options.recording && (starter->rc == -EACCES || starter->rc == -EPERM ||
					       starter->rc == -ENOENT || starter->rc == -ENOSYS);
}

static void engine_started(struct app *app)
{
	starter_end(&app->starter);
	app->starting = false;
	app->refused = is_refusal(&app->starter);
	if (app->refused) {
		desk_refuse(&app->desk, app->starter.err.text);
		return;
	}
	if (app->starter.rc) {
		*app->err = app->starter.err;
		leave(app, 1);
		return;
	}
	go_before_others();
	session_started(&app->desk.session);
	desk_catch_start(&app->desk);
	desk_flight_start(&app->desk);
	app->ticked_ns = 0;
}

static void take_command_end(struct app *app)
{
	struct session *session = &app->desk.session;

	if (!app->command || app->starting || session->command_ended)
		return;
	if (!command_ended(app->command, &session->command_status))
		return;
	session->command_ended = true;
	session->dirty = true;
}

static void take_errands(struct app *app)
{
	errands_seen(app->errands);
	desk_refresh(&app->desk, false);
	app->desk.session.dirty = true;
}

/* ---- the loop ---- */

static void tick(struct app *app, uint64_t now)
{
	struct session *session = &app->desk.session;

	session->clock_ns = now;
	desk_refresh(&app->desk, true);
	take_command_end(app);
	app->tick_every_ns = session->status.model.generation != app->generation
			     || session->refresh_ns > TICK_QUIET_NS
			     ? session->refresh_ns : TICK_QUIET_NS;
	app->generation = session->status.model.generation;
	app->ticked_ns = now;
}

static void work(struct app *app, uint64_t now)
{
	desk_work(&app->desk);
	app->worked_ns = now;
}

static void draw(struct app *app, uint64_t now)
{
	int row, col;

	/* Frames that nobody sees would only queue up. */
	if (screen_is_behind(app->screen))
		return;
	app->touched = false;
	desk_draw(&app->desk, screen_canvas(app->screen), &row, &col);
	screen_set_cursor(app->screen, row, col);
	screen_show(app->screen);
	app->drawn_ns = now;
}

/* UINT64_MAX: there is none. */
static uint64_t next_work_ns(const struct app *app)
{
	bool hurry;

	if (!desk_has_work(&app->desk, &hurry))
		return UINT64_MAX;
	return app->worked_ns + (hurry ? WORK_EVERY_HURRY_NS : WORK_EVERY_NS);
}

/* Who listens to the screen hears each change of it: but for keys they come seldom. */
static uint64_t next_frame_ns(const struct app *app)
{
	bool calm = app->desk.session.options->accessible && !app->touched;

	return app->drawn_ns + (calm ? CALM_FRAME_NS : FRAME_NS);
}

/* Until the next frame, tick or bit of work, in ms, rounded up so as not to spin. */
static int timeout_ms(const struct app *app, uint64_t now)
{
	uint64_t until = app->ticked_ns + app->tick_every_ns;

	if (app->input_left)
		return 0;
	if (app->desk.session.dirty && screen_behind_fd(app->screen) < 0 &&
	    next_frame_ns(app) < until)
		until = next_frame_ns(app);
	if (next_work_ns(app) < until)
		until = next_work_ns(app);
	return until <= now ? 0 : (int)((until - now + NS_PER_MS - 1) / NS_PER_MS);
}

static void wait_for_something(struct app *app, struct pollfd *fds)
{
	int timeout = timeout_ms(app, clock_now_ns());
	bool running = app->command && !app->starting && !app->desk.session.command_ended;

	fds[POLL_INPUT].fd = screen_input_fd(app->screen);
	fds[POLL_SCREEN].fd = screen_behind_fd(app->screen);
	fds[POLL_SIGNALS].fd = app->signals.fd;
	fds[POLL_STARTER].fd = app->starting ? app->starter.fd : -1;
	fds[POLL_OUTPUT].fd = app->output.fd;
	fds[POLL_CATCH].fd = app->starting ? -1 : engine_catch_fd(app->engine);
	fds[POLL_ERRANDS].fd = errands_fd(app->errands);
	fds[POLL_COMMAND].fd = running ? command_fd(app->command) : -1;
	for (int i = 0; i < POLL_COUNT; i++) {
		fds[i].events = POLLIN;
		fds[i].revents = 0;
	}
	fds[POLL_SCREEN].events = POLLOUT;
	if (poll(fds, POLL_COUNT, timeout) < 0)
		for (int i = 0; i < POLL_COUNT; i++)
			fds[i].revents = 0;
}

static void turn(struct app *app)
{
	struct pollfd fds[POLL_COUNT];
	uint64_t now;

	wait_for_something(app, fds);
	now = clock_now_ns();
	app->desk.session.clock_ns = now;
	if (fds[POLL_SIGNALS].revents)
		take_signals(app);
	if (!app->leaving && (fds[POLL_INPUT].revents || app->input_left))
		take_input(app);
	if (!app->leaving && fds[POLL_STARTER].revents)
		engine_started(app);
	if (fds[POLL_OUTPUT].revents && command_output_read(&app->output))
		app->desk.session.dirty = true;
	if (fds[POLL_COMMAND].revents)
		take_command_end(app);
	if (fds[POLL_CATCH].revents)
		desk_catch_look(&app->desk);
	if (fds[POLL_ERRANDS].revents)
		take_errands(app);
	if (app->desk.rings)
		screen_bell(app->screen);
	app->desk.rings = false;
	if (app->leaving)
		return;
	/* Who pressed a key sees what it did before anything else is looked at. */
	if (app->answers && app->desk.session.dirty)
		draw(app, now);
	app->answers = false;
	if (now >= app->ticked_ns + app->tick_every_ns)
		tick(app, now);
	else if (now >= next_work_ns(app))
		work(app, now);
	if (app->desk.session.dirty && now >= next_frame_ns(app))
		draw(app, now);
}

static void loop(struct app *app)
{
	desk_refresh(&app->desk, false);
	draw(app, clock_now_ns());
	while (!app->leaving)
		turn(app);
}

/* ---- beginning and end ---- */

static void restore_and_say(void)
{
	static const char text[] = "stxtop: out of memory\n";

	screen_emergency_restore();
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		return; /* nobody is left to tell */
}

static int open_screen(struct app *app, const struct options *options)
{
	struct screen_options how = {
		.theme = app->theme.theme,
		.ascii = options->ascii,
		.no_color = options->no_color,
		.no_mouse = options->no_mouse,
	};
	int rc = screen_open(&app->screen, &how, app->err);

	if (!rc)
		mem_on_exhaustion(restore_and_say);
	return rc;
}

static int begin_start(struct app *app, const struct options *options)
{
	int rc = starter_begin(&app->starter, app->engine, &options->engine, app->command,
			       app->err);

	app->starting = !rc;
	return rc;
}

/* Without a terminal yet. A command must not run before it is known that there is one. */
static int start_early(struct app *app, const struct options *options)
{
	struct pollfd fd = { .events = POLLIN };
	int rc;

	if (app->command)
		return 0;
	rc = begin_start(app, options);
	if (rc)
		return rc;
	fd.fd = app->starter.fd;
	if (poll(&fd, 1, START_WAIT_MS) != 1)
		return 0;
	starter_end(&app->starter);
	app->starting = false;
	app->refused = is_refusal(&app->starter);
	if (app->starter.rc && !app->refused)
		*app->err = app->starter.err;
	return app->refused ? 0 : app->starter.rc;
}

/* A file that could not be written whole is said when the terminal is back. */
static void close_catches(struct app *app)
{
	struct err err;

	/* Who was stopped need not wait for it. */
	if (!app->starting)
		engine_resume(app->engine);
	if (!catching_close(&app->desk.catching, &err) || app->err->text[0])
		return;
	*app->err = err;
	app->status = 1;
}

static void run(struct app *app, const struct options *options)
{
	struct command *command = app->command;
	/* Where main opened no pipe there is nothing to read; 0 is our own input. */
	int output_fd = command && options->command_output_fd > 0
			? options->command_output_fd : -1;

	command_output_init(&app->output, output_fd);
	desk_init(&app->desk, app->engine, options, command, app->bindings, &app->output);
	app->desk.session.background = app->background;
	app->desk.theme = app->theme.theme;
	app->desk.session.errands = app->errands;
	desk_settings_take(&app->desk, app->settings);
	if (app->theme_err.text[0])
		session_say(&app->desk.session, ROLE_WARN, "%s", app->theme_err.text);
	if (app->refused) {
		desk_refuse(&app->desk, app->starter.err.text);
	} else if (!app->starting && !app->command) {
		go_before_others();
		session_started(&app->desk.session);
		desk_catch_start(&app->desk);
		desk_flight_start(&app->desk);
	}
	if (app->command && begin_start(app, options))
		app->status = 1;
	else
		loop(app);
	background_free(app->background);
	app->background = NULL;
	close_catches(app);
	desk_settings_collect(&app->desk);
	desk_release(&app->desk);
	command_output_release(&app->output);
}

/* The exit status; app->err says why it is 1. */
static int run_on_screen(struct app *app, const struct options *options)
{
	int status = 1;

	if (!start_early(app, options) && !open_screen(app, options)) {
		run(app, options);
		screen_close(app->screen);
		status = app->status;
	}
	if (app->starting)
		starter_end(&app->starter);
	return status;
}

/*
 * A theme with wrong lines is one nevertheless. None at all is a mistake of who asked for it
 * now; who chose it once is told.
 */
static int choose_theme(struct app *app, const char *name)
{
	int rc = theme_choice_set(&app->theme, name, &app->theme_err);

	if (!rc || rc == -EINVAL || !settings_is_given(app->settings, SETTING_THEME))
		return 0;
	*app->err = app->theme_err;
	return rc;
}

/* What cannot be kept is said, but no reason to have failed. */
static void keep_settings(struct app *app)
{
	struct err err;

	if (app->left_by_key && settings_save(app->settings, &err) && !app->err->text[0])
		*app->err = err;
}

int app_run(struct engine *engine, const struct options *options, struct command *command,
	    struct bindings *bindings, struct settings *settings, struct err *err)
{
	struct app *app = mem_zalloc(1, sizeof(*app));
	int status = 1;

	err->text[0] = '\0';
	app->engine = engine;
	app->command = command;
	app->err = err;
	app->bindings = bindings;
	app->settings = settings;
	theme_choice_init(&app->theme);
	if (!choose_theme(app, options->theme) &&
	    !signals_open(&app->signals, screen_emergency_restore, err)) {
		if (!background_new(&app->background, err) && !errands_new(&app->errands, err))
			status = run_on_screen(app, options);
		errands_free(app->errands);
		background_free(app->background);
		signals_close(&app->signals);
		keep_settings(app);
	}
	theme_choice_release(&app->theme);
	free(app);
	return status;
}
