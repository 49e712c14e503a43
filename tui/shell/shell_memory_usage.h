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

struct shell;

struct shell_memory_usage {
	struct job job;
	bool in_header; /* as the settings say */
	uint64_t sent_ns;
	/* The errand's while it is away. */
	struct engine *engine; /* NULL: it has not started */
	uint32_t command;
	struct self_usage own;
	struct memory_usage owners[MEMORY_OWNER_COUNT];
};

void shell_memory_usage_init(struct shell *shell);
void shell_memory_usage_release(struct shell *shell);

void shell_memory_usage_open(struct shell *shell);
bool shell_memory_usage_act(struct shell *shell, enum action action);
/* At each tick: the page anew, and the header's line where the settings want it. */
void shell_memory_usage_look(struct shell *shell);

#endif
