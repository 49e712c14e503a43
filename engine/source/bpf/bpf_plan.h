/*
 * bpf_plan - at which calls the programs run, and how that follows the filter.
 *
 * At all calls, they cost every process of the machine as much again as its calls; at
 * the tracepoints of single ones a fifth of that, and where no call is wanted, they are
 * at none. All of them share one state (bpf/state.h), so a call may enter by one and leave by
 * another. Moving from one plan to the next, what is new is put in place first; calls
 * that both plans have are seen all the time, and are told once (bpf_settings.overlap).
 * Taking a program away waits for every CPU, tens of milliseconds for each, and putting one in
 * place may have to wait for that: a thread of its own does both. It is started by the
 * first change and ends with bpf_plan_release().
 * The functions are for one thread, the source's, but for what they say.
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
	BPF_PLAN_PER_SYSCALL, /* a few are */
	BPF_PLAN_ALL,
};

struct bpf_aim {
	enum bpf_plan_kind kind;
	struct syscall_events calls; /* of SINGLES */
};

struct bpf_plan {
	struct bpf_load *load; /* borrowed */
	syscall_event_fn *name;
	struct bpf_aim wanted; /* what the filter asks for; NONE is in force while paused */
	bool running;

	pthread_mutex_t lock;
	pthread_cond_t more;
	pthread_t thread;
	bool started, ending;
	uint64_t keep_ns; /* what is not needed any more stays for so long */
	struct bpf_aim aim; /* under lock, as is what follows up to the note */
	uint64_t asked, reached; /* changes of the aim, and the last one that is in force */
	bool settled; /* nothing that is not needed is left */
	char note[ERR_TEXT_BYTES];

	/* The thread's, or of who starts or releases while there is none: links, -1 for none. */
	int all[2], at_switch; /* at enters and exits; at switches */
	int singles[SYSCALL_NR_MAX][2];
	uint32_t overlaps; /* how many there were */
};

/* What the filter asks for. name: see source.h; NULL: no single calls. */
enum bpf_plan_kind bpf_plan_kind_for(const struct kernel_filter *filter, syscall_event_fn *name);

/* Nothing runs yet, and no call is covered. */
void bpf_plan_init(struct bpf_plan *plan, struct bpf_load *load, syscall_event_fn *name);
void bpf_plan_release(struct bpf_plan *plan);

/* The plan for what has been asked for by now is in force when this returns. -errno. */
int bpf_plan_start(struct bpf_plan *plan, struct err *err);

/* Both return at once. After the start, what they ask for is in force a little later. */
void bpf_plan_set_filter(struct bpf_plan *plan, const struct kernel_filter *filter);
void bpf_plan_set_running(struct bpf_plan *plan, bool running);

/* Whether all that was asked for is in force. */
bool bpf_plan_is_reached(struct bpf_plan *plan);

/* ... and nothing that was for an older plan is left. */
bool bpf_plan_is_settled(struct bpf_plan *plan);

/* For people: a line, or a word or two, and what went wrong, if anything did. */
void bpf_plan_describe(struct bpf_plan *plan, struct source_status *status);

#endif
