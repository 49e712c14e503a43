/* main - parses the command line and starts the interface, batch or a report. */
#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/hash.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/base/str.h"
#include "engine/demo.h"
#include "engine/engine.h"
#include "engine/process/command.h"
#include "engine/source/live/access.h"
#include "tui/app/app.h"
#include "tui/app/pipe_drain.h"
#include "tui/config/bindings.h"
#include "tui/config/options.h"
#include "tui/config/settings.h"
#include "tui/dialogs/shutdown.h"
#include "tui/report/access_report.h"
#include "tui/report/batch.h"
#include "tui/report/compare_report.h"
#include "tui/report/recording_report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORDING_REPORTED_MS 1000 /* wait before a message about the incomplete recording */

enum exit_code {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
};

/*
 * Print each line of text as a diagnostic. Unsafe bytes are escaped: file names may contain
 * terminal sequences.
 */
static void complain(const char *text)
{
	char *line = mem_alloc(strlen(text) + 1);
	char *plain = mem_alloc(4 * strlen(text) + 1);

	while (*text) {
		size_t len = strcspn(text, "\n");

		memcpy(line, text, len);
		line[len] = '\0';
		fprintf(stderr, "stxtop: %s\n", escape_unsafe(plain, 4 * strlen(line) + 1, line));
		text += len + (text[len] != '\0');
	}
	free(line);
	free(plain);
}

static int failed(const struct err *err)
{
	complain(err->text);
	return EXIT_FAILED;
}

/* Print to standard output. 0, or 1 with a diagnostic if not all was written. */
static int print(const struct str *text)
{
	size_t wrote = fwrite(text->data, 1, text->len, stdout);
	struct err err;

	if (wrote == text->len && !fflush(stdout))
		return EXIT_OK;
	err_set(&err, -errno, "cannot write to standard output: %s",
		errno == EBADF ? "it is closed" : strerror(errno));
	return failed(&err);
}

/*
 * Fill closed descriptors 0 to 2 with /dev/null, so that no file of stxtop becomes standard input
 * or output of the command. They are read-only: writing still fails, in the command too.
 */
static void fill_standard_fds(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int print_access(bool json)
{
	struct str text = STR_INIT;
	struct access access;
	int code;

	access_check(&access);
	if (json)
		access_report_json(&access, &text);
	else
		access_report_text(&access, &text);
	code = print(&text);
	str_release(&text);
	return code ? code : access_is_enough(&access) ? EXIT_OK : EXIT_FAILED;
}

/*
 * Open the standard streams of the command. While the interface runs, the command must neither read
 * keys nor write to the screen. It reads /dev/null, and writes to a file or to a pipe that the
 * interface shows.
 */
static int open_command_streams(struct options *options, struct command_options *command,
				struct err *err)
{
	const char *path = options->command_output;
	char shown[128];
	int ends[2], drain;

	command->input_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (command->input_fd < 0)
		return err_set(err, -errno, "cannot open /dev/null: %s", strerror(errno));
	if (path) {
		command->output_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (command->output_fd < 0)
			return err_set(err, -errno, "cannot write %s: %s",
				       escape_name(shown, sizeof(shown), path), strerror(errno));
		return 0;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, -errno, "cannot make a pipe for the command: %s",
			       strerror(errno));
	options->command_output_fd = ends[0];
	command->output_fd = ends[1];
	/* The descriptor stays open until stxtop ends. */
	drain = pipe_drain_new(ends[0]);
	if (drain < 0)
		return err_set(err, drain, "cannot start a process for the command's output: %s",
			       strerror(-drain));
	return 0;
}

/* Report descendants of an ended command that still run when stxtop ends. */
static void report_writers(const struct options *options, struct command *command)
{
	int status;

	if (options->command_output_fd > 0 && command_ended(command, &status) &&
	    pipe_drain_is_needed(options->command_output_fd))
		complain("descendants of the command still run; their output is discarded from "
			 "now on");
}

static int make_command(struct options *options, struct command **command, struct err *err)
{
	struct command_options how = { .argv = options->command, .input_fd = -1, .output_fd = -1 };
	int rc = 0;

	if (!options->batch)
		rc = open_command_streams(options, &how, err);
	else if (options->record_piped)
		how.output_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (rc == 0)
		rc = command_new(command, &how, err);
	if (how.input_fd >= 0)
		close(how.input_fd);
	if (how.output_fd >= 0)
		close(how.output_fd);
	return rc;
}

static void free_engine(void *ctx)
{
	engine_free(ctx);
}

/* Free the engine. If a part of it hangs, exit at once. */
static void end_engine(struct engine **engine, int status)
{
	struct shutdown shutdown = { .stuck = false };

	if (!shutdown_run(&shutdown, free_engine, *engine, SHUTDOWN_ENGINE_MS))
		shutdown_leave(status);
	*engine = NULL;
}

/*
 * Print the last lines of --access: commands that grant every missing permission, not only the
 * first one that failed. With -ENOENT, print them only if tracefs is missing.
 */
static void complain_of_access(int rc)
{
	struct access *access = mem_alloc(sizeof(*access));

	access_check(access);
	if (rc == -ENOENT && access->rows[ACCESS_TRACEFS].works) {
		free(access);
		return;
	}
	if (access->setting[0])
		fprintf(stderr, "stxtop: grant all that is missing, as root, for all users: %s\n",
			access->setting);
	if (access->program[0])
		fprintf(stderr, "stxtop: grant all that is missing, as root, for stxtop:    %s\n",
			access->program);
	if (access->note[0])
		fprintf(stderr, "stxtop: note: %s\n", access->note);
	fprintf(stderr, "stxtop: `stxtop --access` explains each permission; `stxtop --demo` needs "
			"none\n");
	free(access);
}

static int run_batch(struct engine **engine, struct options *options, struct command *command)
{
	struct shutdown shutdown = { .stuck = false };
	struct err err = { .text = "" };
	struct str note = STR_INIT;
	int status = EXIT_OK;
	int rc;

	if (command)
		options->engine.target.command = command_pid(command);
	rc = options->against ? comparing_run(*engine, options, &err)
			      : batch_run(*engine, options, command, &err);
	filter_note(options->engine.filter, &note);
	if (note.len)
		complain(note.data);
	str_release(&note);
	if (rc < 0)
		complain(err.text);
	if ((rc == -EACCES || rc == -EPERM || rc == -ENOENT) && !options->engine.recording &&
	    geteuid())
		complain_of_access(rc);
	/*
	 * Free the engine before waiting for the command, which tracing must not slow down any
	 * more.
	 */
	shutdown_run(&shutdown, free_engine, *engine, SHUTDOWN_ENGINE_MS);
	if (command)
		status = batch_wait_command(command);
	if (rc < 0)
		status = EXIT_FAILED;
	if (shutdown.stuck)
		shutdown_leave(status);
	*engine = NULL;
	return status;
}

/*
 * Load the keymap and print its errors. A batch run takes no keys, so it reads only a keymap that
 * its options name.
 */
static int load_keys(const struct options *options, const struct settings *settings,
		     struct bindings **bindings)
{
	const char *problem;
	struct err err;
	bool is_given;

	if (options->batch && !options->keymap)
		return EXIT_OK;
	/*
	 * A keymap named on the command line replaces the user's keymap file. Otherwise, the file
	 * overrides parts of the keymap from the settings.
	 */
	is_given = options->batch || settings_is_given(settings, SETTING_KEYMAP);
	if (is_given ? bindings_new(bindings, options->keymap, &err) < 0
		     : bindings_new_for_user(bindings, options->keymap, &err) < 0) {
		/* A missing keymap from the saved settings must not prevent the start. */
		if (is_given || bindings_new_for_user(bindings, NULL, &err) < 0)
			return failed(&err);
		complain(err.text);
	}
	for (size_t i = 0; (problem = bindings_problem(*bindings, i)); i++)
		complain(problem);
	return EXIT_OK;
}

/* Wait until the recordings are complete. The terminal is restored, so Ctrl-C ends the program. */
static void finish_files(struct engine *engine)
{
	struct flight_status flight;

	engine_flight_status(engine, &flight);
	engine_record_stop(engine);
	if (!engine_record_wait_ms(engine, RECORDING_REPORTED_MS))
		complain("the recording still waits for function names; Ctrl-C ends it without "
			 "them");
	engine_record_wait(engine);
	if (flight.state != FLIGHT_SAVING)
		return;
	engine_stop(engine);
	engine_flight_wait(engine);
}

static int run_app(struct engine *engine, struct options *options, struct command *command,
		   struct bindings *bindings, struct settings *settings)
{
	struct shutdown shutdown = { .stuck = false };
	struct err err = { .text = "" };
	int status;

	if (command)
		options->engine.target.command = command_pid(command);
	status = app_run(engine, options, command, bindings, settings, &shutdown, &err);
	complain(err.text);
	finish_files(engine);
	if (shutdown.stuck)
		shutdown_leave(status);
	return status;
}

/* -i -: move standard input to a new descriptor. The interface reads keys from /dev/tty instead. */
static int take_standard_input(struct options *options, struct err *err)
{
	int fd, terminal;

	if (isatty(STDIN_FILENO))
		return err_set(err, -EINVAL,
			       "-i -: standard input is a terminal; pipe the output of "
			       "`perf record -o -` into it");
	fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd < 0)
		return err_set(err, -errno, "-i -: cannot read standard input: %s",
			       strerror(errno));
	options->engine.recording = "standard input";
	options->engine.recording_fd = fd;
	if (options->batch)
		return 0;
	terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (terminal < 0 || dup2(terminal, STDIN_FILENO) < 0)
		return err_set(err, -ENOTTY,
			       "the interface needs a terminal for its keys; use -b "
			       "for a line per call, -s for a summary or --json");
	close(terminal);
	return 0;
}

static int print_info(struct options *options)
{
	struct recording_info about;
	struct str text = STR_INIT;
	struct err err;
	int code;

	/* --info needs no terminal for keys, whatever the other options are. */
	options->batch = true;
	if (!strcmp(options->engine.recording, "-") && take_standard_input(options, &err) < 0)
		return failed(&err);
	if (recording_info_read(&about, options->engine.recording, options->engine.recording_fd,
				&err))
		return failed(&err);
	if (options->json)
		recording_report_json(&about, options->engine.recording, &text);
	else
		recording_report_text(&about, options->engine.recording, &text);
	code = print(&text);
	recording_info_release(&about);
	str_release(&text);
	return code;
}

static int run_with(struct engine **engine, struct options *options, struct settings *settings)
{
	struct command *command = NULL;
	struct bindings *bindings = NULL;
	struct err err;
	int status;

	if (options->engine.recording && !strcmp(options->engine.recording, "-") &&
	    take_standard_input(options, &err) < 0)
		return failed(&err);
	if (!options->batch && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))) {
		err_set(&err, -ENOTTY,
			"the interface needs a terminal; use -b for a line per "
			"call, -s for a summary or --json");
		return failed(&err);
	}
	status = load_keys(options, settings, &bindings);
	if (status != EXIT_OK)
		return status;
	if (options->command && make_command(options, &command, &err) < 0) {
		bindings_free(bindings);
		return failed(&err);
	}
	if (options->batch)
		status = run_batch(engine, options, command);
	else
		status = run_app(*engine, options, command, bindings, settings);
	if (command && !options->batch)
		report_writers(options, command);
	bindings_free(bindings);
	command_free(command);
	if (options->command_output_fd > 0)
		close(options->command_output_fd);
	return status;
}

static int run(struct engine **engine, struct options *options)
{
	struct settings settings;
	struct demo demo = { 0 };
	struct err err;
	int status;

	if (options->demo && demo_open(&demo, &err) < 0)
		return failed(&err);
	if (options->demo) {
		options->engine.recording = DEMO_NAME;
		options->engine.recording_fd = demo.fd;
		options->engine.names = demo.names;
	}
	settings_init(&settings);
	/* Batch output must not depend on settings that were saved in the interface. */
	if (!options->batch) {
		settings_read(&settings);
		settings_meet_options(&settings, options);
	}
	status = run_with(engine, options, &settings);
	settings_release(&settings);
	/* The engine reads the descriptor of the demo until it is freed. */
	end_engine(engine, status);
	demo_close(&demo);
	return status;
}

static int run_options(struct engine **engine, int argc, char **argv)
{
	struct options options;
	struct str text = STR_INIT;
	int status = EXIT_OK;

	switch (options_parse(&options, argc, argv, engine_filter_names(*engine), &text)) {
	case OPTIONS_USAGE:
		complain(text.data);
		status = EXIT_USAGE;
		break;
	case OPTIONS_HELP:
		options_help(&text);
		status = print(&text);
		break;
	case OPTIONS_VERSION:
		str_add(&text, "stxtop " STXTOP_VERSION "\n");
		status = print(&text);
		break;
	case OPTIONS_RUN:
		complain(text.data);
		status = options.access ? print_access(options.json)
			 : options.info ? print_info(&options)
					: run(engine, &options);
		break;
	}
	options_release(&options);
	str_release(&text);
	return status;
}

/* Execute stxtop again: permissions granted meanwhile take effect, file capabilities included. */
static int start_again(char **argv)
{
	char path[PATH_MAX];
	struct err err;

	if (access_program(path, sizeof(path)))
		execv(path, argv);
	err_set(&err, -errno, "cannot restart stxtop: %s", strerror(errno));
	return failed(&err);
}

int main(int argc, char **argv)
{
	struct engine *engine = NULL;
	struct err err;
	int status;

	hash_seed_random();
	clock_begin();
	/*
	 * Lower the privileges before any file that the user named is opened. Code that traces
	 * raises them again.
	 */
	privilege_lower();
	fill_standard_fds();
	/*
	 * Large blocks get mappings of their own, which grow by mremap(): in the heap of a thread,
	 * each growth would leave a hole of its size. An explicit threshold also stops malloc()
	 * from raising the threshold.
	 */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	/* Do not set LC_NUMERIC, so that the decimal point is the same in every locale. */
	setlocale(LC_CTYPE, "");
	/*
	 * Create the engine before other resources: the process that it forks must inherit as
	 * little as possible.
	 */
	if (engine_new(&engine, &err) < 0)
		return failed(&err);
	status = run_options(&engine, argc, argv);
	engine_free(engine);
	if (status == APP_AGAIN)
		return start_again(argv);
	/* A diagnostic that could not be written is a failure (closed standard error). */
	return status == EXIT_OK && ferror(stderr) ? EXIT_FAILED : status;
}
