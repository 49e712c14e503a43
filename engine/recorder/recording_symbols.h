/*
 * recording_symbols - which stacks a recording has, and what is known of them in the end.
 *
 * While it is recorded, the collector notes the stacks, and the recorder's thread has them named
 * bit by bit; when the file ends, what is known goes into it: names by embedded_names.h, and what
 * was unwound by embedded_stacks.h. A file that follows another has a list of its own. Bounded; has
 * a lock of its own.
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
 * symbols: borrowed. parts: 0, or files are written of what was noted last (flight.h): of so many
 * of the last parts, each begun by recording_symbols_begin().
 */
struct recording_symbols *recording_symbols_new(struct symbols *symbols, size_t parts);
void recording_symbols_free(struct recording_symbols *names);
/* What stacks may wait for; borrowed, until recording_symbols_free(). NULL: nothing. */
void recording_symbols_set_unwinder(struct recording_symbols *names, struct unwinder *unwinder);

/* The collector's: from now on for another file, or another part. */
void recording_symbols_begin(struct recording_symbols *names);
/*
 * The collector's: the stack is in the file. `sample`: it was unwound, or will be, from that
 * record; NULL: it was not. The addresses of a stack must stay where they are.
 */
void recording_symbols_note(struct recording_symbols *names, const struct stack *stack,
			    const struct record *sample);
/* Anybody's: what was pending by this number is known, perhaps as another one. */
void recording_symbols_resolve(struct recording_symbols *names, uint32_t id,
			       const struct stack *stack);

/* The recorder's thread: has some of them named; false: there is nothing to do. */
bool recording_symbols_ask(struct recording_symbols *names);
/*
 * The same: what is known of the oldest file that was begun, or of all parts, is for this writer
 * to write. `wait`: also what comes within RECORDING_SYMBOLS_WAIT_NS, unless none does for
 * seconds, or until *give_up.
 */
#define RECORDING_SYMBOLS_WAIT_NS 60000000000ULL
void recording_symbols_finish(struct recording_symbols *names, struct perfdata_writer *writer,
			      bool wait, const atomic_bool *give_up);
/* The same: no file, or part, is left. */
void recording_symbols_end(struct recording_symbols *names);

#endif
