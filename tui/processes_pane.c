#include "tui/processes_pane.h"

#include "engine/base/mem.h"
#include "tui/empty_reason.h"
#include "tui/sums_columns.h"
#include "tui/sums_fields.h"
#include "tui/table_pane.h"

#include <stdlib.h>
#include <string.h>

struct processes_pane {
	struct table_pane base; /* rows: the session's */
	struct table_column columns[SUMS_COLUMN_COUNT];
	enum session_group group;
	uint64_t rows_version;
};

/* Ids of different groups never meet, so that a selection is not carried across. */
static uint64_t row_id(const struct table_pane *base, const void *of)
{
	enum session_group group = ((const struct processes_pane *)base)->group;
	const struct engine_row *row = of;
	uint64_t number = group == GROUP_SYSCALL ? row->nr :
			  group == GROUP_THREAD ? row->tid : row->pid;

	return (uint64_t)(group + 1) << 32 | number;
}

static void cell(struct table_pane *base, const void *row, int column_id,
		 struct table_cell *out)
{
	sums_cell(row, ((struct processes_pane *)base)->group, (enum sums_column)column_id, out);
}

static int compare(const struct table_pane *base, const void *a, const void *b, int column_id)
{
	(void)base;
	return sums_compare(a, b, (enum sums_column)column_id);
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	static const char *const titles[GROUP_COUNT] = {
		[GROUP_PROCESS] = "Processes",
		[GROUP_THREAD] = "Threads",
		[GROUP_SYSCALL] = "System calls",
	};

	str_addf(title, "%s %zu", titles[((struct processes_pane *)base)->group], base->count);
	if (base->session->status.model.records_lost || base->session->status.model.calls_unmatched)
		str_add(right, "lower bounds, ");
	table_pane_say_order(base, sums_column_name((enum sums_column)base->table.sort_column),
			     right);
}

static void add_fields(const struct table_pane *base, const void *row, struct fields *fields)
{
	enum session_group group = ((const struct processes_pane *)base)->group;

	sums_fields_add_whose(fields, row, group == GROUP_SYSCALL);
	sums_fields_add(fields, row);
}

static const struct table_pane_ops table_ops = {
	.name = "processes",
	.row_type = "sum",
	.fields = add_fields,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.compare = compare,
};

static void refresh(void *self, struct session *session)
{
	struct processes_pane *pane = self;
	struct table_pane *base = &pane->base;

	table_pane_refresh(base, session);
	empty_reason_say(session, EMPTY_SUMS, &base->empty_text);
	if (pane->rows_version == session->rows_version && pane->group == session->group)
		return;
	pane->rows_version = session->rows_version;
	if (pane->group != session->group) {
		pane->group = session->group;
		sums_columns_fill(pane->columns, pane->group);
		table_deselect(&base->table);
	}
	table_pane_resize(base, session->row_count);
	for (size_t i = 0; i < base->count; i++)
		base->rows[i] = &session->rows[i];
	sums_columns_fit(pane->columns, pane->group, session->rows, session->row_count);
	table_pane_sort(base);
}

static bool pick(void *self, struct session *session, struct pick *out, struct call *call,
		 bool *has_call)
{
	struct processes_pane *pane = self;
	const struct engine_row *row = table_pane_selected_row(&pane->base);

	(void)session;
	(void)call;
	*has_call = false;
	if (!row)
		return false;
	out->chosen = true;
	if (pane->group == GROUP_SYSCALL) {
		out->has_nr = true;
		out->nr = row->nr;
		return true;
	}
	out->has_pid = true;
	out->pid = row->pid;
	out->has_tid = pane->group == GROUP_THREAD;
	out->tid = row->tid;
	out->has_comm = true;
	memcpy(out->comm, row->name, sizeof(out->comm));
	return true;
}

static void pane_free(void *self)
{
	table_pane_release(self);
	free(self);
}

static const struct pane_ops ops = {
	TABLE_PANE_VERBS,
	.act = table_pane_act,
	.sort_by = table_pane_sort_by,
	.refresh = refresh,
	.pick = pick,
	.free = pane_free,
};

struct pane processes_pane_new(void)
{
	struct processes_pane *pane = mem_zalloc(1, sizeof(*pane));

	sums_columns_fill(pane->columns, GROUP_PROCESS);
	sums_columns_fit(pane->columns, GROUP_PROCESS, NULL, 0);
	table_pane_init(&pane->base, &table_ops, pane->columns, SUMS_COLUMN_COUNT);
	pane->base.table.sort_column = SUMS_BLOCKED;
	pane->base.table.sort_descending = true;
	return (struct pane){ &ops, pane };
}
