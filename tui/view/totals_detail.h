/*
 * totals_detail - what is known of a row of sums: a process, a thread or a system call, as lines
 * of a page.
 *
 * What the session does not have at hand an errand reads, some times a second at most; the page
 * says so until then. UI thread only.
 */
#ifndef VIEW_TOTALS_DETAIL_H
#define VIEW_TOTALS_DETAIL_H

#include "engine/base/job_queue.h"
#include "tui/session/session.h"
#include "widgets/help.h"

/* What is read of a row: itself, and what it consists of. */
struct sums_read {
	struct engine *engine;
	struct pick pick;
	struct engine_row row;
	bool has_row; /* else it is gone */
	struct engine_row *syscalls; /* by time in them; owned */
	size_t syscall_count;
};

struct sums_detail {
	struct sums_read asked; /* the errand's while it is away */
	struct sums_read known;
	struct pick pick;
	bool answered; /* known is of pick */
	uint64_t read_ns, every_ns, cost_ns;
	struct errand errand;
};

void sums_detail_init(struct sums_detail *detail);
void sums_detail_release(struct sums_detail *detail);

/* Of another row from now on. */
void sums_detail_begin(struct sums_detail *detail, struct session *session,
		       const struct pick *pick);
/* Asks for what is new, takes what came; true: something came. */
bool sums_detail_look(struct sums_detail *detail, struct session *session);
/* Adds the lines to the help; false: the row is gone. */
bool sums_detail_fill(const struct sums_detail *detail, struct session *session, struct help *help);

#endif
