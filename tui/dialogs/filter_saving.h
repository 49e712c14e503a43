/*
 * filter_saving - a change of the file of saved filters, made on the background thread. UI
 * thread only.
 */
#ifndef DIALOGS_FILTER_SAVING_H
#define DIALOGS_FILTER_SAVING_H

#include "engine/base/background.h"
#include "tui/config/saved_filters.h"

#include <stdatomic.h>

struct filter_saving {
	struct str path, name, text; /* text empty: remove it */
	bool running;
	atomic_bool done;
	int rc;
	struct err err;
};

void filter_saving_init(struct filter_saving *saving);
/* Not while it runs. */
void filter_saving_release(struct filter_saving *saving);

/* text NULL: removes it. -EBUSY: the last change is not on the disk yet. */
int filter_saving_begin(struct filter_saving *saving, struct background *background,
			const char *name, const char *text, struct err *err);
/* True once, when it has ended: rc and err say how. */
bool filter_saving_ended(struct filter_saving *saving);

#endif
