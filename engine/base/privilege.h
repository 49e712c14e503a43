/*
 * privilege - capabilities that a user has by this program's file: held back but for watching.
 *
 * They are for looking at processes and the kernel, not for files that the user names, which
 * would be read for who may not read them. So they are laid down at the start, and taken up by
 * what watches: a thread has what the one had that started it. Root has its own, and keeps them.
 * Of the calling thread alone; any thread.
 */
#ifndef BASE_PRIVILEGE_H
#define BASE_PRIVILEGE_H

#include <stdint.h>

/* Lays all of them down. They can be taken up again. */
void privilege_lower(void);

/* Takes up all that there are; what privilege_restore() wants to know. */
uint64_t privilege_raise(void);
void privilege_restore(uint64_t before);

/* Gives them up for ever. */
void privilege_drop(void);

#endif
