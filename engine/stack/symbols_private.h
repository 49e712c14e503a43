/*
 * symbols_private - state shared by symbols.c and its threads. Private to symbols*.c,
 * names_thread.c, lines_thread.c and data_symbols.c.
 *
 * `lock` guards every member, unless marked otherwise. The names thread does the quick lookups:
 * kernel symbols, mappings, ELF symbol tables. The lines thread requests source lines and inlined
 * functions from its own worker, so that a huge debug file does not delay names. The fetch thread
 * exists only with --debuginfod.
 */
#ifndef STACK_SYMBOLS_PRIVATE_H
#define STACK_SYMBOLS_PRIVATE_H

#include "engine/process/kallsyms.h"
#include "engine/stack/debug_file_fetch.h"
#include "engine/stack/dso.h"
#include "engine/stack/names_file.h"
#include "engine/stack/symbols.h"
#include "engine/stack/worker.h"

#include <pthread.h>
#include <stdatomic.h>

#define SYMBOLS_REPLIES_MAX ((size_t)1 << 20)
/* Estimate: a reply with one frame, and its slots in a table. */
#define SYMBOLS_REPLY_BYTES \
	(sizeof(struct reply) + sizeof(struct reply_frame) + 2 * sizeof(struct idmap_slot))
/* Maximum numbers: spaces whose mappings were requested; files with requested addresses. */
#define SYMBOLS_SPACES_MAX 4096u
#define SYMBOLS_FILES_MAX 65536u
#define SYMBOLS_PENDING_MAX ((size_t)64 << 10)
#define SYMBOLS_KERNELS_MAX 4u /* maximum number of reads of /proc/kallsyms */
#define SYMBOLS_FILES_OPEN_MAX 192u
#define SYMBOLS_MAPS_HELD_MAX 64u /* maximum number of perf maps that are kept open */
/* Failures allowed per file: two crashes or timeouts, or many kills from outside. */
#define SYMBOLS_STRIKES_MAX 32u
#define SYMBOLS_STRIKE 16u

/* A space whose mappings are read from /proc, and the addresses that wait for it. */
struct space_request {
	uint32_t pid, generation;
	bool pending;
	uint64_t asked_ns; /* time of the last reply; 0: none yet */
	unsigned int replies;
	const char *note; /* why it is not read again, a constant; NULL: it can be read again */
	uint64_t *lookups;
	size_t count, capacity;
	struct space_request *next;
};

/* The strings are borrowed and last as long as `symbols`. */
struct kernel_name {
	const char *symbol, *module; /* module: "[kernel]", "[name]" */
	uint64_t start;
};

struct symbols {
	pthread_mutex_t lock;
	pthread_cond_t work; /* new request, or `stopping` */
	pthread_cond_t settled; /* new reply */
	bool started, stopping;
	bool fetches; /* the fetch thread exists */
	bool no_worker; /* set before there are threads */
	bool recorded; /* likewise */
	struct symbol_paths *places; /* likewise */
	struct names_file *reported; /* likewise; NULL: no names file */
	struct embedded_names *kept; /* set before the first lookup; NULL: none embedded */
	pthread_t names_thread, lines_thread, fetch_thread;
	_Atomic uint32_t names_tid, lines_tid;

	struct spaces *spaces; /* borrowed; its own lock is taken inside this one */
	struct reader *reader; /* NULL: the calling thread opens files */
	struct fork_server *fork_server;
	bool borrows_fork_server; /* the fork server belongs to another struct symbols */
	struct worker *names_worker, *lines_worker; /* one for each thread */

	struct names *names;
	_Atomic uint64_t version;
	size_t pending; /* outstanding replies and other requests */
	size_t replies, replies_max; /* in all files */
	size_t files_open;
	size_t maps_held; /* number of perf maps that are kept open; names thread only */

	struct kallsyms *kernels[SYMBOLS_KERNELS_MAX]; /* the last is current; all stay valid */
	size_t kernels_len;
	uint64_t kernel_read_ns;
	bool kernel_asked, kernel_done;
	struct {
		uint8_t build_id[WIRE_ID_MAX];
		uint32_t build_id_bytes; /* 0: unknown */
		uint64_t text; /* 0: unknown */
		char release[65];
		char *kallsyms; /* until it is parsed; NULL: none */
		size_t kallsyms_len;
	} kernel; /* of the recording; set before the first lookup */
	struct dso *kernel_file; /* vmlinux of the recording; NULL: not found */
	struct idmap kernel_lookups; /* addresses requested before kernel_file was found */
	char kernel_note[ERR_TEXT_BYTES];

	/* Taken before `lock`: one recording is written at a time. */
	pthread_mutex_t embed_lock;
	struct idmap embed_kernel; /* kernel addresses to embed in a recording */

	struct dso **dsos; /* by id - 1 */
	size_t dsos_len, dsos_cap;
	struct idmap dso_by_key;
	struct dso *first_asked, *last_asked; /* files with replies in `asked` */
	struct dso *first_named, *last_named; /* files with replies in `named` */

	struct debug_file_fetch *fetch; /* fetch thread only; NULL: no fetching */
	struct dso *first_fetch, *last_fetch;

	struct idmap spaces_asked; /* (pid, generation) to struct space_request */
	struct space_request *first_space, *last_space;

	const char *reading_name, *reading_lines, *fetching; /* names for the status; NULL: idle */
};

void *symbols_names_thread(void *symbols);
void *symbols_lines_thread(void *symbols);
void *symbols_fetch_thread(void *symbols);

/*
 * Give the names worker a file and its debug file, unless it has them. 0 with *note set if the file
 * has no symbols. -EALREADY: query dso->same_file, which is the same file. -errno with *note set if
 * a retry is useless. Names thread, without the lock.
 */
int symbols_hand_over(struct symbols *symbols, struct dso *dso, const char **note);

/*
 * Find the symbols of the recorded kernel: *kallsyms, or the file symbols->kernel_file. 0 or
 * -errno, with *err set if the user named a file. Names thread, without the lock.
 */
int symbols_find_kernel(struct symbols *symbols, struct kallsyms **kallsyms, struct err *err);

/* -- Functions below: call with the lock held ------------------------------------------------ */

/*
 * Find the file at an address, and the offset to request names with. NULL with *note, a constant:
 * not found. NULL with *note NULL: pending; the request is already made.
 */
struct dso *symbols_locate(struct symbols *symbols, const struct stack *stack, uint64_t lookup,
			   uint64_t *offset, const char **note);
/* Return the reply for an offset, requested if missing. NULL: too many requests. */
struct reply *symbols_ask(struct symbols *symbols, struct dso *dso, const struct stack *stack,
			  uint64_t offset);
/* Request a reply again. */
void symbols_ask_reply(struct symbols *symbols, struct dso *dso, struct reply *reply);
/* Return the embedded reply of the recording, as if it had been requested; NULL: none. */
struct reply *symbols_query_embedded(struct symbols *symbols, struct dso *dso, uint64_t offset);
/* Find the offset of an address in symbols->kernel_file. False: outside of it, or no such file. */
bool symbols_kernel_offset(const struct symbols *symbols, uint64_t address, uint64_t *offset);
/*
 * Call when the search for the recorded kernel has ended: request the addresses that waited for it.
 */
void symbols_ask_kernel_lookups(struct symbols *symbols);
/* Find the kernel function at an address. False: unknown. */
bool symbols_kernel_find(const struct symbols *symbols, uint64_t address, struct kernel_name *name);
/* Same, from the embedded names of the recording only. */
bool symbols_kernel_find_embedded(const struct symbols *symbols, uint64_t address,
				  struct kernel_name *name);
/* Call when the space was read: request the addresses that waited for it. */
void symbols_ask_lookups(struct symbols *symbols, struct space_request *request);
/* Request again an address in a file that turned out to be generated code. */
void symbols_ask_generated(struct symbols *symbols, struct dso *dso, uint64_t offset);
void symbols_push_asked(struct symbols *symbols, struct dso *dso);
void symbols_push_named(struct symbols *symbols, struct dso *dso);
/* Mark a reply as final, update `pending` and wake waiters. */
void symbols_finish(struct symbols *symbols, struct reply *reply);
/*
 * True if a request that failed with `code` can be sent again. One timeout or crash can come from a
 * cold disk; the second one is blamed on the file. A kill(1) counts as 1/SYMBOLS_STRIKE of a crash.
 */
bool symbols_may_retry(int code, uint32_t *strikes);
/* From now on, read the file without its debug file. False: it has no debug file to blame. */
bool symbols_drop_debug(struct symbols *symbols, struct dso *dso, const char *note);
/* Request its debug file from the servers, once, if fetching is enabled. */
void symbols_ask_fetch(struct symbols *symbols, struct dso *dso);
/* Return the escaped and interned name; NULL: no room. */
const char *symbols_name(struct symbols *symbols, const char *bytes, size_t len);

#endif
