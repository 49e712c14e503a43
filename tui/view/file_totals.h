/*
 * file_totals - what calls did with each file, socket or pipe: a sum for each, from the history.
 *
 * Begins anew with every filter and goes through the history in bounded steps, newest first,
 * while it keeps up with what comes. Files beyond FILE_TOTALS_MAX share one row, and those that
 * nobody knows the name of another. UI thread only.
 */
#ifndef VIEW_FILE_TOTALS_H
#define VIEW_FILE_TOTALS_H

#include "engine/base/idmap.h"
#include "tui/calls/history_scan.h"
#include "tui/session/session.h"

#define FILE_TOTALS_MAX 20000

struct file_sum {
	char *name; /* raw bytes as a string: a path, "socket:[…]"; NULL: see kind */
	enum { FILE_NAMED, FILE_UNKNOWN, FILE_OTHERS } kind;
	uint32_t pid, tid; /* of one of its calls, which may be of many */
	int32_t fd; /* the same; -1: it was named, not opened */
	bool many_pids, many_fds;
	uint64_t calls, errors;
	uint64_t read_bytes, written_bytes;
	uint64_t total_ns, blocked_ns, max_ns;
	uint64_t waits_unknown; /* calls whose waits were not seen: blocked_ns is a lower bound */
	uint32_t next; /* with the same hash; 0: none */
};

struct file_totals {
	struct history_scan scan;
	struct engine *engine; /* since it was begun */
	struct file_sum *files; /* [0] and [1] are the unnamed ones */
	size_t count, capacity;
	struct idmap by_hash; /* index + 1 as a pointer */
	uint8_t *moves; /* by number of the call, see file_totals.c */
	size_t move_count;
};

void file_totals_init(struct file_totals *totals);
void file_totals_release(struct file_totals *totals);

/* The calls that match the filter in force, anew. */
void file_totals_begin(struct file_totals *totals, const struct session *session);
/* Some milliseconds of it; true if more was found. */
bool file_totals_step(struct file_totals *totals);
/* How much of the history has been looked at. */
unsigned file_totals_percent(const struct file_totals *totals);

#endif
