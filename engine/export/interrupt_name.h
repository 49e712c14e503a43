/*
 * interrupt_name - which interrupt woke somebody, from the kernel stack that it did so with.
 *
 * The kernel calls each handler from one function; who was called from there is the handler:
 * "net_rx_action", "blk_done_softirq", "hrtimer_interrupt", a driver's own. Any thread.
 */
#ifndef EXPORT_INTERRUPT_NAME_H
#define EXPORT_INTERRUPT_NAME_H

#include "engine/stack/symbols.h"

struct interrupt_name {
	const char *handler; /* NULL: not known; borrowed from the frames */
	bool softirq;
};

/* frames are innermost first. */
struct interrupt_name interrupt_name(const struct frame *frames, size_t count);

#endif
