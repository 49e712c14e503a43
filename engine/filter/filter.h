/*
 * filter - the expression language: parse, check, evaluate, explain, split.
 *
 *	pid == 42 && syscall in {futex, epoll_wait} && dur > 10ms
 *	comm ~ "^nginx" and not failed
 *	args.flags & O_CREAT     an argument as the prototype calls it, and names of numbers
 *	futex                    a bare word: a syscall or %class, a number is pid or tid,
 *	                         anything else a part of comm
 *
 * Fields are one table (filter_fields): name, type, unit, help, how a call is asked and
 * whether the kernel can test it; parser, completion and manual come from it. A parsed
 * filter is immutable and may be used by several threads at once.
 */
#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/record/call.h"
#include "engine/record/kernel_filter.h"

struct filter;

enum filter_type {
	FILTER_NUMBER,
	FILTER_DURATION,
	FILTER_TEXT,
	FILTER_SYSCALL,
	FILTER_ERRNO,
	FILTER_USER,
	FILTER_BOOL,
	FILTER_ARGUMENT, /* a number, a text: as the calls that have it declare it */
	FILTER_THREAD, /* a number, or what the thread is called */
	FILTER_ANCESTOR, /* a process, behind "of" */
	FILTER_TYPE_COUNT
};

/* By what the calls are told, which decides what the kernel can test. */
enum filter_kernel {
	FILTER_BY_NOTHING, /* a recording: nothing is left out any more */
	FILTER_BY_EVENTS, /* perf events: calls and tasks */
	FILTER_BY_PROGRAMS, /* BPF: owners and results too */
};

struct filter_reader;

struct filter_field {
	const char *name;
	enum filter_type type;
	const char *unit; /* of what is read; NULL: it has none */
	const char *help;
	enum filter_kernel in_kernel; /* what can test it there, and all after that */
	bool of_events; /* rows that are no calls have it too */
	/* Ask a call; false, NULL: not known of it. Neither: it takes more (filter_eval.c). */
	bool (*number)(const struct call *call, const struct filter_reader *reader, int64_t *value);
	const char *(*text)(const struct call *call, const struct filter_reader *reader);
};

extern const struct filter_field filter_fields[]; /* sorted by name */
extern const size_t filter_field_count;
const char *filter_type_name(enum filter_type type); /* "duration" */
const char *filter_type_values(enum filter_type type); /* "a duration such as 10ms" */
const char *filter_type_operators(enum filter_type type); /* "== != < <= > >= in" */

/* Where in the text it went wrong, in bytes from 0; `length` bytes are meant. */
struct filter_error {
	size_t column, length;
	struct err err; /* what was expected, the nearest name */
};

/* An argument that has the name in question. */
struct filter_argument {
	bool present;
	uint8_t index, bytes;
	bool is_signed;
	bool is_text; /* points to characters or bytes ... */
	bool ends; /* ... which end with a NUL */
	uint64_t choice; /* bits of a choice beside flags, which names alone ask for; 0: none */
};

/*
 * What the parser must know of system calls; filter_names_init() (filter_names.h)
 * fills it from the decoder's table. A filter keeps a copy: ctx outlives it.
 */
struct filter_names {
	void *ctx;
	int (*syscall_number)(void *ctx, const char *name, size_t len); /* or -1 */
	/* The nearest name to a misspelt one, or NULL. */
	const char *(*nearest_syscall)(void *ctx, const char *name, size_t len);
	/* Adds all syscalls of a "%class" (name without %); false: no such class. */
	bool (*class_syscalls)(void *ctx, const char *name, size_t len, struct kernel_filter *into);
	/* "ENOENT" -> 2; -1: no such name. */
	int (*errno_number)(void *ctx, const char *name, size_t len);
	/* "www-data" -> 33; false: no such user. NULL: numbers alone. */
	bool (*user_number)(void *ctx, const char *name, size_t len, uint32_t *uid);
	/* The name of a number, NULL where the machine has no such call; for /regex/ and texts. */
	const char *(*syscall_name)(void *ctx, uint32_t nr);
	/* Names of classes and of errors by index from 0, NULL past the end; for completion. */
	const char *(*class_name)(void *ctx, size_t index);
	const char *(*errno_name)(void *ctx, size_t index);
	/* The argument of a call by its name; false: it has none. NULL: no argument has a name. */
	bool (*argument)(void *ctx, uint32_t nr, const char *name, size_t len,
			 struct filter_argument *out);
	/* Names of arguments by index from 0, NULL past the end. */
	const char *(*argument_name)(void *ctx, uint32_t nr, unsigned index);
	/* Names of numbers that an argument may have, by index; false past the end. */
	bool (*constant)(void *ctx, uint32_t nr, unsigned arg, size_t index, const char **name,
			 uint64_t *value);
};

/* An empty text is a filter that takes everything. -EINVAL with *error filled. */
int filter_parse(struct filter **filter, const char *text, const struct filter_names *names,
		 struct filter_error *error);
void filter_free(struct filter *filter);
struct filter *filter_ref(struct filter *filter); /* counted; free drops one */

/* strace's -e notation: "open,close", "!read", "%file", "/^epoll/", "all", "none". */
int filter_parse_syscall_set(struct filter **filter, const char *set,
			     const struct filter_names *names, struct filter_error *error);

/* Both must hold; NULL stands for everything. Takes no reference. */
struct filter *filter_and(struct filter *a, struct filter *b);

const char *filter_text(const struct filter *filter); /* normalised, parses to the same */
/* Whether it asks for paths, or for descriptors: somebody has to know of those then. */
bool filter_asks_paths(const struct filter *filter);
bool filter_asks_stacks(const struct filter *filter); /* names of functions */
bool filter_asks_waits(const struct filter *filter); /* what became of calls off the CPU */
bool filter_asks_texts(const struct filter *filter); /* what arguments point to */
bool filter_is_all(const struct filter *filter);
/* What a person should know of its patterns: they took too long. Nothing if all is well. */
void filter_note(const struct filter *filter, struct str *out);
/* Whether there could be a CALL_EVENT that matches. */
bool filter_takes_events(const struct filter *filter);

#define FILTER_FDS 64
#define FILTER_PATH_BYTES 4160 /* with its NUL; one that is not known is empty */

/* What a call alone does not say; the owner of the model provides it. Quick, no allocation. */
struct filter_reader {
	void *ctx;
	const char *(*comm)(void *ctx, const struct call *call); /* raw bytes */
	uint64_t comms_version; /* not 0: a comm_id is one name, for as long as this is the same */
	/* Of the thread at the call. false, NULL: not known; no function: nothing ever is. */
	bool (*uid)(void *ctx, const struct call *call, uint32_t *uid);
	const char *(*cgroup)(void *ctx, const struct call *call); /* as in cgroup_path.h */
	const char *(*event)(void *ctx, const struct call *call); /* of a CALL_EVENT */
	/* Descriptors that the call touches, at most FILTER_FDS; NULL: they are not known. */
	size_t (*fds)(void *ctx, const struct call *call, int32_t *fds);
	/* The path at `index` of those that it touches, in `out`; false: there are no more. */
	bool (*path)(void *ctx, const struct call *call, unsigned index, char *out);
	uint64_t start_ns; /* from which `began` and `ended` count */
	/* What its waker was called, raw; NULL: nothing is known of it. */
	const char *(*waker_comm)(void *ctx, const struct call *call);
	uint32_t (*parent)(void *ctx, uint32_t pid); /* 0: not known */
	/* Bytes that an argument pointed to, as far as they are known; false: they are not. */
	bool (*bytes)(void *ctx, const struct call *call, unsigned arg, const char **bytes,
		      size_t *len);
	/*
	 * Asks each() of the names of functions on a stack until it says so, escaped; returns
	 * that. Otherwise *pending says whether some names are still to come.
	 */
	bool (*symbols)(void *ctx, uint32_t stack_id, bool (*each)(void *to, const char *name),
			void *to, bool *pending);
	uint64_t symbols_version; /* changes when names came */
	uint64_t now_ns; /* for the duration of a call in flight */
};

enum filter_answer {
	FILTER_NO,
	FILTER_YES,
	FILTER_LATER, /* depends on names that are being looked up: ask again when some came */
};

/*
 * A gap (CALL_GAP) matches always: it says that calls may be missing here. What other tracepoints
 * told (CALL_EVENT) has a thread, its owner and a CPU: to questions about anything else that
 * calls have, != included, it answers no, as calls do when asked for `event`.
 */
enum filter_answer filter_ask(const struct filter *filter, const struct call *call,
			      const struct filter_reader *reader);

static inline bool filter_match(const struct filter *filter, const struct call *call,
				const struct filter_reader *reader)
{
	return filter_ask(filter, call, reader) == FILTER_YES;
}

/*
 * The kernel half: a superset of the filter, as programs test it; events leave out what they
 * cannot. `into` is initialised by the callee.
 */
void filter_kernel_half(const struct filter *filter, struct kernel_filter *into);
/* "in kernel: syscall in {futex} / here: dur > 10ms" */
void filter_explain(const struct filter *filter, enum filter_kernel by, struct str *out);

/* Bytes as a string of the language, with its quotes. */
void filter_quote(struct str *out, const char *bytes, size_t len);

/* The texts of the terms joined by `and` on top, in order; none for everything. */
typedef void filter_term_fn(void *ctx, const char *term);
void filter_each_term(const struct filter *filter, filter_term_fn *each, void *ctx);
/* The other way; no terms make a filter that takes everything. As filter_parse(). */
int filter_join(struct filter **filter, const char *const *terms, size_t count,
		const struct filter_names *names, struct filter_error *error);

/* The names that could stand at byte `column` of text: fields, syscalls, operators. */
typedef void filter_candidate_fn(void *ctx, const char *candidate, const char *help);
size_t filter_complete(const char *text, size_t column, const struct filter_names *names,
		       filter_candidate_fn *each, void *ctx); /* where the word begins */

#endif
