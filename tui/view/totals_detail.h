/*
 * totals_detail - details of a row of totals as lines of a page: a process, a thread, a system call
 * or another group.
 *
 * A job reads the figures that the session lacks, at most four times a second. Until its first
 * result, the page shows that figures are pending. UI thread only.
 */
#ifndef VIEW_TOTALS_DETAIL_H
#define VIEW_TOTALS_DETAIL_H

#include "engine/base/job_queue.h"
#include "tui/session/session.h"
#include "widgets/help.h"

/* Result of one read: the row and its system calls. */
struct totals_read {
	struct engine *engine;
	struct selection selection;
	struct engine_row row;
	bool has_row; /* false: the row no longer exists */
	struct engine_row *syscalls; /* sorted by total time; owned */
	size_t syscall_count;
};

struct totals_detail {
	struct totals_read asked; /* belongs to the job while it is pending */
	struct totals_read known;
	struct selection selection;
	bool answered; /* `known` describes `selection` */
	uint64_t read_ns, every_ns, cost_ns;
	struct job job;
};

void totals_detail_init(struct totals_detail *detail);
void totals_detail_release(struct totals_detail *detail);

/* Switch to another row. */
void totals_detail_begin(struct totals_detail *detail, struct session *session,
			 const struct selection *selection);
/* Take the result of a finished read; submit a read if the last is too old. True: new figures. */
bool totals_detail_look(struct totals_detail *detail, struct session *session);
/* Add the lines to `help`; false: the row no longer exists. */
bool totals_detail_fill(const struct totals_detail *detail, struct session *session,
			struct help *help);

#endif
