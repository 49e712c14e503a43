/*
 * catch_set - the catches of this run: sets and arms them and performs their actions.
 *
 * Shared by the interface and batch. Actions that only one of them can perform (freeze, bell) are
 * returned to the caller. One thread; in the interface, the background thread writes the files.
 */
#ifndef REPORT_CATCH_SET_H
#define REPORT_CATCH_SET_H

#include "engine/base/background.h"
#include "tui/config/catch_recording.h"

struct catch_set_entry {
	struct catch_rule rule; /* .filter NULL: a free slot */
	struct catch_recording recording;
	struct catch_state state; /* as of the last catch_set_look() */
};

/* A caught call and the result of its action. */
struct catch_set_news {
	enum catch_action action;
	struct call call;
	uint64_t seq;
	bool failed;
	char text[ERR_TEXT_BYTES]; /* a message */
};

struct catch_set {
	struct engine *engine;
	const struct options *options;
	struct catch_set_entry entries[CATCHES_MAX];
	size_t next_file; /* slot that the background thread serves next */
};

void catch_set_init(struct catch_set *catch_set, struct engine *engine,
		    const struct options *options);
/* Write pending calls to the files and close them. -errno with the first failure's message. */
int catch_set_close(struct catch_set *catch_set, struct err *err);

/*
 * Adopt the catches of the command line after engine_start(), and create their files. -errno: at
 * least one file could not be created, and its catch was removed; the remaining ones are set.
 */
int catch_set_start(struct catch_set *catch_set, struct err *err);

/* Set a catch. Takes ownership of the rule, also on failure. index CATCHES_MAX: any free slot. */
int catch_set_set(struct catch_set *catch_set, unsigned index, struct catch_rule *rule,
		  struct err *err);
/* Remove a catch. -EBUSY: its file is being written. Another -errno: writing its file failed. */
int catch_set_remove(struct catch_set *catch_set, unsigned index, struct err *err);
void catch_set_arm(struct catch_set *catch_set, unsigned index, bool armed);
/* Return the number of catches; *armed: how many of them are armed. */
size_t catch_set_count(const struct catch_set *catch_set, size_t *armed);

/* Get the next caught call and perform its action. False: none. */
bool catch_set_next(struct catch_set *catch_set, struct catch_set_news *news);
/* Batch: pass every block of calls that was read, for the files of the catches. */
void catch_set_add(struct catch_set *catch_set, const struct call *calls, size_t count);
/* Interface: let the background thread write one file; call frequently. */
void catch_set_write(struct catch_set *catch_set, struct background *background);
/* Refresh the states of all catches. */
void catch_set_look(struct catch_set *catch_set);

#endif
