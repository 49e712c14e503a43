/*
 * recording_symbols - collects the stacks of a recording, their names and their unwound frames.
 *
 * While recording, the collector notes the stacks, and the recorder's thread requests their names
 * in batches. At the end of the file, the known names (embedded_names.h) and the unwound user
 * stacks (embedded_stacks.h) are written into it. Each file of a rotation has its own list.
 * Bounded; has its own lock.
 */
#ifndef RECORDER_RECORDING_SYMBOLS_H
#define RECORDER_RECORDING_SYMBOLS_H

#include "engine/record/record.h"
#include "engine/recorder/perfdata_writer.h"
#include "engine/stack/stacks.h"
#include "engine/stack/symbols.h"
#include "engine/stack/unwinder.h"

#include <stdatomic.h>

struct recording_symbols;

/*
 * symbols: borrowed. parts: 0 for a recording. For the flight recorder (flight.h): a file is
 * written from this many of the most recent parts; recording_symbols_begin() begins a part.
 */
struct recording_symbols *recording_symbols_new(struct symbols *symbols, size_t parts);
void recording_symbols_free(struct recording_symbols *names);
/* Set the unwinder of pending stacks; borrowed until recording_symbols_free(). NULL: none. */
void recording_symbols_set_unwinder(struct recording_symbols *names, struct unwinder *unwinder);

/* Collector. Begin the list of another file, or another part. */
void recording_symbols_begin(struct recording_symbols *names);
/*
 * Collector. Note a stack that is in the file. sample: the record whose user stack is unwound to
 * this stack; NULL: none. Copies the addresses.
 */
void recording_symbols_note(struct recording_symbols *names, const struct stack *stack,
			    const struct record *sample);
/* Any thread. Replace the pending stack `id` by the unwound one; stack->id can differ from id. */
void recording_symbols_resolve(struct recording_symbols *names, uint32_t id,
			       const struct stack *stack);

/* Recorder thread. Request names for a batch of stacks. False: all are requested. */
bool recording_symbols_ask(struct recording_symbols *names);
/*
 * Recorder thread. Write the known names and unwound stacks: of the oldest file if `parts` is 0,
 * otherwise of all parts. wait: first wait for pending ones, until RECORDING_SYMBOLS_WAIT_NS have
 * passed, *give_up is true, or none has arrived for 2 s (stacks) or 5 s (names).
 */
#define RECORDING_SYMBOLS_WAIT_NS 60000000000ULL
void recording_symbols_finish(struct recording_symbols *names, struct perfdata_writer *writer,
			      bool wait, const atomic_bool *give_up);
/* Recorder thread. Drop all files or parts. */
void recording_symbols_end(struct recording_symbols *names);

#endif
