/*
 * privilege - limits file capabilities of stxtop to tracing.
 *
 * The capabilities are for observing processes and the kernel. They must not open files that the
 * user names but is not allowed to read. So privilege_lower() clears them at the start, and code
 * that traces raises them temporarily. A new thread inherits the capabilities of its creator. For
 * root all functions do nothing. They affect the calling thread only; any thread.
 */
#ifndef BASE_PRIVILEGE_H
#define BASE_PRIVILEGE_H

#include <stdint.h>

/*
 * Clear the effective capabilities. privilege_raise() can set them again. Return the previous set,
 * for privilege_restore().
 */
uint64_t privilege_lower(void);

/* Make all permitted capabilities effective. Return the previous set, for privilege_restore(). */
uint64_t privilege_raise(void);
void privilege_restore(uint64_t before);

/* Drop the capabilities permanently. */
void privilege_drop(void);

#endif
