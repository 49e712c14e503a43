/*
 * symbols_private - what symbols.c and its two threads share. Nobody else includes it.
 *
 * Everything is guarded by `lock` unless it says otherwise. The names thread
 * answers what is quick: kernel symbols, mappings, ELF symbol tables. The lines
 * thread asks a worker of its own for source lines and inlined functions, so
 * that a huge debug file delays no name. The fetch thread is there only for who wants
 * debug information from servers.
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
/* An answer with one frame, and its place in a table. */
#define SYMBOLS_REPLY_BYTES \
	(sizeof(struct reply) + sizeof(struct reply_frame) + 2 * sizeof(struct idmap_slot))
/* Spaces whose mappings were asked for; files that addresses were found in. */
#define SYMBOLS_SPACES_MAX 4096u
#define SYMBOLS_FILES_MAX 65536u
#define SYMBOLS_PENDING_MAX ((size_t)64 << 10)
#define SYMBOLS_KERNELS_MAX 4u /* times that /proc/kallsyms is read */
#define SYMBOLS_FILES_OPEN_MAX 192u
/* What one file may cost: two workers, or many that somebody killed over it. */
#define SYMBOLS_STRIKES_MAX 32u
#define SYMBOLS_STRIKE 16u

/* A space whose mappings are, or were, read from /proc, and the addresses that wait for it. */
struct space_request {
	uint32_t pid, generation;
	bool pending;
	uint64_t asked_ns; /* of the last answer; 0: none yet */
	unsigned int replies;
	const char *note; /* why it is not asked any more, a constant; NULL: it may be */
	uint64_t *lookups;
	size_t count, capacity;
	struct space_request *next;
};

/* Borrowed for the life of symbols. */
struct kernel_name {
	const char *symbol, *module; /* module: "[kernel]", "[name]" */
	uint64_t start;
};

struct symbols {
	pthread_mutex_t lock;
	pthread_cond_t work; /* something was asked, or the end has come */
	pthread_cond_t settled; /* something was answered */
	bool started, stopping;
	bool fetches; /* there is a fetch thread */
	bool no_worker; /* set before there are threads */
	bool recorded; /* set before there are threads */
	struct symbol_paths *places; /* the same */
	struct names_file *reported; /* the same; NULL: nobody told names */
	struct embedded_names
		*kept; /* set before the first question; NULL: the recording has none */
	pthread_t names_thread, lines_thread, fetch_thread;
	_Atomic uint32_t names_tid, lines_tid;

	struct spaces *spaces; /* borrowed; has a lock of its own, taken inside this one */
	struct reader *reader; /* NULL: files are opened here */
	struct fork_server *fork_server;
	bool borrows_fork_server; /* it is that of others */
	struct worker *names_worker, *lines_worker; /* each its thread's */

	struct names *names;
	_Atomic uint64_t version;
	size_t pending; /* answers and other questions that wait */
	size_t replies, replies_max; /* in all */
	size_t files_open;

	struct kallsyms *kernels[SYMBOLS_KERNELS_MAX]; /* the last is right; names live in all */
	size_t kernels_len;
	uint64_t kernel_read_ns;
	bool kernel_asked, kernel_done;
	struct {
		uint8_t build_id[WIRE_ID_MAX];
		uint32_t build_id_bytes; /* 0: not known */
		uint64_t text; /* the same */
		char release[65];
		char *kallsyms; /* until it is read; NULL: none */
		size_t kallsyms_len;
	} kernel; /* of the recording; set before the first question */
	struct dso *kernel_file; /* its vmlinux; NULL: none was found */
	struct idmap kernel_lookups; /* addresses that were asked for before it was found */
	char kernel_note[ERR_TEXT_BYTES];

	/* Taken outside of the lock: one recording is written at a time. */
	pthread_mutex_t embed_lock;
	struct idmap embed_kernel; /* addresses that go into a recording */

	struct dso **dsos; /* by id - 1 */
	size_t dsos_len, dsos_cap;
	struct idmap dso_by_key;
	struct dso *first_asked, *last_asked; /* with something in `asked` */
	struct dso *first_named, *last_named; /* with something in `named` */

	struct debug_file_fetch *fetch; /* the fetch thread's; NULL: nothing is fetched */
	struct dso *first_fetch, *last_fetch;

	struct idmap spaces_asked; /* (pid, generation) to struct space_question */
	struct space_request *first_space, *last_space;

	const char *reading_name, *reading_lines, *fetching; /* shown names; NULL: nothing */
};

void *symbols_names_thread(void *symbols);
void *symbols_lines_thread(void *symbols);
void *symbols_fetch_thread(void *symbols);

/*
 * Gives the names worker a file and its debug file, if it has not got them. 0 with *note
 * set where there is nothing in it; -EALREADY: it is the file of dso->twin; -errno, with
 * a *note if it is no use to ask again. Names thread, without the lock.
 */
int symbols_hand_over(struct symbols *symbols, struct dso *dso, const char **note);

/*
 * Finds the symbols of the recording's kernel: a list of them, or its file in
 * symbols->kernel_file. 0, or -errno, with a sentence where the user named a file. Names
 * thread, without the lock.
 */
int symbols_find_kernel(struct symbols *symbols, struct kallsyms **kallsyms, struct err *err);

/* With the lock held, all of these. */

/*
 * The file at an address and the offset in it that names are asked by. NULL: not known, and
 * why not, a constant; or not yet (*note NULL, and it will be asked for by itself).
 */
struct dso *symbols_locate(struct symbols *symbols, const struct stack *stack, uint64_t lookup,
			   uint64_t *offset, const char **note);
/* What is known there; what is not is asked for. NULL: too much is asked for already. */
struct reply *symbols_ask(struct symbols *symbols, struct dso *dso, const struct stack *stack,
			  uint64_t offset);
/*
 * The answer of a file that the recording has it of, as if it had been asked for; NULL: it has
 * not.
 */
struct reply *symbols_query_embedded(struct symbols *symbols, struct dso *dso, uint64_t offset);
/* The offset of an address in symbols->kernel_file; false: it is not in there, or there is none. */
bool symbols_kernel_offset(const struct symbols *symbols, uint64_t address, uint64_t *offset);
/* The symbols of a recording's kernel were found, or not: asks for what waited for them. */
void symbols_ask_kernel_lookups(struct symbols *symbols);
/* The function at an address of the kernel; false: not known. */
bool symbols_kernel_find(const struct symbols *symbols, uint64_t address, struct kernel_name *name);
/* The same of what the recording brought along alone. */
bool symbols_kernel_find_embedded(const struct symbols *symbols, uint64_t address,
				  struct kernel_name *name);
/* The space has been read: asks for the addresses that waited for it. */
void symbols_ask_lookups(struct symbols *symbols, struct space_request *request);
/* The same once more, of an address in a file that turned out to be generated code. */
void symbols_ask_generated(struct symbols *symbols, struct dso *dso, uint64_t offset);
void symbols_push_asked(struct symbols *symbols, struct dso *dso);
void symbols_push_named(struct symbols *symbols, struct dso *dso);
/* An answer is final: counts it and wakes whoever waits. */
void symbols_finish(struct symbols *symbols, struct reply *reply);
/*
 * Whether a file whose question failed is asked again. Once may be a cold disk or
 * somebody's kill(1); twice is the file.
 */
bool symbols_may_retry(int code, uint32_t *strikes);
/* The file is read without its debug file from now on; false: there was none to blame. */
bool symbols_drop_debug(struct symbols *symbols, struct dso *dso, const char *note);
/* Its debug information may be on a server: has it fetched, once, if that is wanted. */
void symbols_ask_fetch(struct symbols *symbols, struct dso *dso);
/* Interned and escaped; NULL when there is no room. */
const char *symbols_name(struct symbols *symbols, const char *bytes, size_t len);

#endif
