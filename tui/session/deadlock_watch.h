/* deadlock_watch - searches periodically for current deadlocks. UI thread only. */
#ifndef SESSION_DEADLOCK_WATCH_H
#define SESSION_DEADLOCK_WATCH_H

#include "engine/base/str.h"
#include "engine/engine.h"

#define DEADLOCK_WATCH_MAX 4

struct deadlock_watch {
	struct engine_deadlock found[DEADLOCK_WATCH_MAX];
	size_t count;
	uint64_t looked_ns, every_ns;
};

/* Call often. Searches twice a second, or at longer intervals if a search takes long. */
void deadlock_watch_look(struct deadlock_watch *watch, struct engine *engine, uint64_t clock_ns);

/* Append at most `max` threads in waiting order: "a/1 → b/2 → a/1". */
void deadlock_text(const struct engine_deadlock *deadlock, size_t max, struct str *out);

#endif
