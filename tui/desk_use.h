/*
 * desk_use - a page of the memory and the CPU that this program takes, by owner, each second anew.
 *
 * An errand asks. For tui/desk*.c; UI thread only.
 */
#ifndef TUI_DESK_USE_H
#define TUI_DESK_USE_H

#include "engine/memory_use.h"
#include "engine/own_use.h"
#include "tui/actions.h"
#include "tui/errands.h"

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
