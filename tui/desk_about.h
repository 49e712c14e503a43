/*
 * desk_about - a page of what the recording that is explored says of itself and its machine.
 *
 * The file is looked at by an errand. For tui/desk*.c; UI thread only.
 */
#ifndef TUI_DESK_ABOUT_H
#define TUI_DESK_ABOUT_H

#include "engine/recording_about.h"
#include "tui/actions.h"
#include "tui/errands.h"

struct desk;

struct desk_about {
	struct errand errand;
	/* The errand's while it is away. */
	struct str path;
	struct recording_about about;
	struct err err;
	int rc;
};

void desk_about_init(struct desk *desk);
void desk_about_release(struct desk *desk);

bool desk_about_act(struct desk *desk, enum action action);
/* At each tick: opens the page when it is there. */
void desk_about_look(struct desk *desk);

#endif
