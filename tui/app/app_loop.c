#include "tui/app/app_private.h"

#include "engine/base/clock.h"
#include "tui/shell/shell_catch.h"
#include "tui/shell/shell_flight.h"
#include "widgets/terminal/screen_input.h"

#include <errno.h>
#include <poll.h>

/* Minimum interval between frames, except for the response to a key. */
#define FRAME_NS (NS_PER_S / 60)
#define CALM_FRAME_NS NS_PER_S
/* Minimum interval of ticks while no calls arrive; otherwise the refresh setting applies. */
#define TICK_QUIET_NS (NS_PER_S / 4)
/* Interval between steps of slow work, of a few milliseconds each; keys get the remaining time. */
#define WORK_EVERY_NS (10 * NS_PER_MS)
#define WORK_EVERY_HURRY_NS (5 * NS_PER_MS)
/* Maximum number of events handled before a frame; enough for keys queued by a slow terminal. */
#define EVENTS_PER_TURN 256

enum poll_slot {
	POLL_INPUT,
	POLL_SCREEN, /* polled for writing while output is queued */
	POLL_SIGNALS,
	POLL_ENGINE_STARTER,
	POLL_OUTPUT,
	POLL_COMMAND,
	POLL_CATCH,
	POLL_JOB_QUEUE,
	POLL_COUNT
};

/* ---- input ---- */

static void hung_up(struct app *app)
{
	err_set(app->err, -EIO, "the terminal is gone");
	if (app->command)
		command_signal(app->command, SIGHUP);
	app_leave(app, 1);
}

static void take_input(struct app *app)
{
	struct input_event event;

	app->input_left = false;
	for (int i = 0; i < EVENTS_PER_TURN && !app->leaving; i++) {
		if (!screen_input_next(app->screen, &event))
			return;
		app->referenced = true;
		if (event.kind == EVENT_HANGUP) {
			hung_up(app);
			return;
		}
		shell_event(&app->shell, &event);
		app->answers = true;
		app_grant_request(app);
		/* Refresh now: the next key can refer to the row that this key selected. */
		shell_refresh(&app->shell, false);
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
			/* SIGWINCH also repairs a screen that other programs wrote to. */
			screen_redraw(app->screen);
			app->shell.session.dirty = app->referenced = true;
			break;
		case SIGTSTP:
			app_suspend(app);
			break;
		case SIGCONT:
			/* While stxtop was stopped, the command shell used the terminal. */
			screen_take_again(app->screen);
			app->shell.session.dirty = true;
			break;
		case SIGUSR1:
			shell_flight_signal(&app->shell);
			break;
		case SIGHUP:
			hung_up(app);
			return;
		default:
			if (app->command)
				command_signal(app->command, SIGTERM);
			app_leave(app, 0);
			return;
		}
	}
}

static void engine_started(struct app *app)
{
	if (app_join_engine_starter(app)) {
		app_leave(app, 1);
		return;
	}
	app_show_engine(app);
	if (!app->refused)
		app->ticked_ns = 0;
}

static void take_command_end(struct app *app)
{
	struct session *session = &app->shell.session;

	if (!app->command || app->starting || session->command_ended)
		return;
	if (!command_ended(app->command, &session->command_status))
		return;
	session->command_ended = true;
	session->dirty = true;
}

static void take_job_queue(struct app *app)
{
	job_queue_seen(app->job_queue);
	shell_refresh(&app->shell, false);
	app->shell.session.dirty = true;
}

/* ---- a turn ---- */

static void tick(struct app *app, uint64_t now)
{
	struct session *session = &app->shell.session;

	session->clock_ns = now;
	shell_refresh(&app->shell, true);
	take_command_end(app);
	app->tick_every_ns = session->status.model.generation != app->generation ||
					     session->refresh_ns > TICK_QUIET_NS
				     ? session->refresh_ns
				     : TICK_QUIET_NS;
	app->generation = session->status.model.generation;
	app->ticked_ns = now;
}

static void work(struct app *app, uint64_t now)
{
	shell_work(&app->shell);
	app->worked_ns = now;
}

static void draw(struct app *app, uint64_t now)
{
	int row, col;

	/* The terminal is slow: frames would only queue up. */
	if (screen_is_behind(app->screen))
		return;
	app->referenced = false;
	shell_draw(&app->shell, screen_canvas(app->screen), &row, &col);
	screen_set_cursor(app->screen, row, col);
	screen_show(app->screen);
	app->drawn_ns = now;
}

/* Return the time of the next slow work; UINT64_MAX: none. */
static uint64_t next_work_ns(const struct app *app)
{
	bool hurry;

	if (!shell_has_work(&app->shell, &hurry))
		return UINT64_MAX;
	return app->worked_ns + (hurry ? WORK_EVERY_HURRY_NS : WORK_EVERY_NS);
}

/*
 * With --accessible, the screen reader speaks each change: draw at most once per second, except
 * after keys and resizes.
 */
static uint64_t next_frame_ns(const struct app *app)
{
	bool calm = app->shell.session.options->accessible && !app->referenced;

	return app->drawn_ns + (calm ? CALM_FRAME_NS : FRAME_NS);
}

/* Return the time to the next frame, tick or work in ms, rounded up to avoid spinning. */
static int timeout_ms(const struct app *app, uint64_t now)
{
	uint64_t until = app->ticked_ns + app->tick_every_ns;

	if (app->input_left)
		return 0;
	if (app->shell.session.dirty && screen_behind_fd(app->screen) < 0 &&
	    next_frame_ns(app) < until)
		until = next_frame_ns(app);
	if (next_work_ns(app) < until)
		until = next_work_ns(app);
	return until <= now ? 0 : (int)((until - now + NS_PER_MS - 1) / NS_PER_MS);
}

static void wait_for_something(struct app *app, struct pollfd *fds)
{
	int timeout = timeout_ms(app, clock_now_ns());
	bool running = app->command && !app->starting && !app->shell.session.command_ended;

	fds[POLL_INPUT].fd = screen_input_fd(app->screen);
	fds[POLL_SCREEN].fd = screen_behind_fd(app->screen);
	fds[POLL_SIGNALS].fd = app->signals.fd;
	fds[POLL_ENGINE_STARTER].fd = app->starting ? app->engine_starter.fd : -1;
	fds[POLL_OUTPUT].fd = app->output.fd;
	fds[POLL_CATCH].fd = app->starting ? -1 : engine_catch_fd(app->engine);
	fds[POLL_JOB_QUEUE].fd = job_queue_fd(app->job_queue);
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
	app->shell.session.clock_ns = now;
	if (fds[POLL_SIGNALS].revents)
		take_signals(app);
	if (!app->leaving && (fds[POLL_INPUT].revents || app->input_left))
		take_input(app);
	if (!app->leaving && fds[POLL_ENGINE_STARTER].revents)
		engine_started(app);
	if (fds[POLL_OUTPUT].revents && command_output_read(&app->output))
		app->shell.session.dirty = true;
	if (fds[POLL_COMMAND].revents)
		take_command_end(app);
	if (fds[POLL_CATCH].revents)
		shell_catch_look(&app->shell);
	if (fds[POLL_JOB_QUEUE].revents)
		take_job_queue(app);
	if (app->shell.rings)
		screen_bell(app->screen);
	app->shell.rings = false;
	if (app->leaving)
		return;
	/* Draw the effect of a key before any other work of this turn. */
	if (app->answers && app->shell.session.dirty)
		draw(app, now);
	app->answers = false;
	if (now >= app->ticked_ns + app->tick_every_ns)
		tick(app, now);
	else if (now >= next_work_ns(app))
		work(app, now);
	if (app->shell.session.dirty && now >= next_frame_ns(app))
		draw(app, now);
}

void app_loop(struct app *app)
{
	shell_refresh(&app->shell, false);
	draw(app, clock_now_ns());
	while (!app->leaving)
		turn(app);
}
