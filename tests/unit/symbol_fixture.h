/*
 * symbol_fixture - programs compiled while testing, and questions about their addresses.
 *
 * A program is built in a temporary directory and never run: its file is said to be mapped in
 * this process at FIXTURE_BASE, from its first byte on.
 */
#ifndef UNIT_SYMBOL_FIXTURE_H
#define UNIT_SYMBOL_FIXTURE_H

#include "engine/stack/symbols.h"
#include "tests/unit/temporary.h"

#include <limits.h>

#define FIXTURE_BASE 0x10000000ULL

struct fixture {
	char directory[TEMPORARY_PATH_MAX];
	char path[128]; /* of the program */
	struct spaces *spaces;
	struct symbols *symbols;
	struct stacks *stacks;
};

/* Root of the whole machine, not only of a user namespace. */
bool fixture_is_root(void);

/* serve NULL: the real worker. Fails the test if there can be none. */
void fixture_open(struct fixture *fixture, void (*serve)(int socket_fd));
/* The same in three steps: the directory, the process that starts workers, the threads. */
void fixture_prepare(struct fixture *fixture);
void fixture_begin(struct fixture *fixture, void (*serve)(int socket_fd));
void fixture_start(struct fixture *fixture);
/* Before the test ends: what it did to the files is undone. */
void fixture_close(struct fixture *fixture);

/* Writes source (name ends in .c or .cc) and compiles it; skips the test without a compiler. */
void fixture_compile(struct fixture *fixture, const char *name, const char *source,
		     const char *flags);
/* Runs a command of the shell in the directory; false: it failed. */
bool fixture_run(const struct fixture *fixture, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A file of these bytes in the directory becomes fixture->path. */
void fixture_write(struct fixture *fixture, const char *name, const void *bytes, size_t len);

/* Says that fixture->path is mapped at base. */
void fixture_map(struct fixture *fixture, uint64_t base);
/*
 * The frames of a return address behind base + offset - 1, so that what is looked up is
 * base + offset. Waits for the answer.
 */
size_t fixture_ask(struct fixture *fixture, uint64_t base, uint64_t offset, struct frame *frames,
		   size_t max);

#endif
