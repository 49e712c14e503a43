#include "engine/export/interrupt_name.h"

#include <string.h>

/* Functions that call handlers; some have another name on older kernels, or a compiler suffix. */
static const struct caller {
	const char *name;
	bool softirq;
} callers[] = {
	{ "handle_softirqs", true },
	{ "__do_softirq", true },
	{ "__softirqentry_text_start", true },
	{ "__handle_irq_event_percpu", false },
	{ "handle_irq_event_percpu", false },
	{ "__sysvec_", false }, /* interrupts of the CPU itself: one function each */
	{ "sysvec_", false },
};

static const struct caller *find_caller(const char *symbol)
{
	for (size_t i = 0; i < sizeof(callers) / sizeof(*callers); i++) {
		const struct caller *caller = &callers[i];
		size_t len = strlen(caller->name);

		if (!strncmp(symbol, caller->name, len) &&
		    (caller->name[len - 1] == '_' || !symbol[len] || symbol[len] == '.'))
			return caller;
	}
	return NULL;
}

struct interrupt_name interrupt_name(const struct frame *frames, size_t count)
{
	struct interrupt_name name = { .handler = NULL };

	for (size_t i = 0; i < count; i++) {
		const struct caller *caller = frames[i].kind == FRAME_KERNEL && frames[i].symbol
						      ? find_caller(frames[i].symbol)
						      : NULL;

		if (!caller)
			continue;
		name.handler = frames[i ? i - 1 : i].symbol;
		name.softirq = caller->softirq;
		break;
	}
	return name;
}
