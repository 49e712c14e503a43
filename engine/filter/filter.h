/*
 * filter - the filter language: parse, evaluate, explain, and push down to the kernel.
 *
 *	pid == 42 && syscall in {futex, epoll_wait} && dur > 10ms
 *	comm ~ "^nginx" and not failed
 *	args.flags & O_CREAT     argument by its name in the prototype, and named constants
 *	futex                    bare word: a syscall or %class; a number is pid or tid;
 *	                         anything else is a part of comm
 *
 * The fields are one table (filter_fields): name, type, unit, help, accessor, and whether the
 * kernel can test it. Parser, completion and manual use it. A parsed filter is immutable; several
 * threads may use it.
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
	FILTER_ARGUMENT, /* number or text, as declared by the calls that have it */
	FILTER_THREAD, /* tid or comm */
	FILTER_ANCESTOR, /* a process, after "of" */
	FILTER_TYPE_COUNT
};

/* Source of the calls; decides which tests can be pushed down. */
enum filter_kernel {
	FILTER_BY_NOTHING, /* a recording: no pushdown */
	FILTER_BY_EVENTS, /* perf events: syscalls and tasks */
	FILTER_BY_PROGRAMS, /* BPF: also task owners and results */
};

struct filter_reader;

struct filter_field {
	const char *name;
	enum filter_type type;
	const char *unit; /* of the value that number() reads; NULL: none */
	const char *help;
	enum filter_kernel in_kernel; /* first source that can test it; later ones can too */
	bool of_events; /* also defined for CALL_EVENT */
	/*
	 * Read the field of a call; false or NULL: unknown. Fields without either accessor are
	 * evaluated in filter_eval.c.
	 */
	bool (*number)(const struct call *call, const struct filter_reader *reader, int64_t *value);
	const char *(*text)(const struct call *call, const struct filter_reader *reader);
};

extern const struct filter_field filter_fields[]; /* sorted by name */
extern const size_t filter_field_count;
const char *filter_type_name(enum filter_type type); /* "duration" */
const char *filter_type_values(enum filter_type type); /* "a duration such as 10ms" */
const char *filter_type_operators(enum filter_type type); /* "== != < <= > >= in" */

/* Position of the error in the text, in bytes from 0; `length` bytes are wrong. */
struct filter_error {
	size_t column, length;
	struct err err; /* names the expected token or the nearest name */
};

/* Argument of a call, found by name. */
struct filter_argument {
	bool present;
	uint8_t index, bytes;
	bool is_signed;
	bool is_text; /* points to characters or bytes */
	bool ends; /* the text is NUL-terminated */
	/* bits of an enumeration in an argument that also has flags; tested by name; 0: none */
	uint64_t choice;
};

/*
 * Names of system calls, their classes, errors and arguments for the parser. filter_names_init()
 * (filter_names.h) fills it from the decoder's table. A filter stores a copy, so ctx must outlive
 * the filter.
 */
struct filter_names {
	void *ctx;
	int (*syscall_number)(void *ctx, const char *name, size_t len); /* or -1 */
	/* Return the nearest name to a misspelt one, or NULL. */
	const char *(*nearest_syscall)(void *ctx, const char *name, size_t len);
	/* Add all syscalls of a "%class" (name without %); false: no such class. */
	bool (*class_syscalls)(void *ctx, const char *name, size_t len, struct kernel_filter *into);
	/* "ENOENT" -> 2; -1: no such name. */
	int (*errno_number)(void *ctx, const char *name, size_t len);
	/* "www-data" -> 33; false: no such user. NULL: only numeric users. */
	bool (*user_number)(void *ctx, const char *name, size_t len, uint32_t *uid);
	/* Name of a call, NULL if the machine has no such call; for /regex/ and texts. */
	const char *(*syscall_name)(void *ctx, uint32_t nr);
	/* Names of classes and errors by index from 0, NULL past the end; for completion. */
	const char *(*class_name)(void *ctx, size_t index);
	const char *(*errno_name)(void *ctx, size_t index);
	/*
	 * Find the argument of a call by name; false: no such argument. NULL: arguments have no
	 * names.
	 */
	bool (*argument)(void *ctx, uint32_t nr, const char *name, size_t len,
			 struct filter_argument *out);
	/* Names of arguments by index from 0, NULL past the end. */
	const char *(*argument_name)(void *ctx, uint32_t nr, unsigned index);
	/* Named constants of an argument by index; false past the end. */
	bool (*constant)(void *ctx, uint32_t nr, unsigned arg, size_t index, const char **name,
			 uint64_t *value);
};

/* An empty text is a filter that matches everything. -EINVAL with *error filled in. */
int filter_parse(struct filter **filter, const char *text, const struct filter_names *names,
		 struct filter_error *error);
void filter_free(struct filter *filter);
struct filter *filter_ref(struct filter *filter); /* counted; free drops one reference */

/* strace's -e notation: "open,close", "!read", "%file", "/^epoll/", "all", "none". */
int filter_parse_syscall_set(struct filter **filter, const char *set,
			     const struct filter_names *names, struct filter_error *error);

/*
 * Return the conjunction, with a reference that the caller owns. NULL matches everything. Consumes
 * no reference. Return `a` alone if the joined text is too long.
 */
struct filter *filter_and(struct filter *a, struct filter *b);

const char *filter_text(const struct filter *filter); /* normalized; parses to the same filter */
/* True if the filter tests paths or descriptors: descriptors must be tracked for it. */
bool filter_asks_paths(const struct filter *filter);
bool filter_asks_stacks(const struct filter *filter); /* tests function names */
bool filter_asks_waits(const struct filter *filter); /* tests off-CPU times, wait stacks, wakers */
bool filter_asks_texts(const struct filter *filter); /* tests memory that arguments point to */
bool filter_is_all(const struct filter *filter);
/*
 * Append a warning for the user if patterns took too long or stacks were cut; otherwise append
 * nothing.
 */
void filter_note(const struct filter *filter, struct str *out);
/* True if some CALL_EVENT can match. */
bool filter_takes_events(const struct filter *filter);

#define FILTER_FDS 64
#define FILTER_PATH_BYTES 4160 /* with its NUL; an unknown path is empty */

/*
 * Access to facts that are not in struct call; the owner of the model provides it. Functions must
 * be fast and not allocate.
 */
struct filter_reader {
	void *ctx;
	const char *(*comm)(void *ctx, const struct call *call); /* raw bytes */
	uint64_t comms_version; /* nonzero: while it is unchanged, a comm_id stands for one name */
	/*
	 * uid of the thread at the call; false: unknown. Without a function, the fact is unknown.
	 */
	bool (*uid)(void *ctx, const struct call *call, uint32_t *uid);
	const char *(*cgroup)(void *ctx, const struct call *call); /* as in cgroup_path.h */
	const char *(*event)(void *ctx, const struct call *call); /* of a CALL_EVENT */
	/*
	 * Store the descriptors that the call uses, at most FILTER_FDS; NULL: unknown. Here and in
	 * path() and bytes(): set *pending, initially false, if the result can still change.
	 */
	size_t (*fds)(void *ctx, const struct call *call, int32_t *fds, bool *pending);
	/* Store the path at `index` that the call uses in `out`; false: no more paths. */
	bool (*path)(void *ctx, const struct call *call, unsigned index, char *out, bool *pending);
	uint64_t start_ns; /* time 0 of `began` and `ended` */
	/* Raw comm of the waker; NULL: unknown. */
	const char *(*waker_comm)(void *ctx, const struct call *call);
	uint32_t (*parent)(void *ctx, uint32_t pid); /* 0: unknown */
	/* Captured bytes that an argument points to; false: not captured. */
	bool (*bytes)(void *ctx, const struct call *call, unsigned arg, const char **bytes,
		      size_t *len, bool *pending);
	/*
	 * Call each() with the escaped function names of a stack until it returns true; return that
	 * result. Otherwise *pending is true if some symbols are not resolved yet, and *cut if the
	 * stack has frames that are unknown.
	 */
	bool (*symbols)(void *ctx, uint32_t stack_id, bool (*each)(void *to, const char *name),
			void *to, bool *pending, bool *cut);
	uint64_t symbols_version; /* changes when symbols arrive */
	uint64_t now_ns; /* for the duration of a call in flight */
};

enum filter_answer {
	FILTER_NO,
	FILTER_YES,
	FILTER_LATER, /* depends on pending symbols, memory or names: evaluate again later */
};

/*
 * A gap (CALL_GAP) always matches: calls may be missing there. A hit of another tracepoint
 * (CALL_EVENT) has a thread, a task owner and a CPU. A test of any other field, != included, is
 * false for an event. A test of `event` is false for calls.
 */
enum filter_answer filter_ask(const struct filter *filter, const struct call *call,
			      const struct filter_reader *reader);

static inline bool filter_match(const struct filter *filter, const struct call *call,
				const struct filter_reader *reader)
{
	return filter_ask(filter, call, reader) == FILTER_YES;
}

/*
 * Compute the pushdown, a superset of the filter, for BPF programs. With perf events, the source
 * ignores the tests that it does not support. Initializes `into`.
 */
void filter_kernel_half(const struct filter *filter, struct kernel_filter *into);
/* "in kernel: syscall in {futex} / here: dur > 10ms" */
void filter_explain(const struct filter *filter, enum filter_kernel by, struct str *out);

/* Append bytes as a string of the language, with quotes. */
void filter_quote(struct str *out, const char *bytes, size_t len);

/*
 * Pass the text of each term (operand of the outermost `and`) to each(), in order. A filter that
 * matches everything has no terms.
 */
typedef void filter_term_fn(void *ctx, const char *term);
void filter_each_term(const struct filter *filter, filter_term_fn *each, void *ctx);
/* Join terms by `and`; count 0: the filter matches everything. Errors as filter_parse(). */
int filter_join(struct filter **filter, const char *const *terms, size_t count,
		const struct filter_names *names, struct filter_error *error);

/* Offer the names that can stand at byte `column` of text: fields, syscalls, operators. */
typedef void filter_candidate_fn(void *ctx, const char *candidate, const char *help);
size_t filter_complete(const char *text, size_t column, const struct filter_names *names,
		       filter_candidate_fn *each, void *ctx); /* returns the start of the word */

#endif
