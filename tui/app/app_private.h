/*
 * app_private - what the beginning and the end (app.c), the loop (app_loop.c) and what the shell
 * wants of the screen (app_requests.c) share. Nobody else includes it. The UI thread's.
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
	struct bindings *bindings;
	struct theme_choice theme;
	struct err theme_err; /* what is wrong with it; empty: nothing */
	struct signals signals;
	pid_t guard_pid; /* 0: there is none */
	struct engine_starter engine_starter;
	struct command_output output;
	struct background *background;
	struct job_queue *job_queue;
	struct counterpart *counterpart; /* of --against; the shell's, once there is one */
	struct shell shell;
	bool has_shell; /* it was made */
	struct engine *engine;
	struct command *command;
	bool starting; /* the engine starter has not been joined */
	bool refused; /* it was joined, and this user may not watch */
	bool input_left; /* read, but not taken yet */
	bool referenced; /* there was input since the last frame */
	bool leaving;
	bool answers; /* a key was taken: the next frame does not wait for its turn */
	bool left_by_key; /* which is when settings are kept */
	struct settings *settings;
	int status;
	struct err *err, end_err;
	uint64_t drawn_ns, worked_ns, ticked_ns, tick_every_ns;
	uint64_t generation; /* of the model at the last tick */
};

/* The loop ends after this turn. */
static inline void app_leave(struct app *app, int status)
{
	app->leaving = true;
	app->status = status;
}

/*
 * The engine starter has come to its end: 0, also where the engine was refused, else as in
 * app->err.
 */
int app_join_engine_starter(struct app *app);
/* The shell is told what came of it: the engine runs, or was refused. */
void app_show_engine(struct app *app);
/* Until somebody leaves. */
void app_loop(struct app *app);
/* To the shell, until it continues. */
void app_suspend(struct app *app);
/* What the shell wants and cannot do, once. */
void app_grant_request(struct app *app);

#endif
