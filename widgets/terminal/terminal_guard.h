/*
 * terminal_guard - what it takes to leave the terminal usable from anywhere, crashes included.
 *
 * Holds the terminal's modes from before and the bytes that undo what the screen switched on.
 * This is the one piece of global state in widgets: a signal handler has no other way
 * to find it. Set up by the UI thread; restoring is async-signal-safe and for any thread.
 *
 * A process of its own may share it (terminal_guard_watch): where this program is killed, with
 * no handler to run, that one restores the terminal.
 */
#ifndef TERMINAL_TERMINAL_GUARD_H
#define TERMINAL_TERMINAL_GUARD_H

#include <sys/types.h>

#define TERMINAL_GUARD_BYTES 256

/*
 * Forks the process that restores the terminal of standard output if this one is killed while
 * the guard is armed. Before terminal_guard_init. Its pid; 0: there is none.
 */
pid_t terminal_guard_watch(void);
/* Ends it; waits for that, but not for long. */
void terminal_guard_unwatch(void);

/* Remembers the modes of the terminal at fd as they are now, and forgets all bytes. */
void terminal_guard_init(int fd);
/* Appends bytes for restoring, delays in terminfo's notation left out; NULL adds none. */
void terminal_guard_add(const char *bytes);

/* The modes that a screen wants: each key at once, none of them special. */
void terminal_guard_set_raw(void);
/* The modes from before. */
void terminal_guard_set_back(void);

/* Between these two, terminal_guard_restore does something, once. */
void terminal_guard_arm(void);
void terminal_guard_disarm(void);

/* A terminal that is not read is given a moment, then left as it is but for its modes. */
void terminal_guard_restore(void);

#endif
