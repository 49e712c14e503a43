/*
 * dso - one file with code in it, as the program knows it: what was asked, what is known.
 *
 * Answers are kept by file offset and so serve every process that maps the
 * file. All of it is guarded by the lock of symbols.h; what a thread of
 * symbols.c uses outside of the lock says so.
 */
#ifndef STACK_DSO_H
#define STACK_DSO_H

#include "engine/base/idmap.h"
#include "engine/base/names.h"
#include "engine/helper/worker_wire.h"
#include "engine/stack/embedded_names.h"
#include "engine/stack/perf_map.h"
#include "engine/stack/space_maps.h"

enum reply_state {
	REPLY_ASKED, /* waits for a function */
	REPLY_NAMED, /* waits for its source line */
	REPLY_DONE,
};

struct reply_frame {
	const char *symbol; /* escaped, interned; NULL unknown */
	const char *file;
	uint64_t offset; /* of the address asked for, from the start of the function */
	uint32_t line;
	bool inlined;
};

struct reply {
	struct reply *next; /* in the queue it waits in */
	uint64_t offset;
	uint64_t done_ns; /* for addresses of generated code, which are asked again */
	enum reply_state state;
	bool again; /* it was answered before: nobody waits for it */
	bool keep; /* it goes into a recording, see symbols_keep() */
	uint16_t count;
	struct reply_frame *frames; /* innermost first; NULL: not known */
};

struct reply_queue {
	struct reply *first, *last;
	size_t count;
};

enum dso_kind {
	DSO_FILE,
	DSO_VDSO,
	DSO_JIT, /* memory without a file: a perf map of the process may name it */
	DSO_OTHER, /* nothing can be said: [vsyscall], a socket, a device */
};

struct dso {
	enum dso_kind kind;
	uint32_t id; /* what the workers call it */
	uint32_t pid; /* through whose eyes it is opened; of a DSO_JIT: whose it is */
	struct mapping mapping; /* one of those that it is known by */
	const char *shown; /* escaped path, interned */
	const char *note; /* why it has no names; NULL: it has */
	const char *lines_note; /* why it has no source lines; NULL: it may have */
	struct idmap replies; /* by offset */
	struct reply_queue asked, named;
	struct dso *next_asked, *next_named; /* in the work lists */
	bool in_asked, in_named;
	bool open_failed; /* another process may still reach it */
	uint32_t homes; /* times that another one was tried */
	bool has_dwarf;
	uint32_t strikes, lines_strikes; /* questions that a worker did not answer in time */
	bool generated; /* no file after all, but memory for which there is a perf map */
	bool deleted; /* a memfd that cannot be opened: what was in it is not known */
	struct dso *same_file; /* the same file by another path, which answers for this one */
	const struct embedded_file *kept; /* answers that the recording has; NULL: none */
	bool keep; /* it goes into a recording, itself or by its twin */

	/* Set by the names thread when it first hands the file over. */
	uint8_t build_id[WIRE_ID_MAX];
	uint32_t build_id_bytes; /* 0: none, or not known yet */

	/* Debug information from a server. */
	bool fetch_asked;
	int fetched_fd; /* came, and was not looked at yet; -1: none */
	struct dso *next_fetch;

	/* The names thread's alone, also outside of the lock. */
	uint32_t names_serial; /* the worker that has it open */
	bool debug_tried; /* the worker did not survive its debug file */
	bool debug_refused; /* ... and it is not asked about that any more */
	struct perf_map *perf_map;
	uint64_t perf_map_ns; /* when it was last looked at */

	/* Written by the names thread under the lock, before anything is queued in `named`. */
	int fd, debug_fd, alt_fd; /* -1: none */
	uint32_t files_version; /* counts the changes after the first */

	/* The lines thread's alone. */
	uint32_t lines_serial, lines_version; /* what its worker has */
};

enum dso_kind dso_kind_of(const struct mapping *mapping);
/*
 * A memfd holds a whole program or library, or it is what a compiler at run time writes its
 * code into: which of them, only its content tells.
 */
bool dso_may_be_generated(const struct dso *dso);
void dso_free(struct dso *dso);
struct dso *dso_new(uint32_t id, uint32_t pid, const struct mapping *mapping, enum dso_kind kind);
void dso_close_files(struct dso *dso);

/*
 * Whether two descriptors are of one file, or of two with the same bytes. What a file says
 * of itself is not enough: its names would be those of somebody else's file.
 */
bool dso_same_content(int fd, int other_fd);

/* The answer for an offset, made and queued in `asked` if there is none; NULL: no room. */
struct reply *dso_ask(struct dso *dso, uint64_t offset, size_t room);

void reply_queue_push(struct reply_queue *queue, struct reply *reply);
struct reply *reply_queue_pop(struct reply_queue *queue);

#endif
