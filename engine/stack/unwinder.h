/*
 * unwinder - user stacks from the registers and stack bytes of samples.
 *
 * What was seen before is answered at once, from the memo. What is new is copied
 * into a ring of memory shared with a stack worker of its own; a thread here tells that
 * worker what is mapped where, passes it the files, and hands out what it answers.
 * Whatever the worker says is checked; a file over which it dies is not read again.
 * For a recording there is no thread: the answer is waited for. x86-64 only.
 */
#ifndef STACK_UNWINDER_H
#define STACK_UNWINDER_H

#include "engine/base/err.h"
#include "engine/helper/fork_server.h"
#include "engine/stack/spaces.h"
#include "engine/stack/unwind_cache.h"

struct unwinder;

struct unwinder_options {
	struct fork_server *fork_server; /* borrowed, and so are the spaces */
	struct spaces *spaces;
	struct reader *reader; /* who opens files; NULL: they are opened here. Borrowed */
	const struct symbol_paths *places; /* borrowed; NULL: those that everybody knows */
	bool recorded; /* the processes are gone: see symbols_set_recorded() */
	/* The answer to unwinder_push(), in the unwinder's thread, which holds no lock then. */
	void (*done)(void *ctx, uint32_t tag, const struct unwound *unwound);
	void *ctx;
};

/* One sample, ready to be looked up and unwound. `stack` is borrowed from the record. */
struct unwinder_sample {
	struct unwind_space space;
	struct wire_sample regs;
	const unsigned char *stack;
};

/* Starts the worker, and the thread if there is to be one. -errno with a sentence. */
int unwinder_new(struct unwinder **unwinder, const struct unwinder_options *options,
		 struct err *err);
/*
 * Ends the thread, which must not need a lock that the caller holds: no answer comes any
 * more. Others may still push; what they push stays unanswered.
 */
void unwinder_stop(struct unwinder *unwinder);
/* Nobody else uses it any more. */
void unwinder_free(struct unwinder *unwinder);

/* False: there are no registers and stack bytes in it, or not those of a 64-bit program. */
bool unwinder_prepare(struct unwinder *unwinder, uint32_t pid, const struct record_stack *stack,
		      struct unwinder_sample *sample);
/* True: *unwound is the answer, borrowed until the next question. Collector thread. */
bool unwinder_find(struct unwinder *unwinder, const struct unwinder_sample *sample,
		   struct unwound *unwound);
/* False: too many wait already; counted. Otherwise push() will take it. Collector thread. */
bool unwinder_has_room(struct unwinder *unwinder, const struct unwinder_sample *sample);
/* So much waits that whoever can had better come later. Any thread. */
bool unwinder_is_busy(struct unwinder *unwinder);
void unwinder_push(struct unwinder *unwinder, const struct unwinder_sample *sample, uint32_t tag);

pid_t unwinder_worker_pid(const struct unwinder *unwinder); /* 0: none; any thread */
size_t unwinder_pending(struct unwinder *unwinder);
uint64_t unwinder_dropped(struct unwinder *unwinder); /* for want of room */
/* Waits until nothing is pending, at most timeout_ms. */
bool unwinder_settle(struct unwinder *unwinder, int timeout_ms);

/* Of memory: what it remembers, and what is passed to the worker. */
size_t unwinder_bytes(struct unwinder *unwinder);

#endif
