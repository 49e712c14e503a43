/*
 * unwinder - user stacks from the registers and stack bytes of samples.
 *
 * Known stacks come from the cache at once. A new sample is copied into a ring of memory shared
 * with a dedicated stack worker. The unwinder thread sends that worker mappings and files, and
 * delivers its replies. Replies are validated; a file on which workers crash is not read again. For
 * a recording there is no thread: unwinder_find() waits for the reply. x86-64 only.
 */
#ifndef STACK_UNWINDER_H
#define STACK_UNWINDER_H

#include "engine/base/err.h"
#include "engine/helper/fork_server.h"
#include "engine/stack/spaces.h"
#include "engine/stack/unwind_cache.h"

struct unwinder;

struct unwinder_options {
	struct fork_server *fork_server; /* borrowed, as is `spaces` */
	struct spaces *spaces;
	struct reader *reader; /* borrowed; NULL: the calling thread opens files */
	const struct symbol_paths *places; /* borrowed; NULL: the default places */
	bool recorded; /* the processes are gone: see symbols_set_recorded() */
	/*
	 * Receives the reply to unwinder_push(), on the unwinder thread, which then holds no lock.
	 */
	void (*done)(void *ctx, uint32_t tag, const struct unwound *unwound);
	void *ctx;
};

/* One sample, ready to be looked up and unwound. `stack` is borrowed from the record. */
struct unwinder_sample {
	struct unwind_space space;
	struct wire_sample regs;
	const unsigned char *stack;
};

/* Start the worker, and the thread unless recorded. -errno with *err set. */
int unwinder_new(struct unwinder **unwinder, const struct unwinder_options *options,
		 struct err *err);
/*
 * End the thread; no more replies follow. The caller must not hold a lock that `done` takes.
 * Samples pushed later get no reply.
 */
void unwinder_stop(struct unwinder *unwinder);
/* Call after the last use by any thread. */
void unwinder_free(struct unwinder *unwinder);

/* Fill in *sample. False: no registers or stack bytes, or a 32-bit program. */
bool unwinder_prepare(struct unwinder *unwinder, uint32_t pid, const struct record_stack *stack,
		      struct unwinder_sample *sample);
/* True: *unwound is the stack, borrowed until the next call. Collector thread. */
bool unwinder_find(struct unwinder *unwinder, const struct unwinder_sample *sample,
		   struct unwound *unwound);
/*
 * False: too many samples are pending; this one counts as dropped. True: unwinder_push() has room.
 * Collector thread.
 */
bool unwinder_has_room(struct unwinder *unwinder, const struct unwinder_sample *sample);
/* True if so many samples are pending that optional ones should wait. Any thread. */
bool unwinder_is_busy(struct unwinder *unwinder);
void unwinder_push(struct unwinder *unwinder, const struct unwinder_sample *sample, uint32_t tag);

pid_t unwinder_worker_pid(const struct unwinder *unwinder); /* 0: none; any thread */
size_t unwinder_pending(struct unwinder *unwinder);
uint64_t unwinder_dropped(struct unwinder *unwinder); /* samples dropped for lack of room */
/* Wait until no sample is pending, at most timeout_ms. */
bool unwinder_settle(struct unwinder *unwinder, int timeout_ms);

/* Return the memory of the cache and of the ring shared with the worker. */
size_t unwinder_bytes(struct unwinder *unwinder);

#endif
