/*
 * engine_state - what the engine consists of, for the modules of this folder that implement
 * engine.h or work for it.
 *
 * Made by engine_control.c before there are threads; what changes later says under which lock.
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
	bool borrows_syscalls; /* they are another engine's */
	struct filter_names names;
	struct spaces *spaces;
	struct stacks *stacks;
	struct symbols *symbols;
	struct readers *readers;
	struct reader *task_reader, *owner_reader; /* the source's */
	struct reader *file_reader; /* of symbols and spaces; the same */
	struct reader *unwind_reader; /* the unwinder's */
	struct reader *late_reader, *recorder_reader;
	struct reader *memory_reader; /* of any thread that asks for locks; NULL: of a recording */
	struct unwinder *unwinder; /* NULL: nothing to unwind, or no worker for it */
	struct rates *rates;
	struct model *model;
	struct collector *collector;
	struct wait_graph *wait_graph;
	struct fds *fds; /* NULL: nobody asks what descriptors are */
	struct fd_reader *fd_reader; /* NULL: /proc is not asked */
	struct fd_namer fd_namer;
	struct stack_symbols stack_symbols;
	struct referenced referenced;
	struct event_names *event_names;
	struct event_formats *event_formats;
	struct late_thread *late; /* NULL: nothing is read later */
	uint64_t late_left_ns, late_seen_ns; /* what its writer may wait for it yet; as of then */
	struct late_validity late_validity; /* under the model's lock */
	bool copies; /* the source copies what calls point to */
	bool stack_points; /* it does not, and stacks of those that wait may have some of it */
	uint64_t started_ns;
	size_t history_bytes; /* as the options said */
	_Atomic size_t memory_most[MEMORY_OWNER_COUNT];
	bool recorded; /* it is no live source */
	uint32_t cpus;
	atomic_bool ready; /* what start makes is there */

	struct recorder *recorder; /* NULL: before start */
	/* NULL: before start, or they are not kept. Of the recorder's files, of the flight's. */
	struct recording_symbols *recording_symbols, *flight_names;
	struct embedded_stacks *embedded_stacks; /* of the recording that is read; NULL: none */
	struct flight *flight; /* the same, and of a recording */
	struct flight_mark flight_mark; /* of a recording; .reason FLIGHT_NONE: it has none */
	uint64_t record_from; /* under the model's lock: 1 + a call's place, to begin with; 0 */
	struct recording_extract *cut; /* of a recording, what is written anew; NULL: all of it */
	struct prober *prober; /* NULL: nothing is live */
	struct observations *observations; /* of a recording; NULL: it is none */
	bool interactive, names_fds; /* as the options said */
	int cancel_fd; /* the same */
	struct catches *catches; /* NULL: no descriptor was to be had */
	struct stopper *stopper; /* NULL: nothing may be stopped */

	/* Lock before the model's, never while that is held. */
	pthread_mutex_t rows_mutex;
	struct totals_reader *totals; /* the totals as readers see them */
	atomic_uint spared_pid; /* it keeps a row of its own once it ended; 0: none */
	struct rows *rows;
	struct exit_detector *exit_detector; /* NULL: a recording, in which all ends are told */
	struct rows_cache caches[ROWS_KIND_COUNT];
};

/* -- Recording: engine_recording.c -------------------------------------------------------- */

/* Before its first record: what of the calls will be looked at takes no room. */
void engine_shorten_history(struct engine *e, const struct engine_options *options, bool points);
int engine_start_recorder(struct engine *e, const struct engine_options *options, struct err *err);
int engine_start_flight(struct engine *e, const struct engine_options *options, struct err *err);

/* -- Stacks: engine_stacks.c -------------------------------------------------------------- */

/* A model_options.intern; ctx is the engine. */
void engine_stack_shown(void *ctx, uint32_t stack_id, uint64_t row, uint64_t first_row);
void engine_hold_stacks(void *ctx, struct stacks *stacks);
uint32_t engine_intern_stack(void *ctx, const struct record *record,
			     const struct record_stack *stack);
/* Without it user halves are by frame pointers, and say so: no error. */
void engine_start_unwinder(struct engine *e, const struct engine_options *options);
bool engine_is_unwinder_busy(void *ctx);
/* What a recording of ours knows of its stacks: the names, and with `stacks` what was unwound. */
void engine_take_embedded(struct engine *e, struct source *source, bool stacks);

/* What was found out beside the records is for the files that are being written, if any. */
void engine_find(struct engine *e, const struct observation *observation);

/* A collector_options.untaken: nobody looked at the totals for long. Collector; not locked. */
void engine_take_totals(void *ctx);

/* Before there is anybody who collects, or with the collector's lock taken for it. */
int engine_arm_flight(struct engine *engine, const struct flight_request *request, struct err *err);

#endif
