/*
 * terminal_guard - restores the terminal from any context, including crashes.
 *
 * Holds the original modes of the terminal and the bytes that undo the modes of the screen. This is
 * the only global state in widgets: a signal handler has no other way to find it. The UI thread
 * sets it up; restoring is async-signal-safe, any thread.
 *
 * terminal_guard_watch() starts a guard process that shares this state. If stxtop is killed, so
 * that no handler runs, the guard process restores the terminal.
 */
#ifndef TERMINAL_TERMINAL_GUARD_H
#define TERMINAL_TERMINAL_GUARD_H

#include <sys/types.h>

#define TERMINAL_GUARD_BYTES 256

/*
 * Fork the guard process, which restores the terminal of standard output if this process is killed
 * while the guard is armed. Call before terminal_guard_init(). Return its pid; 0: none.
 */
pid_t terminal_guard_watch(void);
/* End the guard process and wait for it, with a time limit. */
void terminal_guard_unwatch(void);

/* Store the current modes of the terminal at fd, and drop all added bytes. */
void terminal_guard_init(int fd);
/* Append bytes that restore the terminal, without terminfo's delays; NULL adds none. */
void terminal_guard_add(const char *bytes);

/* Set the modes of a screen: unbuffered input without special characters. */
void terminal_guard_set_raw(void);
/* Set the original modes. */
void terminal_guard_set_back(void);

/* terminal_guard_restore() has an effect only between these two calls, and only once. */
void terminal_guard_arm(void);
void terminal_guard_disarm(void);

/*
 * Write the bytes and set the original modes. If the terminal accepts no output for half a second,
 * skip the remaining bytes.
 */
void terminal_guard_restore(void);

#endif
