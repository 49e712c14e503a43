/*
 * engine_state - the members of the engine, for the modules in this folder that implement or serve
 * engine.h.
 *
 * engine_control.c sets them before threads start. For each member that changes later, its comment
 * names the lock.
 */
#ifndef ENGINE_ENGINE_STATE_H
#define ENGINE_ENGINE_STATE_H

#include "engine/collector/collector.h"
#include "engine/collector/exit_detector.h"
#include "engine/collector/rates.h"
#include "engine/decode/printer.h"
#include "engine/engine.h"
#include "engine/fds/fd_reader.h"
#include "engine/fds/referenced_objects.h"
#include "engine/helper/reader.h"
#include "engine/late/late_thread.h"
#include "engine/late/late_validity.h"
#include "engine/memory_owner.h"
#include "engine/model/totals_reader.h"
#include "engine/record/observations.h"
#include "engine/recorder/embedded_stacks.h"
#include "engine/recording_extract.h"
#include "engine/stack/spaces.h"
#include "engine/stack/stacks.h"
#include "engine/stack/unwinder.h"
#include "engine/stack_symbols.h"
#include "engine/totals_rows.h"

#include <pthread.h>
#include <stdatomic.h>

struct rows_cache {
	struct rows_query query;
	uint64_t taken_ns; /* 0: never */
	uint32_t filter_version;
	struct engine_row *rows;
	size_t count;
};

struct engine {
	struct syscalls *syscalls;
	bool borrows_syscalls; /* the tables belong to another engine */
	struct filter_names names;
	struct spaces *spaces;
	struct stacks *stacks;
	struct symbols *symbols;
	struct readers *readers;
	struct reader *task_reader, *owner_reader; /* for the source */
	struct reader *file_reader; /* for symbols and spaces */
	struct reader *unwind_reader; /* for the unwinder */
	struct reader *late_reader, *recorder_reader;
	struct reader *memory_reader; /* for descriptors and locks, any thread; NULL: a recording */
	struct unwinder *unwinder; /* NULL: nothing to unwind, or no worker for it */
	struct rates *rates;
	struct model *model;
	struct collector *collector;
	struct wait_graph *wait_graph;
	struct fds *fds; /* NULL: descriptors are not named */
	struct fd_reader *fd_reader; /* NULL: /proc is not read */
	struct fd_namer fd_namer;
	struct stack_symbols stack_symbols;
	struct referenced referenced;
	struct event_names *event_names;
	struct event_formats *event_formats;
	struct late_thread *late; /* NULL: no late reads */
	/* remaining time that batch output can wait for late reads; time of its last update */
	uint64_t late_left_ns, late_seen_ns;
	struct late_validity late_validity; /* under the model's lock */
	/* Late reads for filters. Under the model's lock; wanted_count is also read without it. */
	struct model_late model_late;
	struct engine_bytes filter_bytes; /* late reads of the call that is tested */
	struct str filter_reading;
	struct call *wanted; /* calls to read late, at most WANTED_MAX */
	_Atomic size_t wanted_count;
	_Atomic uint64_t wanted_rounds; /* how often wanted calls were requested */
	uint64_t late_version,
		late_version_ns; /* last result of model_late.version, and its time */
	bool copies; /* the source copies the data that calls point to */
	/* the source does not copy this data, but sampled stacks can contain parts of it */
	bool stack_points;
	uint64_t started_ns;
	size_t history_bytes; /* from the options */
	_Atomic size_t memory_most[MEMORY_OWNER_COUNT];
	bool recorded; /* the source is a recording */
	uint32_t cpus;
	atomic_bool ready; /* engine_start() has set all members */

	struct recorder *recorder; /* NULL: before start */
	/*
	 * Names for the files of the recorder and of the flight recorder. NULL: before start, or
	 * names are not stored.
	 */
	struct recording_symbols *recording_symbols, *flight_names;
	struct embedded_stacks *embedded_stacks; /* of the recording that is read; NULL: none */
	struct flight *flight; /* NULL: before start, or the source is a recording */
	struct flight_mark flight_mark; /* of the recording that is read; FLIGHT_NONE: none */
	/* 1 + history position of the first call to record; 0: none. Under the model's lock. */
	uint64_t record_from;
	/* selects the calls that -o copies from a recording; NULL: all */
	struct recording_extract *cut;
	struct prober *prober; /* NULL: the source is a recording */
	struct observations *observations; /* of a recording; NULL: live */
	bool interactive, names_fds; /* from the options */
	int cancel_fd; /* from the options */
	struct catches *catches; /* NULL: no eventfd available */
	struct stopper *stopper; /* NULL: processes cannot be stopped */

	/* Lock this mutex before the model's lock, never while the model's lock is held. */
	pthread_mutex_t rows_mutex;
	struct totals_reader *totals; /* the totals as readers see them */
	uint32_t kept_turn; /* identity_turn() when the identities in `totals` were last kept */
	atomic_uint spared_pid; /* this process keeps its own row after its exit; 0: none */
	struct rows *rows;
	struct exit_detector *exit_detector; /* NULL: a recording, which has all exit records */
	struct rows_cache caches[ROWS_KIND_COUNT];
};

/* -- Recording: engine_recording.c -------------------------------------------------------- */

/* Shorten the history if the calls in it will not be read again. Call before the first record. */
void engine_shorten_history(struct engine *e, const struct engine_options *options, bool points);
int engine_start_recorder(struct engine *e, const struct engine_options *options, struct err *err);
int engine_start_flight(struct engine *e, const struct engine_options *options, struct err *err);

/* -- Late reads: engine_bytes.c ------------------------------------------------------------ */

/* Set the members of model_late. */
void engine_begin_late(struct engine *e);
void engine_end_late(struct engine *e);
/* Request the late reads of e->wanted. Allocates; not on the collector thread. */
void engine_look_wanted(struct engine *e);
/* Wait up to timeout_ms for the memory and the descriptors of calls that a filter tests. */
void engine_settle_memory(struct engine *e, const struct call *calls, size_t count, int timeout_ms);

/* -- Stacks: engine_stacks.c -------------------------------------------------------------- */

/* ctx of these functions: the engine. engine_intern_stack() serves as model_options.intern. */
void engine_stack_shown(void *ctx, uint32_t stack_id, uint64_t row, uint64_t first_row);
void engine_hold_stacks(void *ctx, struct stacks *stacks);
uint32_t engine_intern_stack(void *ctx, const struct record *record,
			     const struct record_stack *stack);
/*
 * Start the unwinder. If that fails, user stacks use frame pointers and are marked so; no error.
 */
void engine_start_unwinder(struct engine *e, const struct engine_options *options);
bool engine_is_unwinder_busy(void *ctx);
/* Load the names embedded in a recording of stxtop, and with `stacks` its unwound stacks. */
void engine_take_embedded(struct engine *e, struct source *source, bool stacks);

/* Emit an observation to the files that are being written, if any. */
void engine_find(struct engine *e, const struct observation *observation);

/*
 * A collector_options.untaken: take the totals if no reader has done so for long. Collector thread;
 * not locked.
 */
void engine_take_totals(void *ctx);

/*
 * Arm the flight recorder, before or after the collector thread starts. Takes the collector's lock.
 */
int engine_arm_flight(struct engine *engine, const struct flight_request *request, struct err *err);

#endif
