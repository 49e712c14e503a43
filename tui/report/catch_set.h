/*
 * catch_set - the catches of this run: set, armed, and what is done when one of them catches.
 *
 * The interface and batch both have one; what only one of them can do (freeze, ring) it is told.
 * One thread; files are written on another in the interface.
 */
#ifndef REPORT_CATCH_SET_H
#define REPORT_CATCH_SET_H

#include "engine/base/background.h"
#include "tui/config/catch_recording.h"

struct catch_set_entry {
	struct catch_rule rule; /* .filter NULL: a free place */
	struct catch_recording recording;
	struct catch_state state; /* as of the last look */
};

/* What came of a call that was caught. */
struct catch_set_news {
	enum catch_action action;
	struct call call;
	uint64_t seq;
	bool failed;
	char text[ERR_TEXT_BYTES]; /* a sentence */
};

struct catch_set {
	struct engine *engine;
	const struct options *options;
	struct catch_set_entry entries[CATCHES_MAX];
	size_t next_file; /* whose turn on the background thread it is */
};

void catch_set_init(struct catch_set *catch_set, struct engine *engine,
		    const struct options *options);
/* Writes what is left for files. -errno with a sentence for the first that failed. */
int catch_set_close(struct catch_set *catch_set, struct err *err);

/*
 * The engine has started, with those of the command line, whose files are made now. -errno:
 * one could not be, and is gone; the others are there.
 */
int catch_set_start(struct catch_set *catch_set, struct err *err);

/* Takes over the rule, also where it fails. index CATCHES_MAX: any free place. */
int catch_set_set(struct catch_set *catch_set, unsigned index, struct catch_rule *rule,
		  struct err *err);
/* -EBUSY: its file is being written; others where that failed in the end. */
int catch_set_remove(struct catch_set *catch_set, unsigned index, struct err *err);
void catch_set_arm(struct catch_set *catch_set, unsigned index, bool armed);
/* How many there are, and how many of them are armed. */
size_t catch_set_count(const struct catch_set *catch_set, size_t *armed);

/* The next call that was caught, with what was done about it; false: there is none. */
bool catch_set_next(struct catch_set *catch_set, struct catch_set_news *news);
/* Batch: calls as they are read. */
void catch_set_add(struct catch_set *catch_set, const struct call *calls, size_t count);
/* Interface, often: has files written. */
void catch_set_write(struct catch_set *catch_set, struct background *background);
/* States as they are now. */
void catch_set_look(struct catch_set *catch_set);

#endif
