/*
 * symbols - frames with names: what is known now, and the rest when it comes.
 *
 * symbols_frames() never waits: it answers from the cache and asks for what is
 * missing. A thread of its own opens the files (through /proc/PID/root, capped,
 * never following links out) and passes descriptors and addresses to the stack
 * worker, a process without privilege that reads ELF and DWARF; its
 * answers land in the cache and change symbols_version(). The worker may die
 * or hang: it is replaced, the file that did it is marked, nothing else is lost.
 */
#ifndef STACK_SYMBOLS_H
#define STACK_SYMBOLS_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/helper/fork_server.h"
#include "engine/stack/frame.h"
#include "engine/stack/spaces.h"
#include "engine/stack/stacks.h"
#include "engine/stack/symbol_paths.h"

struct reader;
struct symbols;

/*
 * The worker process is forked here: call it before there are threads, probes and
 * secrets. -errno with a sentence if nothing can be forked. Where a worker cannot be
 * locked in, it is no error: user frames have addresses only, and say why.
 */
int symbols_new(struct symbols **symbols, struct spaces *spaces, struct err *err);
/* For tests: the same with another program in the worker, which serves this socket. */
int symbols_new_served(struct symbols **symbols, struct spaces *spaces,
		       void (*serve)(int socket_fd), struct err *err);
/*
 * Of another recording, at any time, by any thread: its workers come from the fork server of
 * `lender`, which outlives it, and are forked when there is something to ask.
 */
struct symbols *symbols_new_shared(struct spaces *spaces, const struct symbols *lender);
int symbols_start(struct symbols *symbols, struct err *err); /* starts the thread */
/*
 * Before start: the stacks are a recording's. Its processes are gone and its kernel may be
 * another, so nothing is named but files that are here still: the same by device and inode
 * or by build-id.
 */
void symbols_set_recorded(struct symbols *symbols);
/* Before start: who opens the files of processes, see file_probe.h; borrowed. */
void symbols_set_reader(struct symbols *symbols, struct reader *reader);
/* Before start: what names may take; addresses beyond that have none. */
void symbols_set_limit(struct symbols *symbols, size_t bytes);
/* Before start: where files are looked for. */
void symbols_set_paths(struct symbols *symbols, const struct symbol_paths_options *options);
/* These places, as long as `symbols` lives. */
const struct symbol_paths *symbols_places(const struct symbols *symbols);
/* Before start: names that are told, see names_file.h, and need no file. */
void symbols_set_names_file(struct symbols *symbols, const char *text, size_t len);
/*
 * Before the first question: names that the recording brings along, see embedded_names.h; taken.
 * False: they are broken, and of no use.
 */
bool symbols_set_embedded(struct symbols *symbols, char *take_bytes, size_t len);
/* The kernel of a recording, as far as that tells; zero or NULL where it does not. */
struct recorded_kernel {
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	uint64_t text; /* the address of its _text: it begins elsewhere each time */
	const char *release; /* as uname(1) has it */
	const char *kallsyms; /* that file of its, `kallsyms_len` bytes */
	size_t kallsyms_len;
};

/* Before the first question. All of it is copied. */
void symbols_set_recorded_kernel(struct symbols *symbols, const struct recorded_kernel *kernel);
/*
 * Before start: debug files that are not here are fetched from servers (debuginfod). -errno
 * with a sentence where that is not possible.
 */
int symbols_set_debuginfod(struct symbols *symbols, struct err *err);
/* Ends its threads; nothing is asked any more. */
void symbols_stop(struct symbols *symbols);
void symbols_free(struct symbols *symbols);
/* Where other workers come from; it lives as long as `symbols`. */
struct fork_server *symbols_fork_server(struct symbols *symbols);
/* More is known of stacks than before: symbols_version() changes. Any thread. */
void symbols_touch(struct symbols *symbols);

/*
 * Fills at most max frames, innermost first, inlined ones before the frame they are
 * in. Returns the number. All strings are interned for the life of `symbols`.
 * Any thread; takes a lock of its own for microseconds.
 */
size_t symbols_frames(struct symbols *symbols, const struct stack *stack, struct frame *frames,
		      size_t max);

/*
 * For a recording: has everything on the stack named, if nobody asked for it yet. Any thread; and
 * so is the other, which writes what is known of these stacks now, as embedded_names.h has it.
 */
void symbols_embed(struct symbols *symbols, const struct stack *stack);
void symbols_write_embedded(struct symbols *symbols, const struct stack *stacks, size_t count,
			    struct str *out);

uint64_t symbols_version(const struct symbols *symbols); /* changes when names came */
size_t symbols_pending(const struct symbols *symbols); /* questions not answered yet */
/* "reading libfoo.so.1", or empty: for the status line. */
void symbols_progress(const struct symbols *symbols, char *out, size_t out_bytes);
/* Why there are no kernel names; empty if there are, or nobody asked for one yet. */
void symbols_kernel_note(const struct symbols *symbols, char *out, size_t out_bytes);
/*
 * What tracing must leave out: the threads, and the process that starts workers, which all
 * last as long as `symbols`; and the workers of now, which may be replaced.
 */
size_t symbols_own_tids(const struct symbols *symbols, uint32_t *tids, size_t max);
size_t symbols_own_workers(const struct symbols *symbols, uint32_t *pids, size_t max);
/* Waits until no question is pending, at most timeout_ms: for batch output. */
bool symbols_settle(struct symbols *symbols, int timeout_ms);

size_t symbols_bytes(struct symbols *symbols); /* of memory: names and what they are of */

#endif
