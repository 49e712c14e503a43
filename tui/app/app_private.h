/*
 * app_private - shared by start and end (app.c), the loop (app_loop.c) and the requests of the
 * shell (app_requests.c). Private to these files. UI thread only.
 */
#ifndef APP_APP_PRIVATE_H
#define APP_APP_PRIVATE_H

#include "tui/app/app.h"

#include "engine/base/background.h"
#include "engine/base/job_queue.h"
#include "engine/process/command.h"
#include "tui/config/theme_choice.h"
#include "tui/dialogs/engine_starter.h"
#include "tui/dialogs/signals.h"
#include "tui/session/command_output.h"
#include "tui/shell/shell.h"
#include "widgets/terminal/screen.h"

struct app {
	struct screen *screen;
	struct screen_rehearsal rehearsal;
	struct bindings *bindings;
	struct theme_choice theme;
	struct err theme_err; /* error in the theme; empty: none */
	struct signals signals;
	pid_t guard_pid; /* 0: none */
	struct engine_starter engine_starter;
	struct command_output output;
	struct background *background;
	struct job_queue *job_queue;
	struct counterpart *counterpart; /* for --against; owned by the shell once has_shell */
	struct shell shell;
	bool has_shell; /* the shell is initialized */
	struct engine *engine;
	struct command *command;
	bool starting; /* the engine starter is not joined yet */
	bool refused; /* the engine starter is joined; this user may not trace */
	bool input_left; /* input was read, but not handled yet */
	bool referenced; /* input or a resize occurred since the last frame */
	bool leaving;
	bool answers; /* input was handled: draw the next frame at once */
	bool left_by_key; /* settings are saved only then */
	struct settings *settings;
	int status;
	struct err *err, end_err;
	uint64_t drawn_ns, worked_ns, ticked_ns, tick_every_ns;
	uint64_t generation; /* of the model, at the last tick */
};

/* End the loop after this turn. */
static inline void app_leave(struct app *app, int status)
{
	app->leaving = true;
	app->status = status;
}

/*
 * Join the engine starter. 0 if the engine has started or was refused, else -errno with app->err.
 */
int app_join_engine_starter(struct app *app);
/* Show the result of the start in the shell: running, or refused. */
void app_show_engine(struct app *app);
/* Run until the user quits. */
void app_loop(struct app *app);
/* Suspend to the command shell until SIGCONT. */
void app_suspend(struct app *app);
/* Carry out the pending request of the shell, once. */
void app_grant_request(struct app *app);

#endif
