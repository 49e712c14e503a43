#include "tui/report/batch.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/config/lines.h"
#include "tui/config/output.h"
#include "tui/report/catch_set.h"
#include "tui/report/deadlock_lines.h"
#include "tui/report/flight_lines.h"
#include "tui/report/folded_file.h"
#include "tui/report/line_width.h"
#include "tui/report/report.h"
#include "tui/report/trace_file.h"
#include "tui/session/play_text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK_CALLS 4096
#define IN_FLIGHT_MAX 65536
#define LOOK_EVERY_MS 20
#define WAIT_REPORTED_NS NS_PER_S
#define IN_FLIGHT_FIRST_NS (10 * NS_PER_MS)
#define IN_FLIGHT_EVERY_NS NS_PER_S
#define IN_FLIGHT_WAIT_MS 50
#define NAMES_MS 5000 /* timeout for symbols */

struct batch {
	struct engine *engine;
	const struct options *options;
	const struct engine_options *started; /* options passed to engine_start() */
	struct command *command;
	struct output output;
	struct lines lines;
	struct deadlock_lines deadlocks;
	struct summary_form form; /* adapted to the line width */
	struct folded_file folded; /* --folded */
	struct trace_file trace; /* --chrome-trace */
	struct catch_set catch_set;
	struct call *block;
	int signal_fd;
	int *target_fds; /* pidfds of the targets of -p and -t; -1: exited */
	size_t target_count;
	uint64_t deadline_ns; /* UINT64_MAX: none */
	uint64_t lines_left; /* number of calls that -n still allows */
	bool stopping;
	uint64_t in_flight_ns; /* next read of calls in flight; 0: at once */
	uint64_t in_flight_every_ns;
	unsigned int flights_failed; /* number of flight recorder files that could not be written */
};

/* -- End of the run ---------------------------------------------------------------------- */

/*
 * Use a signalfd, because a handler would need global state. Threads that are created afterwards
 * inherit the mask.
 */
static int open_signals(bool freezes, struct err *err)
{
	sigset_t signals;
	int fd;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	if (freezes)
		sigaddset(&signals, SIGUSR1);
	/* Writes return EPIPE and EFBIG instead. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? err_set(err, -errno, "cannot wait for signals: %s", strerror(errno)) : fd;
}

/* Return the next pending signal, or 0. */
static int next_signal(int signal_fd)
{
	struct signalfd_siginfo info;

	return read(signal_fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

/* PIDFD_THREAD needs Linux 6.9. Older kernels open a pidfd only for a thread group leader. */
static int open_target(uint32_t tid)
{
	const unsigned int thread_flag = O_EXCL;
	int fd = (int)syscall(SYS_pidfd_open, tid, thread_flag);

	return fd >= 0 ? fd : (int)syscall(SYS_pidfd_open, tid, 0);
}

static void open_targets(struct batch *batch)
{
	const struct target *target = &batch->options->engine.target;
	size_t count = target->pid_count + target->tid_count;

	batch->target_fds = mem_zalloc(count + 1, sizeof(*batch->target_fds));
	batch->target_count = count;
	for (size_t i = 0; i < target->pid_count; i++)
		batch->target_fds[i] = (int)syscall(SYS_pidfd_open, target->pids[i], 0);
	for (size_t i = 0; i < target->tid_count; i++)
		batch->target_fds[target->pid_count + i] = open_target(target->tids[i]);
}

/* True if all targets have exited: the pidfd of an exited task is readable. */
static bool targets_ended(struct batch *batch)
{
	bool ended = batch->target_count > 0;

	for (size_t i = 0; i < batch->target_count; i++) {
		struct pollfd poll_fd = { .fd = batch->target_fds[i], .events = POLLIN };

		if (poll_fd.fd < 0)
			continue;
		if (poll(&poll_fd, 1, 0) == 1) {
			close(poll_fd.fd);
			batch->target_fds[i] = -1;
		} else {
			ended = false;
		}
	}
	return ended;
}

/* True if the recording failed and the run has no other output. */
static bool is_for_nothing(const struct batch *batch)
{
	const struct options *options = batch->options;

	return options->engine.record.path && engine_record_failed(batch->engine) &&
	       (options->record_piped || !(options->engine.lossless_reader || options->summary ||
					   options->engine.flight || options->catch_count));
}

static bool should_end(struct batch *batch)
{
	int signal = next_signal(batch->signal_fd);
	int status;

	if (signal == SIGUSR1) {
		engine_flight_freeze(batch->engine, FLIGHT_SIGNAL);
		signal = 0;
	}
	if (signal && batch->command)
		command_signal(batch->command, signal);
	if (signal || output_ended(&batch->output) || trace_file_ended(&batch->trace))
		return true;
	if (is_for_nothing(batch))
		return true;
	if (batch->command && command_ended(batch->command, &status))
		return true;
	return clock_now_ns() >= batch->deadline_ns || targets_ended(batch);
}

/* Report hits on standard error, as the output has only the requested lines. */
static void look_at_catches(struct batch *batch)
{
	struct catch_set_news news;

	while (catch_set_next(&batch->catch_set, &news))
		fprintf(stderr, "%sstxtop: %s\n",
			news.action == CATCH_BELL && isatty(STDERR_FILENO) ? "\a" : "", news.text);
}

/* Report what the flight recorder saved. True: the only requested file was written. */
static bool look_at_flight(struct batch *batch)
{
	const struct options *options = batch->options;
	struct flight_save *save;
	struct str text = STR_INIT;
	bool saved = false;

	if (!options->engine.flight)
		return false;
	save = mem_alloc(sizeof(*save));
	while (engine_flight_next(batch->engine, save)) {
		str_clear(&text);
		flight_lines_save(batch->engine, save, &text);
		fprintf(stderr, "stxtop: %s\n", text.data);
		batch->flights_failed += save->failure != 0;
		saved = saved || (!save->failure && save->mark.reason == FLIGHT_CALL);
	}
	free(save);
	str_release(&text);
	return saved && options->flight.once && !options->lines;
}

/* Query the descriptors of calls in flight now: their changes are not traced after the end. */
static void ask_for_descriptors(struct batch *batch)
{
	struct call *calls;
	size_t count;

	if (!engine_fd_namer(batch->engine))
		return;
	calls = mem_alloc(IN_FLIGHT_MAX * sizeof(*calls));
	count = engine_in_flight(batch->engine, calls, IN_FLIGHT_MAX);
	engine_fds_prepare(batch->engine, calls, count, IN_FLIGHT_WAIT_MS);
	free(calls);
}

/* Read the data of calls in flight while they exist: at the start, periodically, and at the end. */
static void look_at_in_flight(struct batch *batch)
{
	uint64_t now_ns = clock_now_ns();

	if (!batch->options->lines || batch->options->engine.recording ||
	    (now_ns < batch->in_flight_ns && !batch->stopping))
		return;
	engine_bytes_look_in_flight(batch->engine, IN_FLIGHT_WAIT_MS);
	ask_for_descriptors(batch);
	/* Read often initially: calls from before the start arrive within the first moments. */
	batch->in_flight_every_ns += batch->in_flight_every_ns + IN_FLIGHT_FIRST_NS;
	if (batch->in_flight_every_ns > IN_FLIGHT_EVERY_NS)
		batch->in_flight_every_ns = IN_FLIGHT_EVERY_NS;
	batch->in_flight_ns = clock_now_ns() + batch->in_flight_every_ns;
}

static void look_around(struct batch *batch)
{
	bool saved = look_at_flight(batch);

	look_at_catches(batch);
	engine_futexes_place(batch->engine);
	/* CSV output is a single table, without lines on deadlocks. */
	if (!batch->options->csv && deadlock_lines_look(&batch->deadlocks, &batch->output.text))
		output_flush(&batch->output);
	if (batch->stopping)
		return;
	batch->stopping = should_end(batch) || saved;
	look_at_in_flight(batch);
	if (!batch->stopping)
		return;
	/* Continue stopped processes before the last lines are written. */
	engine_resume(batch->engine);
	engine_stop(batch->engine);
}

/* -- The run --------------------------------------------------------------------------- */

static int ms_until(uint64_t deadline_ns)
{
	uint64_t now_ns = clock_now_ns();

	if (deadline_ns <= now_ns)
		return 0;
	if (deadline_ns - now_ns > LOOK_EVERY_MS * NS_PER_MS)
		return LOOK_EVERY_MS;
	return (int)((deadline_ns - now_ns) / NS_PER_MS) + 1;
}

static void take_calls(struct batch *batch, const struct call *calls, size_t count)
{
	if (batch->options->lines)
		lines_add(&batch->lines, &batch->output.text, calls, count);
	if (batch->options->folded_path)
		folded_file_add(&batch->folded, calls, count);
	trace_file_add(&batch->trace, calls, count);
	if (batch->options->catch_count)
		catch_set_add(&batch->catch_set, calls, count);
}

/* Write every call that the engine returns, until the end of the run. */
static void write_calls(struct batch *batch)
{
	uint64_t looked_ns = 0, now_ns;

	for (;;) {
		int count = engine_read(batch->engine, batch->block, BLOCK_CALLS,
					batch->stopping ? LOOK_EVERY_MS
							: ms_until(batch->deadline_ns));

		if (count < 0)
			return;
		if ((uint64_t)count > batch->lines_left)
			count = (int)batch->lines_left;
		batch->lines_left -= (uint64_t)count;
		/* Process catches first: their files can begin with a call of this block. */
		if (batch->options->catch_count)
			look_at_catches(batch);
		take_calls(batch, batch->block, (size_t)count);
		/* Caught up: flush for a reader that follows the output. */
		if (count < BLOCK_CALLS)
			output_flush(&batch->output);
		else
			output_push(&batch->output);
		if (output_ended(&batch->output))
			return;
		/* look_around() costs a few system calls: too many for blocks of a single call. */
		now_ns = clock_now_ns();
		if (now_ns - looked_ns < LOOK_EVERY_MS * NS_PER_MS / 2)
			continue;
		looked_ns = now_ns;
		look_around(batch);
	}
}

static void write_in_flight(struct batch *batch)
{
	struct call *calls = mem_alloc(IN_FLIGHT_MAX * sizeof(*calls));
	size_t count = engine_in_flight(batch->engine, calls, IN_FLIGHT_MAX);

	/* Symbols of calls in flight are resolved only on request; the filter can need them. */
	if (engine_filter_settle(batch->engine, NAMES_MS))
		count = engine_in_flight(batch->engine, calls, IN_FLIGHT_MAX);
	take_calls(batch, calls, count);
	output_push(&batch->output);
	free(calls);
}

/* Wait for the end of a run without lines; only the end writes output. */
static void wait_for_end(struct batch *batch)
{
	struct engine_status *status = mem_alloc(sizeof(*status));

	for (;;) {
		struct pollfd fds[] = {
			{ .fd = batch->signal_fd, .events = POLLIN },
			{ .fd = batch->command ? command_fd(batch->command) : -1,
			  .events = POLLIN },
			{ .fd = engine_catch_fd(batch->engine), .events = POLLIN },
		};

		engine_status(batch->engine, status);
		if (status->finished || batch->stopping)
			break;
		poll(fds, 3, ms_until(batch->deadline_ns));
		look_around(batch);
	}
	free(status);
}

/* Wait, usually a few seconds, for the rest of the recording; another signal ends the wait. */
static void wait_for_recording(struct batch *batch)
{
	uint64_t reported_ns = clock_now_ns() + WAIT_REPORTED_NS;
	bool reported = false;

	while (!engine_record_wait_ms(batch->engine, LOOK_EVERY_MS)) {
		if (next_signal(batch->signal_fd))
			engine_record_give_up(batch->engine);
		if (reported || clock_now_ns() < reported_ns)
			continue;
		reported = true;
		fprintf(stderr, "stxtop: %s; Ctrl-C skips the rest\n",
			batch->options->record_piped ? "waiting for the reader of the pipe"
						     : "waiting for symbols of the recording");
	}
}

/* If the run only records, print one line, as perf record does. */
static void report_recorded(const struct batch *batch, const struct recorder_status *recorder)
{
	const struct options *options = batch->options;
	char bytes[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES], path[256];
	struct engine_status *status;

	if (options->quiet || options->record_piped || options->lines || options->summary ||
	    options->folded_path || options->trace_path)
		return;
	status = mem_alloc(sizeof(*status));
	engine_status(batch->engine, status);
	units_format_count(calls, status->model.calls_seen);
	escape_name(path, sizeof(path), recorder->path);
	if (recorder->files > 1)
		fprintf(stderr,
			"stxtop: captured and wrote %" PRIu32
			" files, the last one %s (%s calls in total)\n",
			recorder->files, path, calls);
	else
		fprintf(stderr, "stxtop: captured and wrote %s to %s (%s calls)\n",
			units_format_bytes(bytes, recorder->bytes), path, calls);
	free(status);
}

/* Complete the recording before this program reports the end. */
static int finish_recording(struct batch *batch, struct err *err)
{
	struct recorder_status *status;
	int rc = 0;

	if (!batch->options->engine.record.path)
		return 0;
	status = mem_alloc(sizeof(*status));
	rc = engine_record_cut(batch->engine, batch->started, err);
	engine_record_stop(batch->engine);
	wait_for_recording(batch);
	engine_record_status(batch->engine, status);
	/* A closed pipe is not an error. */
	if (!rc && status->left && batch->options->record_piped)
		rc = 0;
	else if (!rc && status->error[0])
		rc = err_set(err, -EIO, "%s", status->error);
	else if (status->lost)
		fprintf(stderr,
			"stxtop: %" PRIu64 " records are missing from the recording: they arrived "
			"faster than they could be written\n",
			status->lost);
	if (!rc && !status->error[0])
		report_recorded(batch, status);
	free(status);
	return rc;
}

/* Wait for the last file of the flight recorder. */
static int finish_flight(struct batch *batch, struct err *err)
{
	if (!batch->options->engine.flight)
		return 0;
	engine_flight_wait(batch->engine);
	look_at_flight(batch);
	if (!batch->flights_failed)
		return 0;
	return err_set(err, -EIO, "%u of the flight recorder's files could not be written",
		       batch->flights_failed);
}

/* After a recording was read, report why a flight recorder saved it. */
static void report_mark(struct batch *batch, const struct source_status *source)
{
	struct str text = STR_INIT;
	struct flight_mark mark;

	if (!engine_flight_mark(batch->engine, &mark))
		return;
	flight_lines_mark(batch->engine, &mark, source->until_ns, &text);
	fprintf(stderr, "stxtop: %s\n", text.data);
	str_release(&text);
}

/* Report missing parts of a recording, after the readable parts were written. */
static void report_note(const struct source_status *source, struct err *err)
{
	if (source->damaged)
		err_set(err, -EIO, "%s", source->note);
	else if (source->until_ns && source->note[0])
		fprintf(stderr, "stxtop: %s\n", source->note);
}

/* Report an empty span as an error: --from or an assumption about the recording is wrong. */
static void report_beyond(struct batch *batch, struct err *err)
{
	struct str text = STR_INIT;
	struct play_status play;

	engine_play_status(batch->engine, &play);
	if (play.recorded && play.beyond_ns) {
		play_text_beyond(&play, &text);
		err_set(err, -ENODATA, "--from: %s", text.data);
	}
	str_release(&text);
}

/* Report frames without names: while tracing, the wait for names has a limit, as calls continue. */
static void report_unnamed(uint64_t frames)
{
	if (frames)
		fprintf(stderr,
			"stxtop: %" PRIu64 " frames have no symbol: not resolved in time; reading "
			"a recording (-o FILE) waits for symbols\n",
			frames);
}

static int run(struct batch *batch, struct err *err)
{
	const struct options *options = batch->options;
	/* Text: put deadlocks last, where the reader looks. JSON: the summary is the last line. */
	bool deadlocks_last = options->summary && !options->json;
	struct engine_status *status;
	int rc = 0, recorded, flown;

	if (options->for_ns)
		batch->deadline_ns = clock_now_ns() + options->for_ns;
	if (options->engine.lossless_reader) {
		write_calls(batch);
		/* -n limits the lines, so calls in flight are not added. */
		if (!options->engine.max_calls && !output_ended(&batch->output))
			write_in_flight(batch);
	} else {
		wait_for_end(batch);
	}
	if (!output_ended(&batch->output) && !deadlocks_last && !options->csv)
		deadlock_lines_finish(&batch->deadlocks, &batch->output.text, false);
	if (options->summary)
		engine_filter_settle(batch->engine, NAMES_MS);
	batch->form.width = line_width(batch->output.fd);
	if (options->summary && !output_ended(&batch->output))
		report_add(&batch->output, batch->engine, &batch->form,
			   options->json  ? REPORT_JSON
			   : options->csv ? REPORT_CSV
					  : REPORT_TEXT);
	if (!output_ended(&batch->output) && deadlocks_last && !options->csv)
		deadlock_lines_finish(&batch->deadlocks, &batch->output.text, true);
	output_flush(&batch->output);

	status = mem_alloc(sizeof(*status));
	engine_status(batch->engine, status);
	err_set(err, 0, "%s", status->error);
	if (options->folded_path && !err->text[0])
		rc = folded_file_write(&batch->folded, options->folded_path, err);
	recorded = finish_recording(batch, rc || err->text[0] ? NULL : err);
	flown = finish_flight(batch, rc || recorded || err->text[0] ? NULL : err);
	recorded = recorded ? recorded : flown;
	report_unnamed(batch->lines.unnamed);
	report_mark(batch, &status->source);
	if (!rc && !recorded && !err->text[0])
		report_note(&status->source, err);
	if (!rc && !recorded && !err->text[0])
		report_beyond(batch, err);
	free(status);
	if (rc || recorded)
		return rc ? rc : recorded;
	return err->text[0] ? -EIO : 0;
}

int batch_run(struct engine *engine, const struct options *options, struct command *command,
	      struct err *err)
{
	struct batch batch = {
		.engine = engine,
		.options = options,
		.command = command,
		.form = options->form,
		.deadline_ns = UINT64_MAX,
		.lines_left = options->engine.max_calls ? options->engine.max_calls : UINT64_MAX,
	};
	/* Standard output belongs to COMMAND or to the recording. */
	bool beside = command || options->record_piped;
	int output_fd = beside ? STDERR_FILENO : STDOUT_FILENO;
	struct engine_options engine_options;
	int rc, closed, caught;

	rc = output_open(&batch.output, options->write_path, output_fd,
			 beside ? "to standard error" : "to standard output", err);
	if (rc < 0)
		return rc;
	batch.signal_fd = open_signals(options->engine.flight, err);
	rc = batch.signal_fd;
	output_cancel_on(&batch.output, batch.signal_fd);
	if (rc >= 0 && options->trace_path)
		rc = trace_file_open(&batch.trace, options->trace_path, err);
	if (rc < 0)
		goto out;
	open_targets(&batch);
	catch_set_init(&batch.catch_set, engine, options);
	engine_options = options->engine;
	engine_options.cancel_fd = batch.signal_fd;
	batch.started = &engine_options;
	rc = engine_start(engine, &engine_options, err);
	if (rc >= 0)
		rc = catch_set_start(&batch.catch_set, err);
	if (rc >= 0 && command)
		rc = command_go(command, err);
	if (rc >= 0) {
		batch.block = mem_alloc(BLOCK_CALLS * sizeof(*batch.block));
		lines_init(&batch.lines, engine, options,
			   options->json  ? LINES_JSON
			   : options->csv ? LINES_CSV
					  : LINES_TEXT);
		if (options->lines)
			lines_begin(&batch.lines, &batch.output.text);
		if (options->trace_path)
			trace_file_begin(&batch.trace, engine, options);
		deadlock_lines_init(&batch.deadlocks, engine, options->json,
				    options->engine.recording);
		folded_file_init(&batch.folded, engine);
		rc = run(&batch, err);
		folded_file_release(&batch.folded);
		lines_release(&batch.lines);
		free(batch.block);
	}
	caught = catch_set_close(&batch.catch_set, rc < 0 ? NULL : err);
	rc = rc < 0 ? rc : caught;
	for (size_t i = 0; i < batch.target_count; i++)
		if (batch.target_fds[i] >= 0)
			close(batch.target_fds[i]);
	free(batch.target_fds);
out:
	if (batch.signal_fd >= 0)
		close(batch.signal_fd);
	closed = trace_file_close(&batch.trace, rc < 0 ? NULL : err);
	rc = rc < 0 ? rc : closed;
	closed = output_close(&batch.output, rc < 0 ? NULL : err);
	return rc < 0 ? rc : closed;
}

int batch_wait_command(struct command *command)
{
	struct err err;
	int signal_fd = open_signals(false, &err);
	unsigned int signals = 0;
	int status = 1;

	while (!command_ended(command, &status) && command_fd(command) >= 0) {
		struct pollfd fds[] = {
			{ .fd = signal_fd, .events = POLLIN },
			{ .fd = command_fd(command), .events = POLLIN },
		};
		int signal;

		poll(fds, 2, -1);
		signal = next_signal(signal_fd);
		if (!signal)
			continue;
		if (signals++) {
			status = 128 + signal;
			break;
		}
		command_signal(command, signal);
	}
	close(signal_fd);
	return status;
}
