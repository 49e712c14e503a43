#include "tui/view/totals_pane.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"
#include "tui/session/empty_reason.h"
#include "tui/session/totals_query.h"
#include "tui/view/process_tree.h"
#include "tui/view/quick_terms.h"
#include "tui/view/table_pane.h"
#include "tui/view/totals_fields.h"
#include "tui/view/totals_terms.h"
#include "tui/view/totals_values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Ids of different groupings must differ, so that a selection is not carried over. */
#define GROUP_SHIFT 56
#define NUMBERLESS_ID (1ULL << 40) /* bit in the id of a row for threads without a tid */

struct totals_pane {
	struct table_pane base; /* rows: struct engine_row; in a tree, struct process_line */
	struct table_column columns[TOTALS_COLUMN_COUNT];
	struct totals_pane_def def;
	struct totals_pane *leader; /* pane whose selection this one follows; NULL: none */
	bool of_syscall; /* follows a system call, not a process */
	bool led; /* the leader has a suitable selection */
	struct engine_query wanted;
	struct totals_query totals, threads;
	bool is_tree, has_threads; /* as requested by the user */
	bool counted; /* the figures belong to the current filter */
	bool shows_tree; /* rows are struct process_line */
	enum engine_group group; /* grouping of the rows shown */
	uint64_t whole; /* number of entities: ended processes in one row count separately */
	struct process_tree tree;
	struct totals_order *ranks; /* scratch for sorting */
	size_t rank_capacity;
	/*
	 * Set after drilling into a row of grouping `entered`. When the filter step of the drilling
	 * is undone, the pane returns to this grouping.
	 */
	bool has_entered;
	enum engine_group entered;
	size_t entered_steps;
};

static const struct totals_pane *pane_of(const struct table_pane *base)
{
	return (const struct totals_pane *)base;
}

static const struct process_line *line_of(const struct table_pane *base, const void *row)
{
	return pane_of(base)->shows_tree ? row : NULL;
}

static const struct engine_row *row_of(const struct table_pane *base, const void *row)
{
	const struct process_line *line = line_of(base, row);

	return line ? line->row : row;
}

/* ---- table operations ---- */

uint64_t totals_name_id(const char *name)
{
	return hash_text(name);
}

static uint64_t number_of(enum engine_group group, const struct engine_row *row)
{
	switch (group) {
	case ENGINE_BY_THREAD:
		return row->tid ? row->tid : NUMBERLESS_ID | row->pid;
	case ENGINE_BY_SYSCALL:
		return row->nr;
	case ENGINE_BY_COMM:
		return totals_name_id(row->name);
	case ENGINE_BY_CGROUP:
		return (uintptr_t)row->cgroup;
	case ENGINE_BY_USER:
		return row->uid;
	default:
		return row->pid;
	}
}

static uint64_t row_id(const struct table_pane *base, const void *of)
{
	const struct process_line *line = line_of(base, of);
	enum engine_group group = pane_of(base)->group;
	uint64_t number;

	if (line)
		return line->id;
	number = number_of(group, of) & ((1ULL << GROUP_SHIFT) - 1);
	/* A process keeps its id when the tree is switched on or off. */
	return group == ENGINE_BY_PROCESS ? number : (uint64_t)(group + 1) << GROUP_SHIFT | number;
}

static bool is_past(const struct table_pane *base, const void *row)
{
	return totals_is_ended_group(row_of(base, row));
}

static void cell(struct table_pane *base, const void *of, int column_id, struct table_cell *out)
{
	const struct process_line *line = line_of(base, of);

	if (!pane_of(base)->counted && totals_is_figure((enum totals_column)column_id)) {
		str_add(&out->text, "…");
		out->role = ROLE_DIM;
		return;
	}
	if (line && column_id == TOTALS_NAME)
		process_tree_add_guides(line, &out->text);
	totals_cell_text(row_of(base, of), pane_of(base)->group, (enum totals_column)column_id,
			 out);
	if (!line || column_id != TOTALS_NAME)
		return;
	if (line->own->tid)
		out->role = ROLE_TEXT;
	if (line->has_children && !line->open)
		str_addf(&out->text, " +%u", line->below);
}

static int compare(const struct table_pane *base, const void *a, const void *b, int column_id)
{
	return totals_compare(row_of(base, a), row_of(base, b), (enum totals_column)column_id);
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	const struct totals_pane *pane = pane_of(base);
	const struct session *session = base->session;
	const struct engine_query *query = &pane->totals.query;

	if (pane->leader && pane->of_syscall && pane->led)
		str_addf(title, "Callers of %s: %zu",
			 syscalls_info(engine_syscalls(session->engine), query->nr)->name,
			 base->count);
	else if (pane->leader && pane->of_syscall)
		str_add(title, "Its callers");
	else if (pane->leader && pane->led && query->pid >= ENGINE_GROUP_PID)
		str_addf(title, "System calls of exited processes: %zu", base->count);
	else if (pane->leader && pane->led)
		str_addf(title, "System calls of %s %u: %zu", query->tid ? "thread" : "process",
			 query->tid ? query->tid : query->pid, base->count);
	else if (pane->leader)
		str_add(title, "Its system calls");
	else
		str_addf(title, "%s %" PRIu64 "%s", totals_group_title(pane->group), pane->whole,
			 pane->counted ? "" : "…");
	if (pane->shows_tree)
		str_addf(right, "tree%s, ", pane->has_threads ? " with threads" : "");
	if (!pane->counted && base->count) {
		session_add_counting(session, right);
		str_add(right, ", ");
	} else if (model_status_losses(&session->status.model)) {
		str_add(right, "lower bounds, ");
	}
	table_pane_say_order(base, totals_column_name((enum totals_column)base->table.sort_column),
			     right);
}

static void arrange_flat(struct totals_pane *pane, const struct process_order *order)
{
	struct table_pane *base = &pane->base;

	pane->ranks = mem_grow(pane->ranks, &pane->rank_capacity, base->count + 1,
			       sizeof(*pane->ranks));
	for (size_t i = 0; i < base->count; i++)
		pane->ranks[i] = (struct totals_order){ .row = base->rows[i],
							.id = row_id(base, base->rows[i]) };
	totals_order_sort(pane->ranks, base->count, order->column, order->descending);
	for (size_t i = 0; i < base->count; i++)
		base->rows[i] = pane->ranks[i].row;
}

static void arrange(struct table_pane *base)
{
	struct totals_pane *pane = (struct totals_pane *)base;
	struct process_order order = { (enum totals_column)base->table.sort_column,
				       base->table.sort_descending };

	if (!pane->shows_tree) {
		arrange_flat(pane, &order);
		return;
	}
	process_tree_build(&pane->tree, pane->totals.rows, pane->totals.count,
			   pane->has_threads ? pane->threads.rows : NULL, pane->threads.count,
			   &order);
	table_pane_resize(base, pane->tree.count);
	for (size_t i = 0; i < pane->tree.count; i++)
		base->rows[i] = &pane->tree.lines[i];
}

static void add_fields(const struct table_pane *base, const void *of, struct fields *fields)
{
	const struct totals_pane *pane = pane_of(base);

	totals_fields_add_whose(fields, row_of(base, of),
				pane->group == ENGINE_BY_SYSCALL || pane->totals.query.one_syscall);
	totals_fields_add(fields, row_of(base, of), pane->counted);
}

static const struct table_pane_ops table_ops = {
	.row_type = "sum",
	.fields = add_fields,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.compare = compare,
	.arrange = arrange,
	.is_past = is_past,
};

/* ---- rows ---- */

static void say_why_empty(const struct totals_pane *pane, const struct session *session,
			  struct str *out)
{
	if (session->phase == SESSION_RUNNING && pane->leader && !pane->led)
		str_add(out,
			pane->of_syscall ? "select a system call above" : "select a process above");
	else if (session->phase == SESSION_RUNNING && !pane->counted)
		session_add_counting(session, out);
	else if (session->phase == SESSION_RUNNING && pane->leader &&
		 !filter_stack_filter(&session->filter_stack))
		str_add(out, pane->of_syscall ? "no callers seen" : "no calls seen");
	else
		empty_reason_say(session, EMPTY_TOTALS, out);
}

/* Build the query from the selection of the leader. The old rows stay until new ones arrive. */
static void follow_selection(struct totals_pane *pane)
{
	struct table_pane *leader = &pane->leader->base;
	const void *selected = table_pane_selected_row(leader);
	const struct engine_row *row = selected ? row_of(leader, selected) : NULL;

	if (pane->of_syscall) {
		pane->led = row && pane->leader->group == ENGINE_BY_SYSCALL;
		pane->wanted.one_syscall = true;
		pane->wanted.nr = row ? row->nr : 0;
	} else {
		pane->led = row && row->pid;
		pane->wanted.pid = row ? row->pid : 0;
		pane->wanted.tid = row ? row->tid : 0;
	}
}

static bool is_tree(const struct totals_pane *pane)
{
	return pane->is_tree && pane->wanted.group == ENGINE_BY_PROCESS;
}

static bool read_sums(struct totals_pane *pane, struct session *session)
{
	static const struct engine_query threads = { .group = ENGINE_BY_THREAD };
	bool news;

	pane->wanted.parents = is_tree(pane);
	news = totals_query_refresh(&pane->totals, session, &pane->wanted);
	if (is_tree(pane) && pane->has_threads)
		news = totals_query_refresh(&pane->threads, session, &threads) || news;
	return news;
}

static void sort_by_shown(struct totals_pane *pane)
{
	struct table *table = &pane->base.table;
	const struct table_column *column = pane->columns;

	while (column->id != table->sort_column)
		column++;
	if (!column->hidden)
		return;
	table->sort_column = (int)pane->def.sort;
	table->sort_descending = true;
}

static void take_rows(struct totals_pane *pane, const struct session *session)
{
	struct table_pane *base = &pane->base;
	bool regrouped = pane->group != pane->totals.query.group;
	bool empty = pane->leader && !pane->led;

	pane->group = pane->totals.query.group;
	pane->shows_tree = is_tree(pane) && pane->group == ENGINE_BY_PROCESS;
	if (regrouped)
		table_deselect(&base->table);
	totals_columns_fit(pane->columns, pane->def.style, pane->group, pane->totals.rows,
			   empty ? 0 : pane->totals.count, session->status.source.has_waits);
	sort_by_shown(pane);
	table_pane_resize(base, empty ? 0 : pane->totals.count);
	for (size_t i = 0; i < base->count; i++)
		base->rows[i] = &pane->totals.rows[i];
	pane->whole = 0;
	for (size_t i = 0; i < base->count; i++)
		pane->whole += pane->group == ENGINE_BY_PROCESS &&
					       pane->totals.rows[i].ended_processes
				       ? pane->totals.rows[i].ended_processes
				       : 1;
	table_pane_sort(base);
}

static void group_by(void *self, struct session *session, enum engine_group group)
{
	struct totals_pane *pane = self;

	pane->wanted.group = group;
	pane->has_entered = false;
	session->dirty = true;
}

static void refresh(void *self, struct session *session)
{
	struct totals_pane *pane = self;
	bool led = pane->led, news = false;

	table_pane_refresh(&pane->base, session);
	if (pane->has_entered && session->filter_stack.count < pane->entered_steps)
		group_by(pane, session, pane->entered);
	if (pane->leader)
		follow_selection(pane);
	if (!pane->leader || pane->led)
		news = read_sums(pane, session);
	pane->counted = totals_query_is_counted(&pane->totals, session) &&
			(!pane->has_threads || !pane->shows_tree ||
			 totals_query_is_counted(&pane->threads, session));
	if (news || led != pane->led)
		take_rows(pane, session);
	say_why_empty(pane, session, &pane->base.empty_text);
}

/* ---- actions ---- */

static const struct process_line *selected_line(struct totals_pane *pane, size_t *place)
{
	return pane->shows_tree && table_pane_selected(&pane->base, place)
		       ? &pane->tree.lines[*place]
		       : NULL;
}

/* Folding a row also pins the selection to it. */
static void refold(struct totals_pane *pane)
{
	pane->base.table.pinned = pane->base.table.has_selection;
	table_pane_sort(&pane->base);
}

static bool fold(struct totals_pane *pane)
{
	size_t place, parent;
	const struct process_line *line = selected_line(pane, &place);

	if (!line)
		return false;
	if (line->open) {
		process_tree_fold(&pane->tree, line, true);
		refold(pane);
		return true;
	}
	return process_tree_parent(&pane->tree, place, &parent) &&
	       table_select(&pane->base.table, pane->tree.lines[parent].id);
}

static bool unfold(struct totals_pane *pane)
{
	size_t place;
	const struct process_line *line = selected_line(pane, &place);

	if (!line || !line->has_children || line->open)
		return false;
	process_tree_fold(&pane->tree, line, false);
	refold(pane);
	return true;
}

static bool act_on_tree(struct totals_pane *pane, enum action action)
{
	size_t place;

	if (!pane->shows_tree)
		return false;
	switch (action) {
	case ACTION_LEFT:
		return !pane->base.table.left_cols && fold(pane);
	case ACTION_RIGHT:
		return unfold(pane);
	case ACTION_FOLD:
		fold(pane);
		return true;
	case ACTION_UNFOLD:
		unfold(pane);
		return true;
	case ACTION_UNFOLD_ENTRY:
		if (selected_line(pane, &place))
			process_tree_unfold_entry(&pane->tree, place);
		break;
	case ACTION_UNFOLD_ALL:
		process_tree_unfold_all(&pane->tree);
		break;
	case ACTION_FOLD_ALL:
		process_tree_fold_all(&pane->tree);
		break;
	default:
		return false;
	}
	refold(pane);
	return true;
}

/* A pane that follows another one has no tree: its rows are parts of processes. */
static bool may_be_tree(const struct totals_pane *pane)
{
	return !pane->leader && pane->def.groups & TOTALS_BY(ENGINE_BY_PROCESS);
}

static void switch_tree(struct totals_pane *pane, struct session *session)
{
	pane->is_tree = !is_tree(pane);
	if (pane->is_tree)
		group_by(pane, session, ENGINE_BY_PROCESS);
	session_say(session, ROLE_TEXT,
		    pane->is_tree ? "Processes as a tree" : "Processes as a table");
	take_rows(pane, session);
}

/* Without a tree, thread rows replace process rows. */
static void switch_threads(struct totals_pane *pane, struct session *session)
{
	if (is_tree(pane)) {
		pane->has_threads = !pane->has_threads;
		session_say(session, ROLE_TEXT,
			    pane->has_threads ? "With threads" : "Without threads");
		take_rows(pane, session);
		return;
	}
	group_by(pane, session,
		 pane->wanted.group == ENGINE_BY_THREAD ? ENGINE_BY_PROCESS : ENGINE_BY_THREAD);
}

/*
 * Drill into a group: narrow the filter to it and show its processes. False: no row is selected, or
 * the row is a process, thread or system call.
 */
static bool enter(struct totals_pane *pane, struct session *session)
{
	const void *selected = table_pane_selected_row(&pane->base);
	enum engine_group group = pane->group;
	struct selection chosen = { .pid = 0 };

	if (!selected ||
	    TOTALS_BY(group) & (TOTALS_BY(ENGINE_BY_PROCESS) | TOTALS_BY(ENGINE_BY_THREAD) |
				TOTALS_BY(ENGINE_BY_SYSCALL)))
		return false;
	totals_selection(row_of(&pane->base, selected), &pane->totals.query, &chosen);
	chosen.has_nr = false;
	if (!quick_term_enter(session, &chosen))
		return true;
	group_by(pane, session, ENGINE_BY_PROCESS);
	pane->has_entered = true;
	pane->entered = group;
	pane->entered_steps = session->filter_stack.count;
	return true;
}

static bool act(void *self, struct session *session, enum action action)
{
	struct totals_pane *pane = self;

	if (act_on_tree(pane, action) || (action == ACTION_DRILL_IN && enter(pane, session)))
		return true;
	if (action == ACTION_TREE && may_be_tree(pane))
		switch_tree(pane, session);
	else if (action == ACTION_THREADS && may_be_tree(pane))
		switch_threads(pane, session);
	else
		return table_pane_act(pane, session, action);
	return true;
}

/* Return the line whose fold sign is at this position: before the name, after the guides. */
static const struct process_line *sign_at(struct totals_pane *pane, int row, int col)
{
	const struct process_line *line;
	struct table_hit hit;
	int sign;

	if (!pane->shows_tree || row < pane->base.above_rows)
		return NULL;
	hit = table_at(&pane->base.table, row - pane->base.above_rows, col);
	if (hit.kind != TABLE_HIT_ROW || hit.column_id != TOTALS_NAME)
		return NULL;
	line = &pane->tree.lines[hit.row];
	sign = process_tree_sign_col(line);
	return line->has_children && hit.cell_col >= sign && hit.cell_col <= sign + 1 ? line : NULL;
}

static bool is_sign(void *self, int row, int col)
{
	return sign_at(self, row, col);
}

static void click(void *self, struct session *session, int row, int col)
{
	struct totals_pane *pane = self;
	const struct process_line *line;

	table_pane_click(pane, session, row, col);
	line = sign_at(pane, row, col);
	if (!line)
		return;
	process_tree_fold(&pane->tree, line, line->open);
	refold(pane);
}

static unsigned groups(void *self, enum engine_group *group)
{
	const struct totals_pane *pane = self;

	*group = pane->wanted.group;
	return pane->def.groups;
}

/* ---- selection ---- */

static bool selection(void *self, struct session *session, struct selection *out, struct call *call,
		      bool *has_call)
{
	struct totals_pane *pane = self;
	const void *selected = table_pane_selected_row(&pane->base);
	const struct process_line *line = selected ? line_of(&pane->base, selected) : NULL;

	(void)session;
	(void)call;
	*has_call = false;
	if (!selected)
		return false;
	totals_selection(row_of(&pane->base, selected), &pane->totals.query, out);
	out->has_descendants = line && line->has_children && !line->open && !line->own->tid;
	return true;
}

static void terms(void *self, struct session *session, struct row_terms *out)
{
	struct totals_pane *pane = self;
	const void *selected = table_pane_selected_row(&pane->base);

	(void)session;
	if (selected)
		totals_add_terms(row_of(&pane->base, selected), pane->group, out);
}

static void pane_free(void *self)
{
	struct totals_pane *pane = self;

	table_pane_release(&pane->base);
	totals_query_release(&pane->totals);
	totals_query_release(&pane->threads);
	process_tree_release(&pane->tree);
	free(pane->ranks);
	free(pane);
}

static const struct pane_ops ops = {
	.draw = table_pane_draw,
	.click = click,
	.drag = table_pane_drag,
	.wheel = table_pane_wheel,
	.search = table_pane_search,
	.row_text = table_pane_row_text,
	.table = table_pane_table,
	.exports = table_pane_exports,
	.is_sign = is_sign,
	.act = act,
	.sort_by = table_pane_sort_by,
	.groups = groups,
	.group_by = group_by,
	.refresh = refresh,
	.selection = selection,
	.terms = terms,
	.free = pane_free,
};

static struct totals_pane *make(const struct totals_pane_def *def)
{
	struct totals_pane *pane = mem_zalloc(1, sizeof(*pane));

	pane->def = *def;
	pane->group = pane->wanted.group = def->group;
	pane->is_tree = def->tree;
	totals_columns_fill(pane->columns, def->style, def->group);
	table_pane_init(&pane->base, &table_ops, pane->columns, TOTALS_COLUMN_COUNT);
	pane->base.table.name = def->name;
	pane->base.table.sort_column = (int)def->sort;
	pane->base.table.sort_descending = true;
	totals_query_init(&pane->totals);
	totals_query_init(&pane->threads);
	process_tree_init(&pane->tree);
	return pane;
}

struct pane totals_pane_new(const struct totals_pane_def *def)
{
	return (struct pane){ &ops, make(def) };
}

struct pane totals_pane_new_users(const struct totals_pane_def *def, struct pane syscalls)
{
	struct totals_pane *pane = make(def);

	pane->leader = syscalls.self;
	pane->of_syscall = true;
	return (struct pane){ &ops, pane };
}

struct pane totals_pane_new_syscalls(const struct totals_pane_def *def, struct pane processes)
{
	struct totals_pane *pane = make(def);

	pane->leader = processes.self;
	return (struct pane){ &ops, pane };
}
