#include "tui/panes/stacks_pane.h"

#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/session/empty_reason.h"
#include "tui/session/key_name.h"
#include "tui/view/tree_pane.h"

#include <stdlib.h>

static const char *const weight_titles[WEIGHT_COUNT] = {
	[WEIGHT_TIME] = "BLOCKED",
	[WEIGHT_CALLS] = "CALLS",
	[WEIGHT_ERRORS] = "ERRORS",
};

struct stacks_pane {
	struct tree_pane base;
	enum stack_weight weight;
	bool chosen; /* the user chose the weight */
	bool begun;
};

/* Restart the sums if they are outdated, for example after a filter change. */
static void begin(struct stacks_pane *pane, struct session *session)
{
	bool stale = tree_pane_is_stale(&pane->base, session);

	if (pane->begun && !stale)
		return;
	pane->begun = true;
	blocked_stacks_begin_all(&pane->base.blocked, session);
	pane->base.changed = true;
}

static void say_title(struct stacks_pane *pane)
{
	struct tree_pane *base = &pane->base;
	struct str *out = &base->title;
	bool waited = base->blocked.blocked_ns;
	uint64_t total = history_scan_scale(&base->blocked.scan, base->total);
	const char *sign = history_scan_sign(&base->blocked.scan);
	char text[UNITS_TEXT_BYTES];

	str_addf(out, "Stacks %zu", base->stacks);
	if (pane->weight == WEIGHT_TIME)
		str_addf(out, ": blocked %s%s", sign, units_format_ns(text, total));
	else
		str_addf(out, ": %s%s %scalls%s", sign, units_format_count(text, total),
			 pane->weight == WEIGHT_CALLS ? "" : "failed ",
			 waited ? " that waited" : "");
	history_scan_add_sample(&base->blocked.scan, out);
	if (base->left_out)
		str_addf(out, ", the lightest %zu left out", base->left_out);
}

static void say_why_empty(struct stacks_pane *pane, const struct session *session)
{
	struct tree_pane *base = &pane->base;
	struct str *out = &base->empty_text;
	char key[KEY_NAME_TEXT_BYTES];

	if (empty_reason_say_no_stacks(session, out))
		return;
	if (session->halves != HALVES_BOTH && base->total)
		empty_reason_say_half(session, out);
	else if (!base->blocked.scan.complete)
		str_add(out, "searching the history…");
	else if (pane->weight == WEIGHT_ERRORS && base->blocked.calls) {
		str_addf(out, "no call that waited has failed (%s changes the weight)",
			 key_name(key, session, ACTION_STACK_WEIGHT));
	} else {
		empty_reason_say(session, EMPTY_STACKS, out);
	}
}

static void weigh(struct stacks_pane *pane, enum stack_weight weight)
{
	pane->weight = weight;
	pane->base.columns[STACK_COLUMN_TIME].title = weight_titles[weight];
	pane->base.changed = true;
}

static void choose(struct stacks_pane *pane, enum stack_weight weight)
{
	pane->chosen = true;
	weigh(pane, weight);
}

/*
 * Weight by calls if no call has waited: a recording can have stacks without wait times. The first
 * calls of a source often have no waits, so a later wait switches back to time.
 */
static void weigh_what_is_there(struct stacks_pane *pane)
{
	const struct blocked_stacks *blocked = &pane->base.blocked;
	enum stack_weight weight = blocked->blocked_ns ? WEIGHT_TIME : WEIGHT_CALLS;

	if (!pane->chosen && blocked->scan.complete && blocked->calls && weight != pane->weight)
		weigh(pane, weight);
}

static void refresh(void *self, struct session *session)
{
	struct stacks_pane *pane = self;
	struct tree_pane *base = &pane->base;

	tree_pane_refresh(base, session);
	if (session->phase == SESSION_RUNNING) {
		begin(pane, session);
		weigh_what_is_there(pane);
		tree_pane_work(base, session, pane->weight);
	}
	say_title(pane);
	tree_pane_say_state(base, session, &base->right);
	str_addf(&base->right, "%s%s", base->right.len ? ", " : "",
		 base->nodes.inverted ? "from main to wait" : "from wait to main");
	say_why_empty(pane, session);
}

static bool act(void *self, struct session *session, enum action action)
{
	struct stacks_pane *pane = self;
	struct tree_pane *base = &pane->base;

	switch (action) {
	case ACTION_STACK_WEIGHT:
		choose(pane, (pane->weight + 1) % WEIGHT_COUNT);
		return true;
	case ACTION_STACK_INVERT:
		stack_nodes_set_inverted(&base->nodes, !base->nodes.inverted);
		tree_forget(&base->tree);
		base->changed = true;
		return true;
	default:
		return tree_pane_act(base, session, action);
	}
}

/* A click on CALLS selects that weight; a click on the header of the weight selects the next. */
static void click(void *self, struct session *session, int row, int col)
{
	struct stacks_pane *pane = self;
	struct table_hit hit = tree_pane_hit(&pane->base, row, col);

	(void)session;
	if (hit.kind != TABLE_HIT_HEADER)
		return;
	if (hit.column_id == STACK_COLUMN_CALLS)
		choose(pane, WEIGHT_CALLS);
	else if (hit.column_id == STACK_COLUMN_TIME)
		choose(pane, (pane->weight + 1) % WEIGHT_COUNT);
}

static void pane_free(void *self)
{
	tree_pane_release(self);
	free(self);
}

static const struct pane_ops ops = {
	TREE_PANE_VERBS, .refresh = refresh,           .act = act,
	.click = click,  .is_sign = tree_pane_is_sign, .free = pane_free,
};

static const struct layout_node layout[] = {
	{ .kind = LAYOUT_PANE, .pane = 0, .min_rows = 1, .min_cols = 1, .weight = 1 },
};

static const enum action keys[] = {
	ACTION_STACK_WEIGHT,    ACTION_STACK_INVERT, ACTION_STACK_HALVES,
	ACTION_STACK_ADDRESSES, ACTION_UNFOLD,       ACTION_FOLD,
	ACTION_UNFOLD_ENTRY,    ACTION_UNFOLD_ALL,   ACTION_FOLD_ALL,
};

static const struct view_def view_def = {
	.action = ACTION_VIEW_STACKS,
	.title = "Stacks",
	.help = "Where the calls that match the filter wait, as one tree: heaviest branch first, "
		"callers below each frame.",
	VIEW_KEYS(keys),
	.wide = layout,
	.wide_count = 1,
};

void stacks_view_init(struct view *view)
{
	struct stacks_pane *pane = mem_zalloc(1, sizeof(*pane));
	struct pane panes[] = { { &ops, pane } };

	tree_pane_init(&pane->base, "stacks");
	weigh(pane, WEIGHT_TIME);
	view_init(view, &view_def, panes, 1);
}
