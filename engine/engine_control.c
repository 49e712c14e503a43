#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/decode/capture_rules.h"
#include "engine/decode/referenced_args.h"
#include "engine/engine.h"
#include "engine/engine_state.h"
#include "engine/fds/fd_filter.h"
#include "engine/filter/filter_names.h"
#include "engine/memory_usage.h"
#include "engine/prober.h"
#include "engine/reader_services.h"
#include "engine/recording/read/recording.h"
#include "engine/source/live/user_processes.h"
#include "engine/source/tracefs.h"
#include "engine/wait_graph.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_HISTORY_BYTES (64ULL << 20)
/* Share of the history for the data that calls point to: one part in four. */
#define POINTED_SHARE 4
/* maximum time of querying the inherited descriptors, before the command can exec */
#define INHERITED_WAIT_MS 2000
#define OWN_TIDS_MAX 64
#define IN_FLIGHT_NOTED 65536 /* maximum number of calls in flight at the end of a recording */
#define OBSERVATIONS_BYTES_MAX ((size_t)64 << 20) /* memory for observations of a recording */
#define OWN_WORKERS_MAX 16
/* Number of ended processes with their own rows, if interactive: per comm, and in total. */
#define ENDED_PER_NAME 16
#define ENDED_MOST 256

/* -- Open, start, close -------------------------------------------------------- */

static struct syscalls *load_syscalls(void)
{
	char tracefs[PATH_MAX];
	uint64_t before = privilege_raise();
	bool has_tracefs = tracefs_find(tracefs, sizeof(tracefs), NULL) == 0;
	struct syscalls *syscalls = syscalls_load(has_tracefs ? tracefs : NULL);

	privilege_restore(before);
	return syscalls;
}

/* Create the members that depend on spaces, symbols and the syscall table. */
static void make(struct engine *e)
{
	e->stacks = stacks_new(memory_bounds(DEFAULT_HISTORY_BYTES).stacks);
	filter_names_init(&e->names, e->syscalls);
	e->referenced.shapes = referenced_shapes_make(e->syscalls, &e->referenced.count);
	e->event_names = event_names_new();
	e->event_formats = event_formats_new(e->event_names);
	e->wait_graph = wait_graph_new();
	e->rows = rows_new();
	e->catches = catches_new();
	e->readers = readers_new(symbols_fork_server(e->symbols), readers_serve);
	lock_init(&e->rows_mutex);
	e->cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

int engine_new(struct engine **engine, struct err *err)
{
	struct engine *e = mem_zalloc(1, sizeof(*e));
	int rc;

	e->spaces = spaces_new();
	rc = symbols_new(&e->symbols, e->spaces, err);
	if (rc < 0) {
		spaces_free(e->spaces);
		free(e);
		return rc;
	}
	e->syscalls = load_syscalls();
	make(e);
	*engine = e;
	return 0;
}

struct engine *engine_new_shared(const struct engine *lender)
{
	struct engine *e = mem_zalloc(1, sizeof(*e));

	e->spaces = spaces_new();
	e->symbols = symbols_new_shared(e->spaces, lender->symbols);
	e->syscalls = lender->syscalls;
	e->borrows_syscalls = true;
	make(e);
	return e;
}

static void stop_fds(struct engine *e)
{
	if (e->fds)
		fds_shutdown(e->fds);
	fd_reader_free(e->fd_reader);
	fds_free(e->fds);
	e->fd_reader = NULL;
	e->fds = NULL;
}

/* Stop the symbol threads first: they use the readers, which use the fork server. */
static void stop_symbols(struct engine *e)
{
	symbols_stop(e->symbols);
	reader_free(e->task_reader);
	reader_free(e->owner_reader);
	reader_free(e->memory_reader);
	reader_free(e->file_reader);
	reader_free(e->unwind_reader);
	reader_free(e->late_reader);
	reader_free(e->recorder_reader);
	readers_free(e->readers);
	symbols_free(e->symbols);
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	/* Continue stopped processes first: they must not wait for the steps below. */
	stopper_free(e->stopper);
	readers_cancel(e->readers);
	if (e->flight)
		flight_shutdown(e->flight);
	prober_free(e->prober);
	late_thread_free(e->late);
	unwinder_stop(e->unwinder); /* stores its results under the collector's lock */
	collector_free(e->collector);
	if (e->fds)
		fds_set_observer(e->fds, NULL, NULL);
	recorder_free(e->recorder);
	flight_free(e->flight);
	recording_symbols_free(e->recording_symbols);
	recording_symbols_free(e->flight_names);
	embedded_stacks_free(e->embedded_stacks);
	unwinder_free(e->unwinder); /* the collector used it until here */
	model_free(e->model);
	stop_fds(e);
	late_validity_release(&e->late_validity);
	engine_end_late(e);
	observations_free(e->observations);
	recording_extract_free(e->cut);
	stop_symbols(e);
	stacks_free(e->stacks);
	spaces_free(e->spaces);
	wait_graph_free(e->wait_graph);
	catches_free(e->catches);
	rates_free(e->rates);
	exit_detector_free(e->exit_detector);
	totals_reader_free(e->totals);
	event_formats_free(e->event_formats);
	event_names_free(e->event_names);
	rows_free(e->rows);
	for (size_t i = 0; i < ROWS_KIND_COUNT; i++)
		free(e->caches[i].rows);
	pthread_mutex_destroy(&e->rows_mutex);
	free(e->referenced.shapes);
	if (!e->borrows_syscalls)
		syscalls_free(e->syscalls);
	free(e);
}

const struct syscalls *engine_syscalls(const struct engine *e)
{
	return e->syscalls;
}

const struct filter_names *engine_filter_names(const struct engine *e)
{
	return &e->names;
}

/* List the threads of this process, plus the fork server and the process of the interface. */
static size_t own_tids(const struct engine *e, uint32_t own_pid, uint32_t tids[OWN_TIDS_MAX])
{
	size_t count = symbols_own_tids(e->symbols, tids, OWN_TIDS_MAX - 1);
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;

	if (own_pid)
		tids[count++] = own_pid;
	if (!dir)
		return count;
	while (count < OWN_TIDS_MAX && (entry = readdir(dir))) {
		uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		bool known = false;

		for (size_t i = 0; i < count; i++)
			known = known || tids[i] == tid;
		if (tid && !known)
			tids[count++] = tid;
	}
	closedir(dir);
	return count;
}

static size_t own_workers(const struct engine *e, uint32_t pids[OWN_WORKERS_MAX])
{
	size_t count = symbols_own_workers(e->symbols, pids, OWN_WORKERS_MAX - 8);
	pid_t pid = e->unwinder ? unwinder_worker_pid(e->unwinder) : 0;
	struct reader *const readers[] = { e->task_reader, e->owner_reader,  e->memory_reader,
					   e->file_reader, e->unwind_reader, e->late_reader };

	if (pid)
		pids[count++] = (uint32_t)pid;
	if (e->stopper)
		pids[count++] = (uint32_t)stopper_cont_guard_pid(e->stopper);
	/* Start the readers now, so that the first request does not wait for a fork. */
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (readers[i] && reader_start(readers[i]))
			pids[count++] = (uint32_t)reader_start(readers[i]);
	return count;
}

void engine_find(struct engine *e, const struct observation *observation)
{
	if (e->recorder)
		recorder_find(e->recorder, observation);
	if (e->flight)
		flight_find(e->flight, observation);
}

static void store_observation(void *ctx, const struct observation *observation)
{
	engine_find(ctx, observation);
}

/*
 * Record a late read. If the call was in flight, the timestamp of the read later shows whether the
 * data is valid. For a call that had returned, record only data that cannot have changed. The other
 * data is recorded when late_validity.h finds it valid.
 */
static void store_reading(void *ctx, const struct observation *observation)
{
	struct observation constant = *observation;
	struct str chunks = STR_INIT;

	if (observation->call.state != CALL_IN_FLIGHT) {
		late_validity_add_constants(&chunks, observation->text, observation->len);
		constant.text = chunks.data;
		constant.len = chunks.len;
	}
	if (constant.len)
		engine_find(ctx, &constant);
	str_release(&chunks);
}

/* Return the options for reading the recording. Both passes of an extract use them. */
static struct recording_options how_to_read(struct engine *e, const struct engine_options *options)
{
	return (struct recording_options){
		.file = { options->recording, options->recording_fd, options->cancel_fd },
		.formats = e->event_formats,
		.syscall_event = syscalls_event_name,
		.observations = e->observations,
		.indexed = options->interactive || options->from_ns,
		.wake_fd = collector_wake_fd(e->collector),
	};
}

static int open_recording(struct engine *e, const struct engine_options *options,
			  struct source **source, struct err *err)
{
	const struct recording_options wanted = how_to_read(e, options);
	int rc;

	if (!e->cut)
		observations_set_observer(e->observations, store_observation, e);
	rc = source_open_recording(source, &wanted, err);
	if (!rc && e->cut && (*source)->ops->play->refusal(*source)) {
		source_close(*source);
		return err_set(err, -EOPNOTSUPP,
			       "a recording from a pipe can only be written as a whole; save it to "
			       "a file first, or drop the filter and the span");
	}
	if (!rc && e->fds)
		fds_set_observations(e->fds, e->observations);
	return rc;
}

static int open_source(struct engine *e, const struct engine_options *options,
		       struct source **source, struct err *err)
{
	uint32_t tids[OWN_TIDS_MAX], workers[OWN_WORKERS_MAX];
	struct source_options wanted = {
		.target = &options->target,
		.syscall_event = syscalls_event_name,
		.calls = options->calls,
		.ring_bytes = options->ring_bytes,
		.stacks = options->stacks,
		.dwarf_bytes = options->dwarf_bytes,
		.events = options->events,
		.formats = e->event_formats,
		.own_tids = tids,
		.own_tid_count = own_tids(e, options->own_pid, tids),
		.own_workers = workers,
		.own_worker_count = own_workers(e, workers),
		.filter_stays = !options->interactive,
		.wake_often = options->interactive,
		.reader = e->task_reader,
		.owner_reader = e->owner_reader,
		.before_wait = collector_before_wait,
		.before_wait_ctx = e->collector,
		.hold_back = engine_is_unwinder_busy,
		.hold_back_ctx = e,
		.wake_fd = collector_wake_fd(e->collector),
	};
	struct capture_rules *rules = NULL;
	struct source_status status;
	struct perfdata_machine machine;
	bool points = false, waits, ins = true;
	int rc;

	if (options->capture && !options->recording) {
		rules = mem_alloc(sizeof(*rules));
		capture_rules_make(rules, e->syscalls, options->string_bytes, e->fds != NULL);
		wanted.capture = rules;
	}

	if (options->filter)
		filter_kernel_half(options->filter, &wanted.filter);
	else
		kernel_filter_init(&wanted.filter);
	if (e->fds && options->descriptors_first)
		fd_filter_widen(&wanted.filter);
	/* Only a live source omits calls that the filter drops. */
	if (e->fds && !options->recording && fd_filter_is_blind(&wanted.filter))
		fds_set_blind(e->fds, true, 0);
	rc = options->recording ? open_recording(e, options, source, err)
				: own_processes_open(source, &wanted, err);
	kernel_filter_release(&wanted.filter);
	free(rules);
	if (rc < 0)
		return rc;
	if (options->recording) {
		struct recording_kernel kernel;

		source_status(*source, &status);
		e->started_ns = status.from_ns;
		engine_take_embedded(e, *source, options->stacks != STACKS_OFF);
		points = source_recording_points(*source, &e->copies) || status.has_user_stacks;
		if (source_recording_machine(*source, &machine))
			recorder_set_machine(e->recorder, &machine);
		if (source_recording_flight(*source, &e->flight_mark))
			recorder_set_flight(e->recorder, &e->flight_mark);
		if (source_recording_kernel(*source, &kernel))
			symbols_set_recorded_kernel(
				e->symbols,
				&(struct recorded_kernel){ kernel.build_id, kernel.build_id_bytes,
							   kernel.text, kernel.release,
							   kernel.kallsyms, kernel.kallsyms_len });
		if (status.tracepoints || points)
			rc = model_share_history(e->model, POINTED_SHARE, err);
		engine_shorten_history(e, options, status.tracepoints || points);
	} else {
		e->started_ns = clock_now_ns();
	}
	source_status(*source, &status);
	if (!options->recording)
		e->copies = wanted.capture && !strcmp(status.name, "bpf");
	e->stack_points = !e->copies && (options->recording ? points : e->late != NULL);
	waits = options->recording ? source_recording_waits(*source, &ins) : status.has_waits;
	model_watch_waits(e->model, waits, ins);
	recorder_set_source(e->recorder, e->copies, options->record.path ? e->started_ns : 0);
	recorder_set_waits(e->recorder, waits, ins);
	if (e->flight)
		flight_set_source(e->flight, e->copies);
	if (rc >= 0)
		rc = source_start(*source, err);
	if (rc < 0)
		source_close(*source);
	return rc;
}

static size_t name_fd(void *ctx, const struct call *call, int fd, bool after, char *out,
		      size_t out_bytes)
{
	return fds_text(ctx, call, fd, after, out, out_bytes);
}

/* Enable descriptor names. A recording needs no /proc reader: its processes are gone. */
static int start_fds(struct engine *e, const struct engine_options *options, struct err *err)
{
	e->fds = fds_new(memory_bounds(e->history_bytes).descriptors);
	e->fd_namer = (struct fd_namer){ .name = name_fd, .ctx = e->fds };
	if (options->recording)
		return 0;
	fds_set_observer(e->fds, store_observation, e);
	return fd_reader_new(&e->fd_reader, e->fds, e->memory_reader, err);
}

/*
 * Query the descriptors of the targets only after tracing has begun, as a change between an earlier
 * reply and the first traced call would be missed.
 */
static void ask_targets(struct engine *e, const struct target *target)
{
	for (size_t i = 0; e->fds && i < target->pid_count; i++)
		fds_ask_once(e->fds, target->pids[i]);
	if (e->fds && target->command)
		fds_ask_once(e->fds, (uint32_t)target->command);
}

/* A model_watch_fn: called under the model's lock. */
static void watch(void *ctx, const struct call *call, uint64_t seq, const struct model *model)
{
	struct engine *e = ctx;

	if (e->cut)
		recording_extract_note(e->cut, call, &e->referenced);
	if (e->catches)
		catches_look(e->catches, call, seq, model);
}

/* Call before collection begins. */
static void set_catches(struct engine *e, const struct engine_options *options)
{
	for (unsigned i = 0; e->catches && i < options->catch_count && i < CATCHES_MAX; i++)
		catches_set(e->catches, i, &options->catches[i]);
	if (e->cut || (e->catches && options->catch_count))
		model_set_watch(e->model, watch, e);
}

static uint64_t later_by(uint64_t time_ns, uint64_t ns)
{
	return ns < UINT64_MAX - time_ns ? time_ns + ns : UINT64_MAX;
}

static void set_span(struct engine *e, const struct engine_options *options)
{
	uint64_t from_ns = PLAY_FROM_START, until_ns = PLAY_TO_END;

	if (options->from_ns)
		from_ns = later_by(e->started_ns, options->from_ns);
	if (options->until_ns)
		until_ns = later_by(e->started_ns, options->until_ns);
	collector_set_span(e->collector, from_ns, until_ns, options->speed);
}

/* True if -o copies a part of the recording that is read: a filter or a span is set. */
static bool cuts(const struct engine_options *options)
{
	return options->recording && options->record.path && !options->interactive &&
	       (options->filter || options->from_ns || options->until_ns);
}

/* Use one reader per purpose: a request that hangs blocks only its own reader. */
static void make_readers(struct engine *e)
{
	readers_set_serve(e->readers, readers_serve_raised);
	e->task_reader = reader_new(e->readers);
	e->owner_reader = reader_new(e->readers);
	e->memory_reader = reader_new(e->readers);
	e->file_reader = reader_new(e->readers);
	e->unwind_reader = reader_new(e->readers);
	e->late_reader = reader_new(e->readers);
	e->recorder_reader = reader_new(e->readers);
	symbols_set_reader(e->symbols, e->file_reader);
	spaces_set_reader(e->spaces, e->file_reader);
}

/* Set the bounds of all growing tables in proportion to the history. */
static void set_bounds(struct engine *e, size_t history_bytes)
{
	struct memory_bounds bounds = memory_bounds(history_bytes);

	e->history_bytes = history_bytes;
	stacks_set_limit(e->stacks, bounds.stacks);
	spaces_set_limit(e->spaces, bounds.ended_mappings);
	spaces_set_paths_limit(e->spaces, bounds.paths);
	symbols_set_limit(e->symbols, bounds.symbols);
}

static int start(struct engine *e, const struct engine_options *options, struct err *err)
{
	struct model_options model_options = {
		.history_bytes = options->history_bytes ? options->history_bytes
							: DEFAULT_HISTORY_BYTES,
		.latency_heatmap = options->interactive,
		.hold_for_reader = options->lossless_reader,
		.recorded = options->recording != NULL,
		.stack_shown = engine_stack_shown,
		.intern = engine_intern_stack,
		.intern_ctx = e,
	};
	struct collector_options collector_options = {
		.spaces = e->spaces,
		.fds_first = options->descriptors_first,
		.lossless = options->lossless_reader,
		.interactive = options->interactive,
		.max_calls = options->max_calls,
		.filter = options->filter,
	};
	struct source *source = NULL;
	int rc;

	set_bounds(e, model_options.history_bytes);
	if ((options->capture || options->events) && !options->recording) {
		model_options.pointed_bytes = model_options.history_bytes / POINTED_SHARE;
		model_options.history_bytes -= model_options.pointed_bytes;
	}
	rc = target_check(&options->target, err);
	if (rc < 0)
		return rc;
	if (!options->recording)
		make_readers(e);
	if (options->capture && !options->recording)
		rc = late_thread_new(&e->late,
				     late_bytes_new(e->syscalls, e->spaces, e->late_reader,
						    options->string_bytes),
				     err);
	if (rc < 0)
		return rc;
	e->interactive = options->interactive;
	e->cancel_fd = options->cancel_fd;
	e->names_fds = options->descriptors;
	if (options->recording)
		e->observations = observations_new(OBSERVATIONS_BYTES_MAX);
	e->cut = cuts(options) ? recording_extract_new() : NULL;
	/* A new recording contains descriptor names, so collect them even if they are not shown. */
	rc = options->descriptors || e->cut || (options->records && !options->recording)
		     ? start_fds(e, options, err)
		     : 0;
	model_options.fds = e->referenced.fds = e->fds;
	model_options.referenced = &e->referenced;
	stack_symbols_init(&e->stack_symbols, e->symbols, e->stacks);
	model_options.symbols = &e->stack_symbols.names;
	engine_begin_late(e);
	model_options.late = &e->model_late;
	model_options.event_names = e->event_names;
	model_options.observations = e->observations;
	if (!options->recording)
		e->exit_detector = exit_detector_new();
	if (e->exit_detector && exit_detector_works(e->exit_detector)) {
		model_options.is_gone = exit_detector_is_gone;
		model_options.is_gone_ctx = e->exit_detector;
	}
	if (rc >= 0)
		rc = model_new(&e->model, &model_options, err);
	if (rc < 0) {
		stop_fds(e);
		exit_detector_free(e->exit_detector);
		e->exit_detector = NULL;
		return rc;
	}
	stacks_set_holders(e->stacks, engine_hold_stacks, e);
	if (options->interactive && !options->recording)
		e->rates = rates_new();
	e->totals = totals_reader_new(&(struct totals_reader_options){
		.rates = e->rates != NULL,
		.ended_per_name = e->rates ? ENDED_PER_NAME : SIZE_MAX,
		.ended_most = e->rates ? ENDED_MOST : SIZE_MAX,
	});
	if (options->debuginfod) {
		rc = symbols_set_debuginfod(e->symbols, err);
		if (rc < 0)
			goto fail;
	}
	/* Ignore a failure here: a later request to stop a process reports it. */
	if (options->may_stop && !options->recording)
		stopper_new(&e->stopper, NULL);
	symbols_set_paths(e->symbols, &options->places);
	/* Create every thread of ours before the source learns which tasks to exclude. */
	if (options->recording)
		symbols_set_recorded(e->symbols);
	if (options->names)
		symbols_set_names_file(e->symbols, options->names, strlen(options->names));
	/* Start the symbols even without stacks: they name futexes. */
	rc = symbols_start(e->symbols, err);
	if (rc < 0)
		goto fail;
	if (options->stacks != STACKS_OFF)
		engine_start_unwinder(e, options);
	e->recorded = options->recording != NULL;
	collector_options.recorded = e->recorded;
	collector_options.model = e->model;
	collector_options.fds = e->fds;
	collector_options.rates = e->rates;
	rc = engine_start_recorder(e, options, err);
	if (rc >= 0 && !options->recording)
		rc = prober_new(&e->prober, e, err);
	if (rc < 0)
		goto fail;
	if (e->late)
		late_thread_set_observer(e->late, store_reading, e);
	collector_options.recorder = e->cut ? NULL : e->recorder;
	collector_options.recording_lasts = !options->interactive;
	rc = engine_start_flight(e, options, err);
	if (rc < 0)
		goto fail;
	collector_options.flight = e->flight;
	collector_options.untaken = engine_take_totals;
	collector_options.untaken_ctx = e;
	rc = collector_new(&e->collector, &collector_options, err);
	if (rc < 0)
		goto fail;
	rc = open_source(e, options, &source, err);
	if (rc < 0)
		goto fail;
	ask_targets(e, &options->target);
	model_set_start(e->model, e->started_ns);
	set_catches(e, options);
	if (options->record.path)
		collector_set_recording(e->collector, true, 0);
	if (e->recorded)
		set_span(e, options);
	rc = options->flight ? engine_arm_flight(e, options->flight, err) : 0;
	if (rc < 0) {
		source_close(source);
		goto fail;
	}
	collector_begin(e->collector, source);
	atomic_store(&e->ready, true);
	prober_begin(e->prober);
	/* Learn the inherited descriptors before the first call, which can use one of them. */
	if (e->fd_reader && options->target.command)
		fds_wait(e->fds, INHERITED_WAIT_MS);
	return 0;
fail:
	if (e->flight)
		flight_shutdown(e->flight);
	prober_free(e->prober);
	e->prober = NULL;
	unwinder_stop(e->unwinder);
	collector_free(e->collector);
	e->collector = NULL;
	if (e->fds)
		fds_set_observer(e->fds, NULL, NULL);
	recorder_free(e->recorder);
	e->recorder = NULL;
	flight_free(e->flight);
	e->flight = NULL;
	recording_symbols_free(e->recording_symbols);
	recording_symbols_free(e->flight_names);
	e->recording_symbols = e->flight_names = NULL;
	unwinder_free(e->unwinder);
	e->unwinder = NULL;
	model_free(e->model);
	e->model = NULL;
	stop_fds(e);
	rates_free(e->rates);
	e->rates = NULL;
	totals_reader_free(e->totals);
	e->totals = NULL;
	exit_detector_free(e->exit_detector);
	e->exit_detector = NULL;
	return rc;
}

int engine_start(struct engine *e, const struct engine_options *options, struct err *err)
{
	uint64_t before;
	int rc;

	/* Open a named recording with the user's own privileges, so that file permissions apply. */
	if (options->recording)
		return start(e, options, err);
	before = privilege_raise();
	rc = start(e, options, err);
	privilege_restore(before);
	return rc;
}

void engine_stop(struct engine *e)
{
	if (!atomic_load(&e->ready))
		return;
	collector_stop(e->collector);
	if (!collector_is_lossless(e->collector))
		collector_wait_end(e->collector);
}

void engine_set_filter(struct engine *e, struct filter *filter)
{
	if (!atomic_load(&e->ready))
		return;
	collector_set_filter(e->collector, filter);
	prober_begin(e->prober);
}

void engine_set_target(struct engine *e, const struct target *target)
{
	if (!atomic_load(&e->ready))
		return;
	collector_set_target(e->collector, target);
}

void engine_set_running(struct engine *e, bool running)
{
	if (atomic_load(&e->ready))
		collector_set_running(e->collector, running);
}

void engine_set_user_stacks(struct engine *e, uint32_t pid)
{
	if (!atomic_load(&e->ready))
		return;
	atomic_store(&e->spared_pid, pid);
	collector_set_user_stacks(e->collector, pid);
}

static void note_in_flight(struct engine *e)
{
	struct call *calls = mem_alloc(IN_FLIGHT_NOTED * sizeof(*calls));

	for (size_t i = 0, count = engine_in_flight(e, calls, IN_FLIGHT_NOTED); i < count; i++)
		recording_extract_note(e->cut, &calls[i], &e->referenced);
	free(calls);
}

int engine_record_cut(struct engine *e, const struct engine_options *options, struct err *err)
{
	const struct recording_extract_options wanted = {
		.recording = how_to_read(e, options),
		.observations = e->observations,
		.recorder = e->recorder,
		.from_ns = options->from_ns ? later_by(e->started_ns, options->from_ns) : 0,
		.until_ns = options->until_ns ? later_by(e->started_ns, options->until_ns)
					      : UINT64_MAX,
		.filtered = options->filter != NULL,
		.cancel_fd = options->cancel_fd,
	};

	if (!atomic_load(&e->ready) || !e->cut)
		return 0;
	note_in_flight(e);
	return recording_extract_write(e->cut, &wanted, err);
}

void engine_zero(struct engine *e)
{
	if (atomic_load(&e->ready))
		collector_zero(e->collector);
}
