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

struct catching_entry {
	struct catch_rule rule; /* .filter NULL: a free place */
	struct catch_recording recording;
	struct catch_state state; /* as of the last look */
};

/* What came of a call that was caught. */
struct catching_news {
	enum catch_action action;
	struct call call;
	uint64_t seq;
	bool failed;
	char text[ERR_TEXT_BYTES]; /* a sentence */
};

struct catching {
	struct engine *engine;
	const struct options *options;
	struct catching_entry entries[CATCHES_MAX];
	size_t next_file; /* whose turn on the background thread it is */
};

void catching_init(struct catching *catching, struct engine *engine, const struct options *options);
/* Writes what is left for files. -errno with a sentence for the first that failed. */
int catching_close(struct catching *catching, struct err *err);

/*
 * The engine has started, with those of the command line, whose files are made now. -errno:
 * one could not be, and is gone; the others are there.
 */
int catching_start(struct catching *catching, struct err *err);

/* Takes over the rule, also where it fails. index CATCHES_MAX: any free place. */
int catching_set(struct catching *catching, unsigned index, struct catch_rule *rule,
		 struct err *err);
/* -EBUSY: its file is being written; others where that failed in the end. */
int catching_remove(struct catching *catching, unsigned index, struct err *err);
void catching_arm(struct catching *catching, unsigned index, bool armed);
/* How many there are, and how many of them are armed. */
size_t catching_count(const struct catching *catching, size_t *armed);

/* The next call that was caught, with what was done about it; false: there is none. */
bool catching_next(struct catching *catching, struct catching_news *news);
/* Batch: calls as they are read. */
void catching_add(struct catching *catching, const struct call *calls, size_t count);
/* Interface, often: has files written. */
void catching_write(struct catching *catching, struct background *background);
/* States as they are now. */
void catching_look(struct catching *catching);

#endif
