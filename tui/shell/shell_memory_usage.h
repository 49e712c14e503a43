/*
 * shell_memory_usage - a page of the memory and the CPU that this program takes, by owner, each
 * second anew.
 *
 * An errand asks. For tui/shell/shell*.c; UI thread only.
 */
#ifndef SHELL_SHELL_MEMORY_USAGE_H
#define SHELL_SHELL_MEMORY_USAGE_H

#include "engine/base/job_queue.h"
#include "engine/memory_usage.h"
#include "engine/process/self_usage.h"
#include "tui/config/actions.h"

struct desk;

struct desk_use {
	struct errand errand;
	bool in_header; /* as the settings say */
	uint64_t sent_ns;
	/* The errand's while it is away. */
	struct engine *engine; /* NULL: it has not started */
	uint32_t command;
	struct own_use own;
	struct memory_use owners[MEMORY_OWNER_COUNT];
};

void desk_use_init(struct desk *desk);
void desk_use_release(struct desk *desk);

void desk_use_open(struct desk *desk);
bool desk_use_act(struct desk *desk, enum action action);
/* At each tick: the page anew, and the header's line where the settings want it. */
void desk_use_look(struct desk *desk);

#endif
