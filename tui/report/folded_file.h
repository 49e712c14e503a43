/*
 * folded_file - sums blocked time by program and stack, and writes it for flame graphs.
 *
 * Main thread, or another one that writes a file.
 */
#ifndef REPORT_FOLDED_FILE_H
#define REPORT_FOLDED_FILE_H

#include "engine/base/idmap.h"
#include "engine/engine.h"

struct folded_sum {
	struct call call; /* one of them: whose name it is */
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

/* Calls that did not block are left out; those without a stack count for their program. */
void folded_file_add(struct folded_file *folded, const struct call *calls, size_t count);
/* Makes names come; how many frames have none yet. */
size_t folded_file_ask(struct folded_file *folded);
/* A line for each stack, in the order of their texts, with the names that there are. */
void folded_file_add_text(struct folded_file *folded, struct str *out);
/* Waits for names, some seconds at most. -errno with a sentence. */
int folded_file_write(struct folded_file *folded, const char *path, struct err *err);

#endif
