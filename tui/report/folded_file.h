/*
 * folded_file - sums blocked time by comm and stack and writes it for flame graphs.
 *
 * Main thread, or another thread that writes a file.
 */
#ifndef REPORT_FOLDED_FILE_H
#define REPORT_FOLDED_FILE_H

#include "engine/base/idmap.h"
#include "engine/engine.h"

struct folded_sum {
	struct call call; /* one of the calls, for its comm and stack */
	uint64_t blocked_ns;
};

struct folded_file {
	struct engine *engine; /* borrowed */
	struct idmap by_key; /* name and stack -> index + 1 as a pointer */
	struct folded_sum *totals;
	size_t count, capacity;
};

void folded_file_init(struct folded_file *folded, struct engine *engine);
void folded_file_release(struct folded_file *folded);

/* Add calls. Calls that did not block are skipped; those without a stack count for their comm. */
void folded_file_add(struct folded_file *folded, const struct call *calls, size_t count);
/* Request the names of all frames. Return the number of frames whose name is pending. */
size_t folded_file_ask(struct folded_file *folded);
/* Append a line per stack, sorted by text, with the names resolved so far. */
void folded_file_add_text(struct folded_file *folded, struct str *out);
/* Write the file; waits a few seconds for names. -errno with a message. */
int folded_file_write(struct folded_file *folded, const char *path, struct err *err);

#endif
