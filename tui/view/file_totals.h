/*
 * file_totals - sums of calls by file, socket or pipe, from the history.
 *
 * file_totals_begin() restarts the sums, for example after a filter change. Each step scans a
 * bounded part of the history, newest first, and adds calls that ended meanwhile. Files beyond
 * FILE_TOTALS_MAX share one row; calls on files of unknown name share another. UI thread only.
 */
#ifndef VIEW_FILE_TOTALS_H
#define VIEW_FILE_TOTALS_H

#include "engine/base/idmap.h"
#include "tui/calls/history_scan.h"
#include "tui/session/session.h"

#define FILE_TOTALS_MAX 20000

struct file_sum {
	char *name; /* raw bytes as a string: a path, "socket:[…]"; owned; NULL: see kind */
	enum { FILE_NAMED, FILE_UNKNOWN, FILE_OTHERS } kind;
	uint32_t pid, tid; /* of the first call that was added, see many_pids */
	int32_t fd; /* of the first call with a descriptor; -1: all calls used a path */
	bool many_pids, many_fds;
	uint64_t calls, errors;
	uint64_t read_bytes, written_bytes;
	uint64_t total_ns, blocked_ns, max_ns;
	uint64_t timed; /* calls with a known duration; if fewer, total_ns is a lower bound */
	uint64_t waits_unknown; /* calls whose waits were not traced: blocked_ns is a lower bound */
	uint32_t next; /* index + 1 of the next file with the same hash; 0: none */
};

struct file_totals {
	struct history_scan scan;
	struct engine *engine; /* of the last file_totals_begin() */
	struct file_sum *files; /* [0]: FILE_UNKNOWN, [1]: FILE_OTHERS */
	size_t count, capacity;
	struct idmap by_hash; /* index + 1 as a pointer */
	uint8_t *moves; /* enum move of file_totals.c, by syscall number */
	size_t move_count;
};

void file_totals_init(struct file_totals *totals);
void file_totals_release(struct file_totals *totals);

/* Restart with the calls that match the filter in force. */
void file_totals_begin(struct file_totals *totals, const struct session *session);
/* Scan for a few milliseconds; true if calls were added. */
bool file_totals_step(struct file_totals *totals);
/* Return the scanned part of the history, in percent. */
unsigned file_totals_percent(const struct file_totals *totals);

#endif
