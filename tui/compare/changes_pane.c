#include "tui/compare/changes_pane.h"

#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/compare/changes.h"
#include "tui/compare/changes_columns.h"
#include "tui/compare/comparison_words.h"
#include "tui/view/quick_terms.h"
#include "tui/view/table_pane.h"
#include "tui/view/totals_pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pane with fewer rows omits the names of the sides, so that the table has room. */
#define SIDES_FROM_ROWS 8
#define PIDS_MAX 16
#define UNKNOWN "(unknown)"

struct changes_pane {
	struct table_pane base; /* rows: struct comparison_row */
	struct changes_pane *leader; /* the rows are parts of its selected row; NULL: none */
	enum engine_group group; /* by call or by comm; with a leader: not the leader's grouping */
	bool focused;
	struct comparison *of; /* comparison of the rows; a reference, NULL: none */
	bool stale; /* the rows have an outdated grouping or leader row */
	struct comparison_row led; /* with leader: its selected row */
	bool has_led;
};

static const struct changes_pane *pane_of(const struct table_pane *base)
{
	return (const struct changes_pane *)base;
}

static const struct comparison *comparison_of(const struct table_pane *base)
{
	return pane_of(base)->of;
}

static const char *name_of(const struct changes_pane *pane, const struct comparison_row *row)
{
	if (pane->group == ENGINE_BY_SYSCALL)
		return row->name;
	return *row->comm ? row->comm : UNKNOWN;
}

/* ---- callbacks of the table ---- */

static uint64_t row_id(const struct table_pane *base, const void *row)
{
	const struct changes_pane *pane = pane_of(base);

	return totals_name_id(name_of(pane, row)) ^ (uint64_t)pane->group;
}

static void cell(struct table_pane *base, const void *row, int column_id, struct table_cell *out)
{
	changes_cell(comparison_of(base), row, name_of(pane_of(base), row),
		     (enum changes_column)column_id, out);
}

static int compare(const struct table_pane *base, const void *a, const void *b, int column_id)
{
	const struct changes_pane *pane = pane_of(base);

	if (column_id == CHANGES_NAME)
		return strcmp(name_of(pane, a), name_of(pane, b));
	return changes_compare(comparison_of(base), a, b, (enum changes_column)column_id);
}

static size_t count_changed(const struct table_pane *base)
{
	size_t count = 0;

	for (size_t i = 0; i < base->count; i++)
		count += ((const struct comparison_row *)base->rows[i])->changes != 0;
	return count;
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	const struct changes_pane *pane = pane_of(base);
	bool calls = pane->group == ENGINE_BY_SYSCALL;

	if (!pane->leader && !base->count)
		str_add(title, "Changes");
	else if (!pane->leader)
		str_addf(title, "Changes of %zu %s: %zu changed", base->count,
			 calls ? "system calls" : "process names", count_changed(base));
	else if (!pane->has_led)
		str_add(title, calls ? "Its system calls" : "Its callers");
	else if (calls)
		str_addf(title, "System calls of %s: %zu", name_of(pane->leader, &pane->led),
			 base->count);
	else
		str_addf(title, "Callers of %s: %zu", pane->led.name, base->count);
	table_pane_say_order(base, NULL, right);
}

static void add_side(struct str *out, const struct comparison *comparison, int which)
{
	const struct comparison_side *side = &comparison->sides[which];
	char count[UNITS_TEXT_BYTES], time[UNITS_TEXT_BYTES];

	str_addf(out, "%c %s: %s calls in %s", 'A' + which, side->file,
		 units_format_count(count, side->calls),
		 units_format_ns(time, (uint64_t)(side->seconds * 1e9)));
	if (side->lost)
		str_addf(out, ", %s lost", units_format_count(count, side->lost));
}

/* Draw the names of the sides and the change of the rate of all calls. Return the rows used. */
static int draw_sides(struct table_pane *base, struct canvas *canvas)
{
	const struct changes *changes = base->session->changes;
	const struct comparison *of = comparison_of(base);
	struct str text = STR_INIT;
	int rows = 0;

	if (!of || canvas->rows < SIDES_FROM_ROWS)
		return 0;
	add_side(&text, of, COMPARISON_A);
	str_add(&text, "  →  ");
	add_side(&text, of, COMPARISON_B);
	canvas_text(canvas, ++rows, 1, ROLE_TEXT, text.data);
	str_clear(&text);
	if (comparison_add_rate(&text, of))
		canvas_text(canvas, ++rows, 1, ROLE_DIM, text.data);
	if (changes->status.note[0])
		canvas_textf(canvas, ++rows, 1, ROLE_WARN, "%c: %s", 'A' + !changes->own,
			     changes->status.note);
	str_release(&text);
	return rows;
}

static void add_fields(const struct table_pane *base, const void *row, struct fields *fields)
{
	changes_add_fields(fields, comparison_of(base), row);
}

static const struct table_pane_ops table_ops = {
	.name = "changes",
	.row_type = "change",
	.fields = add_fields,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.compare = compare,
	.draw_above = draw_sides,
};

static const struct table_pane_ops parts_ops = {
	.name = "change_parts",
	.row_type = "change",
	.fields = add_fields,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.compare = compare,
};

/* ---- rows ---- */

static void add_row(struct table_pane *base, const struct comparison_row *row)
{
	base->rows[base->count++] = row;
}

static bool is_part(const struct changes_pane *pane, const struct comparison_row *row)
{
	if (!row->comm || !pane->has_led)
		return false;
	return pane->group == ENGINE_BY_SYSCALL ? !strcmp(row->comm, pane->led.comm)
						: row->nr == pane->led.nr;
}

static void take_rows(struct changes_pane *pane)
{
	struct table_pane *base = &pane->base;
	const struct comparison *comparison = pane->of;

	pane->stale = false;
	base->count = 0;
	if (!comparison)
		return;
	table_pane_resize(base, comparison->count + comparison->comm_count);
	base->count = 0;
	for (size_t i = 0; i < comparison->count; i++)
		if (pane->leader ? is_part(pane, &comparison->rows[i])
				 : pane->group == ENGINE_BY_SYSCALL && !comparison->rows[i].comm)
			add_row(base, &comparison->rows[i]);
	for (size_t i = 0;
	     !pane->leader && pane->group == ENGINE_BY_COMM && i < comparison->comm_count; i++)
		add_row(base, &comparison->comms[i]);
	table_pane_sort(base);
}

/* Switch to `shown`. True: the comparison changed; there are no rows until take_rows(). */
static bool take_comparison(struct changes_pane *pane, struct comparison *shown)
{
	if (pane->of == shown)
		return false;
	/* The leader's row refers to names of the previous comparison. */
	pane->has_led = false;
	pane->base.count = 0;
	comparison_unref(pane->of);
	pane->of = comparison_ref(shown);
	return true;
}

static void refresh_rows(struct changes_pane *pane, struct comparison *shown)
{
	if (take_comparison(pane, shown) || pane->stale)
		take_rows(pane);
}

/* Update the leader's row. True: it is another row, so the parts are outdated. */
static bool follow(struct changes_pane *pane)
{
	const struct comparison_row *row;
	enum engine_group group;
	bool same;

	if (!pane->leader)
		return false;
	row = table_pane_selected_row(&pane->leader->base);
	group = pane->leader->group == ENGINE_BY_SYSCALL ? ENGINE_BY_COMM : ENGINE_BY_SYSCALL;
	same = pane->group == group && pane->has_led == (row != NULL) &&
	       (!row || (group == ENGINE_BY_COMM ? row->nr == pane->led.nr
						 : !strcmp(row->comm, pane->led.comm)));
	pane->group = group;
	pane->has_led = row != NULL;
	if (row)
		pane->led = *row; /* names are valid while both panes hold the same comparison */
	return !same;
}

static void refresh(void *self, struct session *session)
{
	struct changes_pane *pane = self;
	const struct changes *changes = session->changes;

	table_pane_refresh(&pane->base, session);
	if (pane->leader) {
		/* Refresh the leader's rows first: both tables must show the same comparison. */
		refresh_rows(pane->leader, changes->shown);
		pane->stale = take_comparison(pane, changes->shown) || pane->stale;
		pane->stale = follow(pane) || pane->stale;
	}
	refresh_rows(pane, changes->shown);
	if (pane->leader)
		str_add(&pane->base.empty_text, "nothing selected in the other table");
	else
		changes_say_why(changes, session, &pane->base.empty_text);
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	((struct changes_pane *)self)->focused = focused;
	table_pane_draw(self, session, canvas, focused);
}

/* ---- actions ---- */

/*
 * Find the pids of the processes with this comm, including ended ones. 0: there are none, or more
 * than PIDS_MAX, or some of them share a row, which then has no pid.
 */
static size_t find_pids(const struct comparison_side *side, const char *comm,
			uint32_t pids[PIDS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < side->process_count; i++) {
		if (!side->processes[i].calls || strcmp(side->processes[i].name, comm))
			continue;
		if (count == PIDS_MAX || side->processes[i].pid >= ENGINE_GROUP_PID)
			return 0;
		pids[count++] = side->processes[i].pid;
	}
	return count;
}

/* Append a term for the processes with this comm. False: the comm cannot be typed. */
static bool add_comm_term(const struct changes *changes, const struct comparison *of,
			  const char *comm, struct str *out)
{
	uint32_t pids[PIDS_MAX];
	size_t count = 0;

	/* Threads can have other comms, so in a recording the term names the processes by pid. */
	if (!changes->live)
		count = find_pids(&of->sides[changes->own], comm, pids);
	if (count == 1) {
		str_addf(out, "pid == %u", pids[0]);
	} else if (count) {
		for (size_t i = 0; i < count; i++)
			str_addf(out, "%s%u", i ? ", " : "pid in {", pids[i]);
		str_addc(out, '}');
	} else {
		if (!*comm || strpbrk(comm, "\\\""))
			return false;
		str_addf(out, "comm == \"%s\"", comm);
	}
	return true;
}

static void enter(struct changes_pane *pane, struct session *session)
{
	const struct changes *changes = session->changes;
	const struct comparison_row *row = table_pane_selected_row(&pane->base);
	struct str term = STR_INIT;
	bool can = true;

	if (!row) {
		session_say(session, ROLE_WARN, "Nothing selected: go to a row with the arrows");
		return;
	}
	if (!row->sides[changes->own]) {
		session_say(session, ROLE_WARN, "No such calls in %s",
			    pane->of->sides[changes->own].file);
		return;
	}
	if (row->comm)
		can = add_comm_term(changes, pane->of, row->comm, &term);
	if (row->name)
		str_addf(&term, "%ssyscall == %s", term.len ? " and " : "", row->name);
	if (can) {
		quick_term_take(session, term.data);
		session->to_calls = true;
	} else {
		session_say(session, ROLE_WARN, "The name of this row cannot be used in a filter");
	}
	str_release(&term);
}

static bool act(void *self, struct session *session, enum action action)
{
	if (action != ACTION_DRILL_IN)
		return table_pane_act(self, session, action);
	enter(self, session);
	return true;
}

static unsigned groups(void *self, enum engine_group *group)
{
	const struct changes_pane *pane = self;

	*group = pane->group;
	return pane->leader ? 0 : TOTALS_BY(ENGINE_BY_SYSCALL) | TOTALS_BY(ENGINE_BY_COMM);
}

static void group_by(void *self, struct session *session, enum engine_group group)
{
	struct changes_pane *pane = self;

	if (pane->group != group)
		table_deselect(&pane->base.table);
	pane->group = group;
	pane->stale = true;
	session->dirty = true;
}

static bool selection(void *self, struct session *session, struct selection *out, struct call *call,
		      bool *has_call)
{
	struct changes_pane *pane = self;
	const struct comparison_row *row = table_pane_selected_row(&pane->base);

	(void)session;
	(void)call;
	*has_call = false;
	if (!row)
		return false;
	out->chosen = true;
	out->has_nr = row->name != NULL;
	out->nr = row->nr;
	out->has_comm = row->comm && *row->comm;
	if (out->has_comm)
		snprintf(out->comm, sizeof(out->comm), "%s", row->comm);
	return true;
}

static void pane_free(void *self)
{
	comparison_unref(((struct changes_pane *)self)->of);
	table_pane_release(self);
	free(self);
}

static const struct pane_ops ops = {
	.draw = draw,
	.click = table_pane_click,
	.drag = table_pane_drag,
	.wheel = table_pane_wheel,
	.search = table_pane_search,
	.row_text = table_pane_row_text,
	.table = table_pane_table,
	.exports = table_pane_exports,
	.act = act,
	.sort_by = table_pane_sort_by,
	.groups = groups,
	.group_by = group_by,
	.refresh = refresh,
	.selection = selection,
	.free = pane_free,
};

static struct changes_pane *make(const struct table_pane_ops *of, enum engine_group group)
{
	struct changes_pane *pane = mem_zalloc(1, sizeof(*pane));

	table_pane_init(&pane->base, of, changes_columns, CHANGES_COLUMN_COUNT);
	pane->base.table.sort_column = CHANGES_WHAT;
	pane->base.table.sort_descending = true;
	pane->group = group;
	return pane;
}

struct pane changes_pane_new(void)
{
	return (struct pane){ &ops, make(&table_ops, ENGINE_BY_SYSCALL) };
}

struct pane changes_pane_new_parts(struct pane leader)
{
	struct changes_pane *pane = make(&parts_ops, ENGINE_BY_COMM);

	pane->leader = leader.self;
	return (struct pane){ &ops, pane };
}

const struct comparison_row *changes_pane_selected(struct pane pane)
{
	return table_pane_selected_row(&((struct changes_pane *)pane.self)->base);
}

bool changes_pane_has_focus(struct pane pane)
{
	return ((struct changes_pane *)pane.self)->focused;
}
