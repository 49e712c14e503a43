/*
 * interrupt_name - the interrupt that woke a thread, derived from the kernel stack of the wakeup.
 *
 * The kernel calls handlers only from a few known functions. The function that these call is the
 * handler: "net_rx_action", "blk_done_softirq", "hrtimer_interrupt", or one of a driver. Any
 * thread.
 */
#ifndef EXPORT_INTERRUPT_NAME_H
#define EXPORT_INTERRUPT_NAME_H

#include "engine/stack/symbols.h"

struct interrupt_name {
	const char *handler; /* NULL: unknown; borrowed from the frames */
	bool softirq;
};

/* frames are innermost first. */
struct interrupt_name interrupt_name(const struct frame *frames, size_t count);

#endif
