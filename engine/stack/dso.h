/*
 * dso - one file with code: pending requests and known replies.
 *
 * Replies are stored by file offset, so they serve every process that maps the file. The lock of
 * symbols.h guards every member, except where a member is marked as used outside the lock.
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
	REPLY_ASKED, /* function name pending */
	REPLY_NAMED, /* source line pending */
	REPLY_DONE,
};

struct reply_frame {
	const char *symbol; /* escaped, interned; NULL: unknown */
	const char *file;
	uint64_t offset; /* from the start of the function to the requested address */
	uint32_t line;
	bool inlined;
};

struct reply {
	struct reply *next; /* next one in the queue */
	uint64_t offset;
	uint64_t done_ns; /* time of the reply; generated code is requested again later */
	enum reply_state state;
	bool again; /* repeated request: shown as pending only for a recording */
	bool keep; /* embed it in the recording, see symbols_embed() */
	uint16_t count;
	struct reply_frame *frames; /* innermost first; NULL: unknown */
};

struct reply_queue {
	struct reply *first, *last;
	size_t count;
};

enum dso_kind {
	DSO_FILE,
	DSO_VDSO,
	DSO_JIT, /* memory without a file; a perf map of the process may name it */
	DSO_OTHER, /* cannot be named: [vsyscall], a socket, a device */
};

struct dso {
	enum dso_kind kind;
	uint32_t id; /* number of the file in worker requests */
	uint32_t pid; /* process whose root opens the file; DSO_JIT: owner of the memory */
	struct mapping mapping; /* one of its mappings */
	const char *shown; /* escaped path, interned */
	const char *note; /* why the file has no names; NULL: it may have names */
	const char *lines_note; /* why it has no source lines; NULL: it may have lines */
	struct idmap replies; /* by offset */
	struct reply_queue asked, named;
	struct dso *next_asked, *next_named; /* in the work lists */
	bool in_asked, in_named;
	bool open_failed; /* retry through the root of another process */
	uint32_t homes; /* how often another process was tried */
	bool has_dwarf;
	uint32_t strikes, lines_strikes; /* weighted number of requests that crashed or timed out */
	bool generated; /* not a file but memory that a perf map can name */
	bool deleted; /* a memfd that cannot be opened: content unknown */
	struct dso *same_file; /* same file under another path; its replies serve this one too */
	const struct embedded_file *kept; /* embedded replies of the recording; NULL: none */
	bool keep; /* embed it in the recording, itself or through same_file */

	/* Set by the names thread when it first hands over the file. */
	uint8_t build_id[WIRE_ID_MAX];
	uint32_t build_id_bytes; /* 0: none, or unknown yet */

	/* Debug information from a server. */
	bool fetch_asked;
	int fetched_fd; /* fetched, not yet handed over; -1: none */
	struct dso *next_fetch;

	/* Names thread only, also outside the lock. */
	uint32_t names_serial; /* serial of the worker that has the file open */
	bool debug_tried; /* the worker failed on its debug file */
	bool debug_refused; /* the debug file is no longer used */
	struct perf_map *perf_map;
	uint64_t perf_map_ns; /* time of the last read; 0: never. Under the lock */
	int perf_map_fd; /* see file_probe_perf_map(); -1: none */
	bool holds_map; /* counted in symbols->maps_held */

	/* Written by the names thread under the lock, before it queues a reply in `named`. */
	int fd, debug_fd, alt_fd; /* -1: none */
	uint32_t files_version; /* changes when debug_fd is set */

	/* Lines thread only. */
	uint32_t lines_serial, lines_version; /* serial of the worker; its files_version */
};

enum dso_kind dso_kind_of(const struct mapping *mapping);
/*
 * True for a memfd. It holds either a program or library, or the output of a JIT compiler; only its
 * content shows which.
 */
bool dso_may_be_generated(const struct dso *dso);
void dso_free(struct dso *dso);
struct dso *dso_new(uint32_t id, uint32_t pid, const struct mapping *mapping, enum dso_kind kind);
void dso_close_files(struct dso *dso);
void dso_release_map(struct dso *dso); /* closes perf_map_fd */

/*
 * True if both descriptors refer to one file, or to two files with identical bytes. A build-id
 * alone is not proof: a forged one would give this file the names of the other.
 */
bool dso_same_content(int fd, int other_fd);

/* Return the reply for an offset; create it and queue it in `asked` if missing. NULL: no room. */
struct reply *dso_ask(struct dso *dso, uint64_t offset, size_t room);

void reply_queue_push(struct reply_queue *queue, struct reply *reply);
struct reply *reply_queue_pop(struct reply_queue *queue);

#endif
