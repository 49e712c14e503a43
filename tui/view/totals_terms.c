#include "tui/view/totals_terms.h"

#include "tui/view/totals_values.h"

#include <stdio.h>
#include <string.h>

static void pick_task(const struct engine_row *row, struct pick *pick)
{
	if (sums_is_ended_group(row))
		return;
	pick->has_pid = true;
	pick->pid = row->pid;
	pick->has_tid = row->tid != 0;
	pick->tid = row->tid;
}

void sums_pick(const struct engine_row *row, const struct engine_query *query, struct pick *pick)
{
	pick->chosen = true;
	switch (query->group) {
	case ENGINE_BY_SYSCALL:
		pick->has_nr = true;
		pick->nr = row->nr;
		if (row->pid)
			pick_task(row, pick);
		return;
	case ENGINE_BY_CGROUP:
		pick->cgroup = row->cgroup;
		break;
	case ENGINE_BY_USER:
		pick->has_uid = row->uid != USERS_UNKNOWN;
		pick->uid = row->uid;
		break;
	case ENGINE_BY_COMM:
		pick->has_comm = true;
		break;
	default:
		pick_task(row, pick);
		/* Threads that have no number have no name of their own either. */
		pick->has_comm = query->group == ENGINE_BY_PROCESS || row->tid;
		break;
	}
	if (pick->has_comm)
		memcpy(pick->comm, row->name, sizeof(pick->comm));
	pick->has_nr = query->one_syscall;
	pick->nr = query->nr;
}

void sums_add_terms(const struct engine_row *row, enum engine_group group, struct row_terms *terms)
{
	char only[64], exclude[80];

	if (group != ENGINE_BY_PROCESS && group != ENGINE_BY_THREAD)
		return;
	if (!sums_is_ended_group(row)) {
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
