/*
 * symbols - frames with names; missing names are resolved in the background.
 *
 * symbols_frames() never blocks: it reads the cache and requests missing names. The names thread
 * opens the files (through /proc/PID/root, size-limited, without following links) and passes
 * descriptors and addresses to the stack worker. That process is unprivileged and reads ELF and
 * DWARF. Its replies enter the cache and change symbols_version(). A worker that crashes or hangs
 * is replaced and a strike is counted against its file; all other replies remain valid.
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
 * Fork the fork server and the workers: call it before there are threads, probes or secrets. -errno
 * with *err set if the fork server cannot be started. A worker that cannot be sandboxed is not an
 * error: user frames then have only addresses, and a note.
 */
int symbols_new(struct symbols **symbols, struct spaces *spaces, struct err *err);
/* For tests: as symbols_new(), with another main function for the workers. */
int symbols_new_served(struct symbols **symbols, struct spaces *spaces,
		       void (*serve)(int socket_fd), struct err *err);
/*
 * Create symbols for another recording; any thread, at any time. Its workers come from the fork
 * server of `lender`, which must outlive it, and are forked when needed.
 */
struct symbols *symbols_new_shared(struct spaces *spaces, const struct symbols *lender);
int symbols_start(struct symbols *symbols, struct err *err); /* starts the threads */
/*
 * Call before start: the stacks are from a recording. Its processes are gone and its kernel may
 * differ, so only local files that match by device and inode or by build-id are used.
 */
void symbols_set_recorded(struct symbols *symbols);
/* Call before start. Set the reader that opens files (file_probe.h); borrowed. */
void symbols_set_reader(struct symbols *symbols, struct reader *reader);
/* Call before start. Limit the memory of names; further addresses get no name. */
void symbols_set_limit(struct symbols *symbols, size_t bytes);
/* Call before start. Set where files are searched. */
void symbols_set_paths(struct symbols *symbols, const struct symbol_paths_options *options);
/* Return the places where files are searched; valid as long as `symbols`. */
const struct symbol_paths *symbols_places(const struct symbols *symbols);
/* Call before start. Add names from a text, see names_file.h; they need no file. */
void symbols_set_names_file(struct symbols *symbols, const char *text, size_t len);
/*
 * Call before the first lookup. Take the names embedded in the recording, see embedded_names.h.
 * False: malformed and ignored.
 */
bool symbols_set_embedded(struct symbols *symbols, char *take_bytes, size_t len);
/* The kernel of a recording. Members that the recording lacks are zero or NULL. */
struct recorded_kernel {
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	uint64_t text; /* address of _text, which KASLR changes at each boot */
	const char *release; /* as in uname(1) */
	const char *kallsyms; /* text of its /proc/kallsyms, `kallsyms_len` bytes */
	size_t kallsyms_len;
};

/* Call before the first lookup. Copies everything. */
void symbols_set_recorded_kernel(struct symbols *symbols, const struct recorded_kernel *kernel);
/*
 * Call before start: fetch missing debug files from servers (debuginfod). -errno with *err set if
 * that is impossible.
 */
int symbols_set_debuginfod(struct symbols *symbols, struct err *err);
/* End the threads; further requests get no reply. */
void symbols_stop(struct symbols *symbols);
void symbols_free(struct symbols *symbols);
/* Return the fork server, for other workers; lives as long as `symbols`. */
struct fork_server *symbols_fork_server(struct symbols *symbols);
/* Change symbols_version(), because stacks have new information. Any thread. */
void symbols_touch(struct symbols *symbols);

/*
 * Fill at most max frames, innermost first, inlined functions before their callers. Frames of
 * tracing (__traceiter_*) are omitted. Return the number. Strings live as long as `symbols`. Any
 * thread; takes its own lock for microseconds.
 */
size_t symbols_frames(struct symbols *symbols, const struct stack *stack, struct frame *frames,
		      size_t max);

/*
 * For a recording: request the names of all frames of the stack, if not requested yet.
 * symbols_write_embedded() writes the known names of these stacks, in the format of
 * embedded_names.h. This function and the next two: any thread.
 */
void symbols_embed(struct symbols *symbols, const struct stack *stack);
/*
 * Request again the names of generated code that no perf map had so far: a process writes its map
 * while it runs. last: read the maps again even if they were read within the last second.
 */
void symbols_embed_again(struct symbols *symbols, bool last);
void symbols_write_embedded(struct symbols *symbols, const struct stack *stacks, size_t count,
			    struct str *out);

uint64_t symbols_version(const struct symbols *symbols); /* changes when names arrive */
size_t symbols_pending(const struct symbols *symbols); /* requests without a reply */
/* Write "reading libfoo.so.1" or an empty string, for the status line. */
void symbols_progress(const struct symbols *symbols, char *out, size_t out_bytes);
/* Write why there are no kernel names; empty if there are names, or none was requested yet. */
void symbols_kernel_note(const struct symbols *symbols, char *out, size_t out_bytes);
/*
 * Get the tasks to exclude from tracing. The threads and the fork server last as long as `symbols`;
 * workers can be replaced.
 */
size_t symbols_own_tids(const struct symbols *symbols, uint32_t *tids, size_t max);
size_t symbols_own_workers(const struct symbols *symbols, uint32_t *pids, size_t max);
/* Wait at most timeout_ms until no request is pending. Batch output uses it. */
bool symbols_settle(struct symbols *symbols, int timeout_ms);

size_t symbols_bytes(struct symbols *symbols); /* memory of names and replies */

#endif
