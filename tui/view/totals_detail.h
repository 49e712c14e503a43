/*
 * totals_detail - what is known of a row of sums: a process, a thread or a system call, as lines
 * of a page.
 *
 * What the session does not have at hand a job reads, some times a second at most; the page
 * says so until then. UI thread only.
 */
#ifndef VIEW_TOTALS_DETAIL_H
#define VIEW_TOTALS_DETAIL_H

#include "engine/base/job_queue.h"
#include "tui/session/session.h"
#include "widgets/help.h"

/* What is read of a row: itself, and what it consists of. */
struct totals_read {
	struct engine *engine;
	struct selection selection;
	struct engine_row row;
	bool has_row; /* else it is gone */
	struct engine_row *syscalls; /* by time in them; owned */
	size_t syscall_count;
};

struct totals_detail {
	struct totals_read asked; /* the job's while it is away */
	struct totals_read known;
	struct selection selection;
	bool answered; /* known is of pick */
	uint64_t read_ns, every_ns, cost_ns;
	struct job job;
};

void totals_detail_init(struct totals_detail *detail);
void totals_detail_release(struct totals_detail *detail);

/* Of another row from now on. */
void totals_detail_begin(struct totals_detail *detail, struct session *session,
			 const struct selection *selection);
/* Asks for what is new, takes what came; true: something came. */
bool totals_detail_look(struct totals_detail *detail, struct session *session);
/* Adds the lines to the help; false: the row is gone. */
bool totals_detail_fill(const struct totals_detail *detail, struct session *session,
			struct help *help);

#endif
