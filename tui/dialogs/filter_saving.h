/*
 * filter_saving - writes a change to the file of saved filters on the background thread. UI thread
 * only.
 */
#ifndef DIALOGS_FILTER_SAVING_H
#define DIALOGS_FILTER_SAVING_H

#include "engine/base/background.h"
#include "tui/config/saved_filters.h"

#include <stdatomic.h>

struct filter_saving {
	struct str path, name, text; /* text empty: remove the filter */
	bool running;
	atomic_bool done;
	int rc;
	struct err err;
};

void filter_saving_init(struct filter_saving *saving);
/* Do not call while a change is being written. */
void filter_saving_release(struct filter_saving *saving);

/*
 * Save or remove a filter. text NULL: remove it. -EBUSY: the previous change is not written yet, or
 * the background thread is busy.
 */
int filter_saving_begin(struct filter_saving *saving, struct background *background,
			const char *name, const char *text, struct err *err);
/* True once, when the write has finished: rc and err are its result. */
bool filter_saving_ended(struct filter_saving *saving);

#endif
