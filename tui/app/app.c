#include "tui/app/app.h"

#include "engine/base/mem.h"
#include "tui/app/app_private.h"
#include "tui/dialogs/shutdown.h"
#include "tui/shell/shell_catch.h"
#include "tui/shell/shell_flight.h"
#include "tui/shell/shell_settings.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Wait for the engine before the first frame: most starts that fail do so within this time, and the
 * screen is then never opened.
 */
#define START_WAIT_MS 20
#define PRIORITY (-10)

/*
 * Raise the priority of the UI thread: otherwise a key waits while watched tasks use all CPUs.
 *
 * A nice value counts only within the autogroup of the session, or the cgroup. Against 40 processes
 * in sessions of their own, this thread waited 23 ms for each turn; with a real-time priority it
 * did not wait. It has the second-lowest real-time priority, because the collector has the lowest.
 * The thread uses a few percent of a CPU, and its children do not inherit the priority. Without
 * permission, both calls fail and the priority stays.
 */
static void go_before_others(bool live)
{
	const struct sched_param low = { .sched_priority = sched_get_priority_min(SCHED_RR) + 1 };

	setpriority(PRIO_PROCESS, 0, PRIORITY); /* affects only this thread */
	if (live)
		sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &low);
}

/* True if this user may not trace. For a recording, the same errors are about its file. */
static bool is_refusal(const struct engine_starter *engine_starter)
{
	return !engine_starter->options.recording &&
	       (engine_starter->rc == -EACCES || engine_starter->rc == -EPERM ||
		engine_starter->rc == -ENOENT || engine_starter->rc == -ENOSYS);
}

static void restore_and_say(void)
{
	static const char text[] = "stxtop: out of memory\n";

	screen_emergency_restore();
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		return; /* standard error fails too: no way to report it */
}

static struct screen_options screen_options(struct app *app, const struct options *options)
{
	return (struct screen_options){
		.theme = app->theme.theme,
		.ascii = options->ascii,
		.no_color = options->no_color,
		.no_mouse = options->no_mouse,
		.rehearsal = &app->rehearsal,
	};
}

static int open_screen(struct app *app, const struct options *options)
{
	struct screen_options how = screen_options(app, options);
	int rc = screen_open(&app->screen, &how, app->err);

	if (!rc)
		mem_on_exhaustion(restore_and_say);
	return rc;
}

int app_join_engine_starter(struct app *app)
{
	engine_starter_end(&app->engine_starter);
	app->starting = false;
	app->refused = is_refusal(&app->engine_starter);
	if (app->engine_starter.rc && !app->refused)
		*app->err = app->engine_starter.err;
	return app->refused ? 0 : app->engine_starter.rc;
}

void app_show_engine(struct app *app)
{
	if (app->refused) {
		shell_refuse(&app->shell, app->engine_starter.err.text);
		return;
	}
	go_before_others(!app->shell.session.options->engine.recording);
	session_started(&app->shell.session);
	shell_catch_start(&app->shell);
	shell_flight_start(&app->shell);
}

static int begin_start(struct app *app, const struct options *options)
{
	struct counterpart *before = options->engine.recording ? NULL : app->counterpart;
	struct engine_options engine = options->engine;
	int rc;

	engine.own_pid = (uint32_t)app->guard_pid;
	rc = engine_starter_begin(&app->engine_starter, app->engine, &engine, app->command, before,
				  app->err);
	app->starting = !rc;
	return rc;
}

/*
 * Start the engine before the terminal is opened. A command must not run before the terminal is
 * open, so it starts later.
 */
static int start_early(struct app *app, const struct options *options)
{
	struct pollfd fd = { .events = POLLIN };
	int rc;

	if (app->command)
		return 0;
	rc = begin_start(app, options);
	if (rc)
		return rc;
	fd.fd = app->engine_starter.fd;
	return poll(&fd, 1, START_WAIT_MS) == 1 ? app_join_engine_starter(app) : 0;
}

/* Once the terminal is restored, report a file that could not be written completely. */
static void close_catches(struct app *app)
{
	struct err err;

	if (!catch_set_close(&app->shell.catch_set, &err) || app->err->text[0])
		return;
	*app->err = err;
	app->status = 1;
}

static void run(struct app *app, const struct options *options)
{
	struct command *command = app->command;
	/* The option is 0 (stdin) unless main() made a pipe for the output of the command. */
	int output_fd = command && options->command_output_fd > 0 ? options->command_output_fd : -1;

	command_output_init(&app->output, output_fd);
	shell_init(&app->shell, app->engine, options, command, app->bindings, &app->output);
	app->shell.session.background = app->background;
	app->shell.theme = app->theme.theme;
	app->shell.session.job_queue = app->job_queue;
	if (app->counterpart)
		changes_take(&app->shell.changes, app->counterpart);
	app->has_shell = true;
	shell_settings_take(&app->shell, app->settings);
	if (app->theme_err.text[0])
		session_say(&app->shell.session, ROLE_WARN, "%s", app->theme_err.text);
	if (app->refused || (!app->starting && !app->command))
		app_show_engine(app);
	if (app->command && begin_start(app, options))
		app->status = 1;
	else
		app_loop(app);
	/* Continue stopped processes now: the remaining cleanup can take long. */
	if (!app->starting)
		engine_resume(app->engine);
	shell_settings_collect(&app->shell);
}

/* Wait for the writes in progress: afterwards the files are complete. */
static void end_background(void *ctx)
{
	struct app *app = ctx;

	background_free(app->background);
	app->background = NULL;
	if (app->has_shell)
		close_catches(app);
}

/* Join all threads; a thread can hang forever. */
static void release(void *ctx)
{
	struct app *app = ctx;

	/* First: the starter can be waiting for the counterpart, which shell_release() frees. */
	if (app->starting)
		engine_starter_end(&app->engine_starter);
	if (app->has_shell) {
		shell_release(&app->shell);
		command_output_release(&app->output);
	} else {
		counterpart_free(app->counterpart);
	}
	job_queue_free(app->job_queue);
}

/* Return the exit status. If it is 1, app->err has the reason. */
static int run_on_screen(struct app *app, const struct options *options)
{
	int status = 1;

	if (!start_early(app, options) && !open_screen(app, options)) {
		run(app, options);
		screen_close(app->screen);
		status = app->status;
	}
	return status;
}

static int open_counterpart(struct app *app, const struct options *options)
{
	if (!options->against)
		return 0;
	return counterpart_new(&app->counterpart, app->engine, &options->engine, options->against,
			       NULL, app->err);
}

/*
 * Use a theme even if some of its lines are wrong. A missing theme is an error if it was requested
 * for this run. If an earlier run chose it, a warning is shown.
 */
static int choose_theme(struct app *app, const char *name)
{
	int rc = theme_choice_set(&app->theme, name, &app->theme_err);

	if (!rc || rc == -EINVAL || !settings_is_given(app->settings, SETTING_THEME))
		return 0;
	*app->err = app->theme_err;
	return rc;
}

/* Save the settings. A failure is reported, but does not change the exit status. */
static void store_settings(struct app *app)
{
	struct err err;

	if (app->left_by_key && settings_save(app->settings, &err) && !app->err->text[0])
		*app->err = err;
}

static bool has_files(const struct app *app)
{
	size_t armed;

	return background_writes(app->background) ||
	       (app->has_shell && catch_set_count(&app->shell.catch_set, &armed));
}

/* Finish the files, then release everything. Return the exit status: 1 if a file is incomplete. */
static int end(struct app *app, struct shutdown *shutdown, int status)
{
	bool files = has_files(app);
	int limit_ms = files ? SHUTDOWN_FILES_MS : SHUTDOWN_INTERFACE_MS;
	struct err *err = app->err;

	/* A thread that is left behind must not write to the caller's err. */
	app->err = &app->end_err;
	app->end_err = *err;
	app->status = status;
	if (shutdown_run(shutdown, end_background, app, limit_ms)) {
		*err = app->end_err;
		status = app->status;
	} else if (files && !err->text[0]) {
		err_set(err, -ETIMEDOUT,
			"a file was still incomplete after %d s: its disk does not respond",
			SHUTDOWN_FILES_MS / 1000);
		status = 1;
	}
	shutdown_run(shutdown, release, app, SHUTDOWN_INTERFACE_MS);
	return status;
}

int app_run(struct engine *engine, const struct options *options, struct command *command,
	    struct bindings *bindings, struct settings *settings, struct shutdown *shutdown,
	    struct err *err)
{
	struct app *app = mem_zalloc(1, sizeof(*app));
	struct screen_options how;
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
		app->guard_pid = screen_watch();
		how = screen_options(app, options);
		screen_rehearse(&how);
		if (!background_new(&app->background, err) &&
		    !job_queue_new(&app->job_queue, err) && !open_counterpart(app, options))
			status = run_on_screen(app, options);
		signals_close(&app->signals);
		screen_unwatch();
		store_settings(app);
		status = end(app, shutdown, status);
	}
	if (shutdown->stuck)
		return status;
	theme_choice_release(&app->theme);
	free(app);
	return status;
}
