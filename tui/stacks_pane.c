#include "tui/stacks_pane.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/blocked_stacks.h"
#include "tui/tree_actions.h"
#include "widgets/title.h"

#include <stdlib.h>
#include <string.h>

/* As in the overview: nobody reads a tree that changes more often. */
#define REBUILD_NS (500 * NS_PER_MS)

static const char *const weight_titles[WEIGHT_COUNT] = {
	[WEIGHT_TIME] = "BLOCKED",
	[WEIGHT_CALLS] = "CALLS",
	[WEIGHT_ERRORS] = "ERRORS",
};

struct stacks_pane {
	struct tree tree;
	struct table_column columns[STACK_COLUMN_COUNT];
	struct stack_nodes nodes;
	struct blocked_stacks blocked;
	enum stack_weight weight;
	bool begun, grown, changed; /* changed: by a key, shown at once */
	uint64_t built_ns, total;
	size_t left_out;
	uint64_t symbols_version, filter_version, zero_version;
	enum session_halves halves;
	struct str title, empty_text;
};

static void build(struct stacks_pane *pane, struct session *session)
{
	/* Before the names are read: what is answered meanwhile is news then. */
	pane->symbols_version = engine_symbols_version(session->engine);
	pane->total = blocked_stacks_tree(&pane->blocked, session, pane->weight,
					  stack_nodes_clear(&pane->nodes), &pane->left_out);
	stack_nodes_index(&pane->nodes);
	tree_refresh(&pane->tree);
	pane->grown = pane->changed = false;
	pane->built_ns = session->clock_ns;
	pane->halves = session->halves;
}

/* Everything anew where what was summed up is not what matches now. */
static void begin(struct stacks_pane *pane, struct session *session)
{
	if (pane->begun && pane->filter_version == session->filter_version &&
	    pane->zero_version == session->zero_version)
		return;
	pane->begun = true;
	pane->filter_version = session->filter_version;
	pane->zero_version = session->zero_version;
	blocked_stacks_begin_all(&pane->blocked, session);
	pane->changed = true;
}

static bool is_due(const struct stacks_pane *pane, const struct session *session)
{
	bool rested = session->clock_ns - pane->built_ns >= REBUILD_NS;
	bool named = pane->symbols_version != engine_symbols_version(session->engine);

	return pane->changed || pane->halves != session->halves ||
	       (pane->grown && !pane->nodes.count) ||
	       (rested && (!session->paused || pane->grown || named));
}

static void say_title(struct stacks_pane *pane)
{
	struct str *out = &pane->title;
	char text[UNITS_TEXT_BYTES];

	str_clear(out);
	str_addf(out, "Stacks %zu", pane->blocked.count);
	if (pane->weight == WEIGHT_TIME)
		str_addf(out, ": blocked %s", units_format_ns(text, pane->total));
	else
		str_addf(out, ": %s %s", units_format_count(text, pane->total),
			 pane->weight == WEIGHT_CALLS ? "calls that waited"
						      : "failed calls that waited");
	if (pane->blocked.skipped)
		str_add(out, " (a sample)");
	if (pane->left_out)
		str_addf(out, ", the lightest %zu left out", pane->left_out);
}

static void say_why_empty(struct stacks_pane *pane, const struct session *session)
{
	struct str *out = &pane->empty_text;

	str_clear(out);
	if (session->phase == SESSION_STARTING)
		str_add(out, "starting…");
	else if (session->options->engine.stacks == STACKS_OFF)
		str_add(out, "no stacks are taken (-g off)");
	else if (!session->status.source.has_waits)
		str_addf(out, "no stacks of waits%s%s", session->status.source.note[0] ? ": " : "",
			 session->status.source.note);
	else if (session->halves != HALVES_BOTH && pane->total)
		str_add(out, "no such frames (K shows the others)");
	else if (!pane->blocked.complete)
		str_add(out, "looking through the history…");
	else if (pane->weight == WEIGHT_ERRORS)
		str_add(out, "no call that waited has failed (x weighs otherwise)");
	else
		str_add(out, "no call has waited yet");
	pane->tree.table.empty_text = out->data;
}

static void refresh(void *self, struct session *session)
{
	struct stacks_pane *pane = self;

	pane->nodes.addresses = session->addresses;
	pane->tree.table.match = session->search.len ? session->search.data : NULL;
	if (session->phase == SESSION_RUNNING) {
		begin(pane, session);
		if (session->tick && !(session->paused && pane->blocked.complete))
			pane->grown |= blocked_stacks_step(&pane->blocked, session->engine);
		if (is_due(pane, session))
			build(pane, session);
	}
	say_title(pane);
	say_why_empty(pane, session);
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct stacks_pane *pane = self;
	struct canvas body = canvas_sub(canvas, (struct rect){ 1, 0, canvas->rows - 1,
							       canvas->cols });
	struct str right = STR_INIT;
	char note[ERR_TEXT_BYTES] = "";

	if (session->phase == SESSION_RUNNING)
		engine_symbols_progress(session->engine, note, sizeof(note));
	if (note[0])
		str_addf(&right, "%s, ", note);
	if (session->halves != HALVES_BOTH)
		str_add(&right, session->halves == HALVES_KERNEL ? "kernel frames, "
								 : "user frames, ");
	str_add(&right, pane->nodes.inverted ? "from main inwards" : "from what waits outwards");
	title_draw(canvas, 0, pane->title.data, right.data, focused);
	tree_draw(&pane->tree, &body, focused);
	str_release(&right);
}

static void weigh(struct stacks_pane *pane, enum stack_weight weight)
{
	pane->weight = weight;
	pane->nodes.counts = weight != WEIGHT_TIME;
	pane->columns[STACK_COLUMN_TIME].title = weight_titles[weight];
	/* Once is enough. */
	pane->columns[STACK_COLUMN_CALLS].hidden = weight == WEIGHT_CALLS;
	pane->changed = true;
}

static bool act(void *self, struct session *session, enum action action)
{
	struct stacks_pane *pane = self;

	switch (action) {
	case ACTION_STACK_WEIGHT:
		weigh(pane, (pane->weight + 1) % WEIGHT_COUNT);
		return true;
	case ACTION_STACK_INVERT:
		stack_nodes_set_inverted(&pane->nodes, !pane->nodes.inverted);
		tree_forget(&pane->tree);
		tree_refresh(&pane->tree);
		pane->changed = true;
		return true;
	default:
		return tree_act(&pane->tree, session, action);
	}
}

static void click(void *self, struct session *session, int row, int col)
{
	(void)session;
	if (row > 0)
		tree_click(&((struct stacks_pane *)self)->tree, row - 1, col);
}

static void wheel(void *self, struct session *session, int rows)
{
	(void)session;
	table_scroll(&((struct stacks_pane *)self)->tree.table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step,
		   bool from_here)
{
	(void)session;
	return tree_search(&((struct stacks_pane *)self)->tree, text, step, from_here);
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct stacks_pane *pane = self;

	(void)session;
	tree_row_text(&pane->tree, &pane->nodes, out);
}

static void pane_free(void *self)
{
	struct stacks_pane *pane = self;

	tree_release(&pane->tree);
	stack_nodes_release(&pane->nodes);
	blocked_stacks_release(&pane->blocked);
	str_release(&pane->title);
	str_release(&pane->empty_text);
	free(pane);
}

static const struct pane_ops ops = {
	.refresh = refresh,
	.draw = draw,
	.act = act,
	.click = click,
	.wheel = wheel,
	.search = search,
	.row_text = row_text,
	.free = pane_free,
};

static const struct layout_node layout[] = {
	{ .kind = LAYOUT_PANE, .pane = 0, .min_rows = 1, .min_cols = 1, .weight = 1 },
};

static const struct view_def view_def = {
	.action = ACTION_VIEW_STACKS,
	.title = "Stacks",
	.wide = layout,
	.wide_count = 1,
};

void stacks_view_init(struct view *view)
{
	struct stacks_pane *pane = mem_zalloc(1, sizeof(*pane));
	struct pane panes[] = { { &ops, pane } };

	stack_nodes_init(&pane->nodes);
	blocked_stacks_init(&pane->blocked);
	memcpy(pane->columns, stack_columns, sizeof(pane->columns));
	tree_init(&pane->tree, &stack_tree_ops, &pane->nodes, pane->columns,
		  STACK_COLUMN_COUNT);
	str_init(&pane->title);
	str_init(&pane->empty_text);
	weigh(pane, WEIGHT_TIME);
	view_init(view, &view_def, panes, 1);
}
