/*
 * symbol_fixture - compiles programs during a test and looks up their addresses.
 *
 * A program is built in a temporary directory and never run. A made-up record maps its file into
 * this process at FIXTURE_BASE, from its first byte.
 */
#ifndef UNIT_SYMBOL_FIXTURE_H
#define UNIT_SYMBOL_FIXTURE_H

#include "engine/stack/symbols.h"
#include "tests/unit/temporary.h"

#include <limits.h>

#define FIXTURE_BASE 0x10000000ULL

struct fixture {
	char directory[TEMPORARY_PATH_MAX];
	char path[128]; /* last written file, or the program */
	struct spaces *spaces;
	struct symbols *symbols;
	struct stacks *stacks;
};

/* True as root of the whole machine, not only of a user namespace. */
bool fixture_is_root(void);

/* serve NULL: use the real worker. Fail the test if it cannot start. */
void fixture_open(struct fixture *fixture, void (*serve)(int socket_fd));
/* The same in three steps: the directory, the fork server, the threads. */
void fixture_prepare(struct fixture *fixture);
void fixture_begin(struct fixture *fixture, void (*serve)(int socket_fd));
void fixture_start(struct fixture *fixture);
/* Delete the directory; call before the test ends. */
void fixture_close(struct fixture *fixture);

/* Write source (name ends in .c or .cc) and compile it; skip the test without a compiler. */
void fixture_compile(struct fixture *fixture, const char *name, const char *source,
		     const char *flags);
/* Run a shell command in the directory; false if it fails. */
bool fixture_run(const struct fixture *fixture, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Write a file with these bytes to the directory, and store its path in fixture->path. */
void fixture_write(struct fixture *fixture, const char *name, const void *bytes, size_t len);

/* Feed a record that maps fixture->path at base. */
void fixture_map(struct fixture *fixture, uint64_t base);
/*
 * Return the frames of return address base + offset + 1, which is looked up as base + offset.
 * Waits for the reply.
 */
size_t fixture_ask(struct fixture *fixture, uint64_t base, uint64_t offset, struct frame *frames,
		   size_t max);

#endif
