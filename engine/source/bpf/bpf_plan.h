/*
 * bpf_plan - at which calls the programs run, and how that follows the filter.
 *
 * Programs at all calls double the cost of every call on the machine. Programs at the tracepoints
 * of single calls cost a fifth of that. If no call is wanted, no program is attached. All programs
 * share one state (bpf/state.h), so one program can see the enter of a call and another its exit.
 *
 * To change the plan, new programs are attached first. Calls that are in both plans are traced all
 * the time and reported once (bpf_settings.overlap). Detaching a program waits for every CPU, tens
 * of milliseconds for each program, and attaching can be blocked for that long. A thread does both;
 * bpf_plan_start() starts it, and it ends in bpf_plan_release().
 *
 * Thread of the source only, unless stated otherwise.
 */
#ifndef BPF_BPF_PLAN_H
#define BPF_BPF_PLAN_H

#include "engine/base/err.h"
#include "engine/record/kernel_filter.h"
#include "engine/source/bpf/bpf_load.h"
#include "engine/source/perf/syscall_events.h"
#include "engine/source/source.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bpf_plan_kind {
	BPF_PLAN_NONE, /* no call is wanted */
	BPF_PLAN_PER_SYSCALL, /* a few calls are wanted */
	BPF_PLAN_ALL,
};

struct bpf_aim {
	enum bpf_plan_kind kind;
	struct syscall_events calls; /* with BPF_PLAN_PER_SYSCALL */
};

struct bpf_plan {
	struct bpf_load *load; /* borrowed */
	syscall_event_fn *name;
	struct bpf_aim wanted; /* what the filter needs; while paused, NONE is in force */
	bool running;

	pthread_mutex_t lock;
	pthread_cond_t more;
	pthread_t thread;
	bool started, ending;
	uint64_t keep_ns; /* how long unneeded programs stay attached */
	struct bpf_aim aim; /* under lock, as are the members up to the note */
	uint64_t asked, reached; /* numbers of the newest requested change and the one in force */
	bool settled; /* programs that are not needed are detached */
	char note[ERR_TEXT_BYTES];

	/* Links; -1: none. Used by the thread; while there is none, by start and release. */
	int all[2], at_switch; /* at all enters and exits; at switches */
	int singles[SYSCALL_NR_MAX][2];
	uint32_t overlaps; /* number of overlaps so far */
};

/* Return the plan for a filter. name: see source.h; NULL: no plan for single calls. */
enum bpf_plan_kind bpf_plan_kind_for(const struct kernel_filter *filter, syscall_event_fn *name);

/* Initialize; no program is attached and no call is covered. */
void bpf_plan_init(struct bpf_plan *plan, struct bpf_load *load, syscall_event_fn *name);
void bpf_plan_release(struct bpf_plan *plan);

/* Attach the programs for the current filter before returning. -errno. */
int bpf_plan_start(struct bpf_plan *plan, struct err *err);

/* Both functions return at once. After bpf_plan_start(), they take effect a little later. */
void bpf_plan_set_filter(struct bpf_plan *plan, const struct kernel_filter *filter);
void bpf_plan_set_running(struct bpf_plan *plan, bool running);

/* True if the last change is in force. */
bool bpf_plan_is_reached(struct bpf_plan *plan);

/* True if, in addition, all programs of older plans are detached. */
bool bpf_plan_is_settled(struct bpf_plan *plan);

/* Fill in a line and a short text for display, and the last error, if any. */
void bpf_plan_describe(struct bpf_plan *plan, struct source_status *status);

#endif
