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

/* The first frame waits so long for the engine: most failures then leave no flicker. */
#define START_WAIT_MS 20
#define PRIORITY (-10)

/*
 * Where the watched want all processors, a key would wait for them. A nice value counts only
 * inside the session's autogroup or the cgroup: against forty processes in sessions of their own
 * this thread waited 23 ms for each of its turns, and with a real-time priority not at all: the
 * lowest but one, as the lowest is the collector's.
 * It takes a few percent of a CPU, and what it starts does not inherit this. Where it may not,
 * it has to wait.
 */
static void go_before_others(bool live)
{
	const struct sched_param low = { .sched_priority = sched_get_priority_min(SCHED_RR) + 1 };

	setpriority(PRIO_PROCESS, 0, PRIORITY); /* of this thread alone */
	if (live)
		sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &low);
}

/* Of what is to be watched now; a recording may be somebody else's file for all we know. */
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
	fd.fd = app->engine_starter.fd;
	return poll(&fd, 1, START_WAIT_MS) == 1 ? app_join_engine_starter(app) : 0;
}

/* A file that could not be written whole is said when the terminal is back. */
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
	/* Where main opened no pipe there is nothing to read; 0 is our own input. */
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
	/* Who was stopped need not wait for the rest. */
	if (!app->starting)
		engine_resume(app->engine);
	shell_settings_collect(&app->shell);
}

/* Its files are whole then. */
static void end_background(void *ctx)
{
	struct app *app = ctx;

	background_free(app->background);
	app->background = NULL;
	if (app->has_shell)
		close_catches(app);
}

/* Waits for threads, some of which may never end. */
static void release(void *ctx)
{
	struct app *app = ctx;

	/* It may be waiting for what the shell has. */
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

/* The exit status; app->err says why it is 1. */
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

/* The status, which a file that is not whole changes. The terminal is back already. */
static int end(struct app *app, struct shutdown *shutdown, int status)
{
	bool files = has_files(app);
	int limit_ms = files ? SHUTDOWN_FILES_MS : SHUTDOWN_INTERFACE_MS;
	struct err *err = app->err;

	/* What is left behind has nothing of the caller's. */
	app->err = &app->end_err;
	app->end_err = *err;
	app->status = status;
	if (shutdown_run(shutdown, end_background, app, limit_ms)) {
		*err = app->end_err;
		status = app->status;
	} else if (files && !err->text[0]) {
		err_set(err, -ETIMEDOUT,
			"a file was not whole after %d s: its disk does not "
			"answer",
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
