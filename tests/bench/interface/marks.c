/*
 * marks - wrappers around functions of the measured program (linker option --wrap).
 *
 * Each frame is followed by a mark that terminals ignore: ESC ] M keys ; frames BEL, with the
 * number of keys read before the frame and the number of frames. With the mark, the benchmark finds
 * the time at which the effect of a key arrives, at any line speed.
 */
#include "engine/base/clock.h"
#include "tests/bench/interface/report.h"
#include "widgets/terminal/event.h"
#include "widgets/terminal/screen.h"
#include "widgets/terminal/screen_input.h"
#include "widgets/terminal/screen_private.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct model;

int __real_screen_show(struct screen *screen);
int __wrap_screen_show(struct screen *screen);
bool __real_screen_input_next(struct screen *screen, struct input_event *event);
bool __wrap_screen_input_next(struct screen *screen, struct input_event *event);
void __real_model_lock(struct model *model);
void __wrap_model_lock(struct model *model);
void __real_model_unlock(struct model *model);
void __wrap_model_unlock(struct model *model);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);

/* Used only by the UI thread. */
static uint64_t keys, frames, turn_began_ns;

static bool is_interface(void)
{
	static __thread int known; /* 1: UI thread, -1: another thread, 0: not yet checked */

	if (!known)
		known = syscall(SYS_gettid) == getpid() ? 1 : -1;
	return known > 0;
}

/* Each counter has one writer, so this needs no atomic update. */
static void note_longest(uint64_t *longest, uint64_t ns)
{
	if (ns > *longest)
		*longest = ns;
}

/* ---- frames and keys ---- */

static void write_mark(struct screen *screen)
{
	char mark[64];
	int len = snprintf(mark, sizeof(mark), "\033]M%llu;%llu\a", (unsigned long long)keys,
			   (unsigned long long)frames);

	terminal_output_add(&screen->output, mark, (size_t)len);
	terminal_output_send(&screen->output);
}

int __wrap_screen_show(struct screen *screen)
{
	int changed = __real_screen_show(screen);

	frames += changed > 0;
	report_get()->frames += changed > 0;
	report_get()->cells += changed > 0 ? (uint64_t)changed : 0;
	write_mark(screen);
	return changed;
}

bool __wrap_screen_input_next(struct screen *screen, struct input_event *event)
{
	bool any = __real_screen_input_next(screen, event);

	keys += any && event->kind == EVENT_KEY;
	return any;
}

/* ---- turns of the loop ---- */

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct report *report = report_get();
	uint64_t ns;
	int ready;

	if (!is_interface())
		return __real_poll(fds, count, timeout);
	if (turn_began_ns) {
		ns = clock_now_ns() - turn_began_ns;
		report->turns++;
		report->turn_ns += ns;
		note_longest(&report->turn_max_ns, ns);
	}
	ready = __real_poll(fds, count, timeout);
	turn_began_ns = clock_now_ns();
	return ready;
}

/* ---- the model's lock ---- */

static __thread uint64_t locked_ns;

void __wrap_model_lock(struct model *model)
{
	struct report *report = report_get();
	uint64_t began_ns = clock_now_ns();

	__real_model_lock(model);
	locked_ns = clock_now_ns();
	if (!is_interface())
		return;
	report->lock_wait_ns += locked_ns - began_ns;
	note_longest(&report->lock_wait_max_ns, locked_ns - began_ns);
}

void __wrap_model_unlock(struct model *model)
{
	struct report *report = report_get();
	uint64_t ns = clock_now_ns() - locked_ns;

	if (is_interface()) {
		report->holds++;
		report->hold_ns += ns;
		report->holds_over_1ms += ns > NS_PER_MS;
		note_longest(&report->hold_max_ns, ns);
	} else {
		/* The lock allows one writer at a time. */
		report->other_holds_over_1ms += ns > NS_PER_MS;
		note_longest(&report->other_hold_max_ns, ns);
	}
	__real_model_unlock(model);
}
