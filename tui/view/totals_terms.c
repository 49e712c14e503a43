#include "tui/view/totals_terms.h"

#include "tui/view/totals_values.h"

#include <stdio.h>
#include <string.h>

static void pick_task(const struct engine_row *row, struct selection *selection)
{
	if (totals_is_ended_group(row))
		return;
	selection->has_pid = true;
	selection->pid = row->pid;
	selection->has_tid = row->tid != 0;
	selection->tid = row->tid;
}

void totals_selection(const struct engine_row *row, const struct engine_query *query,
		      struct selection *selection)
{
	selection->chosen = true;
	switch (query->group) {
	case ENGINE_BY_SYSCALL:
		selection->has_nr = true;
		selection->nr = row->nr;
		if (row->pid)
			pick_task(row, selection);
		return;
	case ENGINE_BY_CGROUP:
		selection->cgroup = row->cgroup;
		break;
	case ENGINE_BY_USER:
		selection->has_uid = row->uid != USERS_UNKNOWN;
		selection->uid = row->uid;
		break;
	case ENGINE_BY_COMM:
		selection->has_comm = true;
		break;
	default:
		pick_task(row, selection);
		/* Thread rows without a tid have no comm of their own. */
		selection->has_comm = query->group == ENGINE_BY_PROCESS || row->tid;
		break;
	}
	if (selection->has_comm)
		memcpy(selection->comm, row->name, sizeof(selection->comm));
	selection->has_nr = query->one_syscall;
	selection->nr = query->nr;
}

void totals_add_terms(const struct engine_row *row, enum engine_group group,
		      struct row_terms *terms)
{
	char only[64], exclude[80];

	if (group != ENGINE_BY_PROCESS && group != ENGINE_BY_THREAD)
		return;
	if (!totals_is_ended_group(row)) {
		snprintf(only, sizeof(only), "(pid == %u or descendant of %u)", row->pid, row->pid);
		snprintf(exclude, sizeof(exclude), "not %s", only);
		row_terms_add_pair(terms, only, exclude);
	}
	if (row->parent_pid)
		row_terms_add_number(terms, "ppid", row->parent_pid);
	if (row->uid != USERS_UNKNOWN)
		row_terms_add_number(terms, "uid", row->uid);
	if (row->cgroup)
		row_terms_add_text(terms, "cgroup", row->cgroup);
}
