/*
 * filter - the expression language: parse, check, evaluate, explain, split.
 *
 *	pid == 42 && syscall in {futex, epoll_wait} && dur > 10ms
 *	comm ~ "^nginx" and not failed
 *	futex                    a bare word: a syscall or %class, a number is pid or tid,
 *	                         anything else a part of comm
 *
 * Fields are one table (filter_fields): name, type, unit, help and whether the
 * kernel can test it; parser, completion and manual come from it. A parsed
 * filter is immutable and may be used by several threads at once.
 */
#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/filter/kernel_filter.h"
#include "engine/model/call.h"

struct filter;

enum filter_type {
	FILTER_NUMBER,
	FILTER_DURATION,
	FILTER_TEXT,
	FILTER_SYSCALL,
	FILTER_ERRNO,
	FILTER_USER,
	FILTER_BOOL,
};

/* By what the calls are told, which decides what the kernel can test. */
enum filter_kernel {
	FILTER_BY_NOTHING,  /* a recording: nothing is left out any more */
	FILTER_BY_EVENTS,   /* perf events: calls and tasks */
	FILTER_BY_PROGRAMS, /* BPF: owners and results too */
};

struct filter_field {
	const char *name;
	enum filter_type type;
	const char *help;
	enum filter_kernel in_kernel; /* what can test it there, and all after that */
};

extern const struct filter_field filter_fields[]; /* sorted by name */
extern const size_t filter_field_count;

/* Where in the text it went wrong, in bytes from 0; `length` bytes are meant. */
struct filter_error {
	size_t column, length;
	struct err err; /* what was expected, the nearest name */
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
bool filter_is_all(const struct filter *filter);

#define FILTER_FDS 8
#define FILTER_PATH_BYTES 4160 /* with its NUL; one that is not known is empty */

/* What a call alone does not say; the owner of the model provides it. Quick, no allocation. */
struct filter_reader {
	void *ctx;
	const char *(*comm)(void *ctx, const struct call *call); /* raw bytes */
	/* Of the thread at the call. false, NULL: not known; no function: nothing ever is. */
	bool (*uid)(void *ctx, const struct call *call, uint32_t *uid);
	const char *(*cgroup)(void *ctx, const struct call *call); /* as in cgroup_path.h */
	const char *(*event)(void *ctx, const struct call *call); /* of a CALL_EVENT */
	/* Descriptors that the call touches, at most FILTER_FDS; NULL: they are not known. */
	size_t (*fds)(void *ctx, const struct call *call, int32_t *fds);
	/* The path at `index` of those that it touches, in `out`; false: there are no more. */
	bool (*path)(void *ctx, const struct call *call, unsigned index, char *out);
	uint64_t start_ns; /* from which `began` and `ended` count */
	uint64_t now_ns; /* for the duration of a call in flight */
};
/*
 * A gap (CALL_GAP) matches always: it says that calls may be missing here. What other tracepoints
 * told (CALL_EVENT) has a thread, its owner and a CPU: to questions about anything else that
 * calls have, != included, it answers no, as calls do when asked for `event`.
 */
bool filter_match(const struct filter *filter, const struct call *call,
		  const struct filter_reader *reader);

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
