/*
 * futex_watch - the engine's memory between two looks at who waits for whom.
 *
 * Made and freed with the engine; what it is asked is in engine.h.
 */
#ifndef ENGINE_FUTEX_WATCH_H
#define ENGINE_FUTEX_WATCH_H

struct futex_watch;

struct futex_watch *futex_watch_new(void);
void futex_watch_free(struct futex_watch *watch);

#endif
