#include "tui/view/tree_pane.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "widgets/title.h"

#include <stdlib.h>
#include <string.h>

/* Shortest interval of rebuilds: weights always change, but a fast-changing tree is unreadable. */
#define REBUILD_NS (500 * NS_PER_MS)
/* Shortest interval of rebuilds for new symbols, which arrive in many small replies. */
#define RENAME_NS (REBUILD_NS / 5)
/* Build time per iteration of the main loop. */
#define BUILD_NS (4 * NS_PER_MS)
#define FRAMES_MAX (2 * STACK_FRAMES_MAX)
/* Minimum height of a pane that has a line for notes about missing stacks. */
#define NOTE_FROM_ROWS 5

void tree_pane_init(struct tree_pane *pane, const char *name)
{
	stack_nodes_init(&pane->nodes);
	blocked_stacks_init(&pane->blocked);
	tree_build_init(&pane->build);
	memcpy(pane->columns, stack_columns, sizeof(pane->columns));
	tree_init(&pane->tree, &stack_tree_ops, &pane->nodes, pane->columns, STACK_COLUMN_COUNT);
	pane->tree.table.name = name;
	str_init(&pane->title);
	str_init(&pane->right);
	str_init(&pane->empty_text);
}

void tree_pane_release(struct tree_pane *pane)
{
	free(pane->exported);
	tree_release(&pane->tree);
	stack_nodes_release(&pane->nodes);
	blocked_stacks_release(&pane->blocked);
	tree_build_release(&pane->build);
	str_release(&pane->title);
	str_release(&pane->right);
	str_release(&pane->empty_text);
}

/* ---- content ---- */

void tree_pane_refresh(struct tree_pane *pane, struct session *session)
{
	pane->nodes.addresses = session->addresses;
	pane->tree.table.match = session->search.len ? session->search.data : NULL;
	str_clear(&pane->title);
	str_clear(&pane->right);
	str_clear(&pane->empty_text);
}

bool tree_pane_is_stale(struct tree_pane *pane, const struct session *session)
{
	bool stale = pane->filter_version != session->filter_version ||
		     pane->zero_version != session->zero_version ||
		     pane->has_waits != session->status.source.has_waits;

	pane->filter_version = session->filter_version;
	pane->zero_version = session->zero_version;
	pane->has_waits = session->status.source.has_waits;
	return stale;
}

/* A single stack has no weights, so their columns are hidden. */
static void show(struct tree_pane *pane, bool weightless)
{
	pane->nodes.weightless = weightless;
	pane->columns[STACK_COLUMN_TIME].hidden = weightless;
	pane->columns[STACK_COLUMN_CALLS].hidden = weightless || pane->hides_calls;
	stack_nodes_show(&pane->nodes);
	tree_refresh(&pane->tree);
}

static bool has_news(const struct tree_pane *pane, const struct session *session)
{
	return pane->symbols_version != engine_symbols_version(session->engine) &&
	       session->clock_ns - pane->begun_ns >= RENAME_NS;
}

static void begin(struct tree_pane *pane, struct session *session)
{
	/* Read the version before the names: symbols that arrive meanwhile then count as news. */
	pane->symbols_version = engine_symbols_version(session->engine);
	pane->begun_ns = session->clock_ns;
	pane->halves = session->halves;
	pane->grown = pane->changed = false;
}

static bool is_due(const struct tree_pane *pane, const struct session *session)
{
	bool rested = session->clock_ns - pane->begun_ns >= REBUILD_NS;

	if (pane->changed || pane->halves != session->halves)
		return true;
	if (pane->build.running)
		return false;
	/* Rebuild regularly unless paused: waits in flight grow. Show the first stacks at once. */
	return has_news(pane, session) || (rested && (pane->grown || !session->paused)) ||
	       (pane->grown && !pane->nodes.count);
}

static void step(struct tree_pane *pane, struct session *session, struct call_tree *tree)
{
	if (!tree_build_step(&pane->build, session->engine, tree, clock_now_ns() + BUILD_NS))
		return;
	pane->total = pane->build.total;
	pane->left_out = pane->build.left_out;
	pane->stacks = pane->build.count + pane->build.left_out;
	pane->nodes.counts = pane->build.weight != WEIGHT_TIME;
	pane->hides_calls = pane->build.weight == WEIGHT_CALLS; /* the weight column shows them */
	show(pane, false);
}

static bool has_more(const struct tree_pane *pane, const struct session *session)
{
	const struct history_scan *scan = &pane->blocked.scan;

	return !scan->complete || session_is_late(session, scan->caught_ns);
}

static void look_back(struct tree_pane *pane, struct session *session)
{
	bool was_complete = !has_more(pane, session);

	if (session->paused && was_complete)
		return;
	pane->grown |= blocked_stacks_step(&pane->blocked, session->engine);
	/* Rebuild at once when the scan completes. */
	pane->changed |= pane->grown && !was_complete && !has_more(pane, session);
}

void tree_pane_work(struct tree_pane *pane, struct session *session, enum stack_weight weight)
{
	if (session->work && !pane->build.running)
		look_back(pane, session);
	if (is_due(pane, session)) {
		begin(pane, session);
		tree_build_begin(&pane->build, &pane->blocked, session, weight);
		step(pane, session, stack_nodes_begin(&pane->nodes));
	} else if (session->work && pane->build.running) {
		step(pane, session, pane->nodes.next);
	}
	session->busy |= pane->build.running ||
			 (pane->blocked.has_subject && has_more(pane, session));
}

void tree_pane_show_stack(struct tree_pane *pane, struct session *session, uint32_t stack_id,
			  uint64_t weight)
{
	struct call_tree *tree;
	struct frame *frames;
	size_t count;

	if (!pane->changed && pane->halves == session->halves && !has_news(pane, session))
		return;
	begin(pane, session);
	pane->build.running = false;
	tree = stack_nodes_begin(&pane->nodes);
	frames = mem_alloc(sizeof(*frames) * FRAMES_MAX);
	count = stack_id ? engine_frames(session->engine, stack_id, frames, FRAMES_MAX) : 0;
	count = frames_select_halves(frames, count, session->halves);
	if (count)
		call_tree_add(tree, frames, count, weight, 1);
	free(frames);
	call_tree_finish(tree);
	show(pane, true);
}

/* ---- texts ---- */

static const char *halves_name(enum session_halves halves)
{
	return halves == HALVES_KERNEL ? "kernel" : "user";
}

static void add_part(struct str *out, const char *text)
{
	str_addf(out, "%s%s", out->len ? ", " : "", text);
}

void tree_pane_say_state(const struct tree_pane *pane, struct session *session, struct str *out)
{
	char text[ERR_TEXT_BYTES];

	if (session->phase != SESSION_RUNNING)
		return;
	engine_symbols_progress(session->engine, text, sizeof(text));
	if (text[0])
		add_part(out, text);
	if (!pane->nodes.weightless && pane->blocked.has_subject && !pane->blocked.scan.complete)
		str_addf(out, "%s%u %% of the history", out->len ? ", " : "",
			 blocked_stacks_percent(&pane->blocked, session->engine));
	if (pane->build.running)
		str_addf(out, "%s%u %% of the stacks", out->len ? ", " : "",
			 tree_build_percent(&pane->build));
	if (session->halves != HALVES_BOTH)
		str_addf(out, "%s%s frames only", out->len ? ", " : "",
			 halves_name(session->halves));
}

/* Append why frames or their names are missing. */
static void add_notes(const struct tree_pane *pane, const struct session *session, struct str *out)
{
	unsigned earlier = blocked_stacks_earlier_percent(&pane->blocked);
	const struct source_status *source = &session->status.source;
	char text[ERR_TEXT_BYTES], rate[UNITS_TEXT_BYTES];

	if (session->phase != SESSION_RUNNING)
		return;
	engine_kernel_symbols_note(session->engine, text, sizeof(text));
	if (text[0])
		add_part(out, text);
	if (source->budget_hit)
		str_addf(out,
			 "%sstacks beyond the byte budget have frame pointers only (%s/s sampled)",
			 out->len ? "; " : "", units_format_bytes(rate, source->stack_bytes_per_s));
	/*
	 * For one stack, the title reports if it is from an earlier wait. For many, report the
	 * share of earlier stacks while the limit is in force.
	 */
	if (source->stack_limited && !pane->nodes.weightless && earlier)
		str_addf(out,
			 "%sstack limit per CPU reached: %u %% of the latest waits show an "
			 "earlier stack",
			 out->len ? "; " : "", earlier);
	if (session->status.stacks_not_stored)
		str_addf(out, "%s%s stacks not kept: no room", out->len ? "; " : "",
			 units_format_count(rate, session->status.stacks_not_stored));
	if (source->stacks_lost)
		str_addf(out, "%s%s stacks to unwind were lost", out->len ? "; " : "",
			 units_format_count(rate, source->stacks_lost));
}

/* Returns the number of rows used. */
static int draw_notes(const struct tree_pane *pane, const struct session *session,
		      struct canvas *canvas)
{
	struct str notes = STR_INIT;
	int rows = 0;

	if (canvas->rows >= NOTE_FROM_ROWS)
		add_notes(pane, session, &notes);
	if (notes.len) {
		canvas_field(canvas, 1, 1, canvas->cols - 2, ALIGN_LEFT, ROLE_WARN, notes.data,
			     notes.len);
		rows = 1;
	}
	str_release(&notes);
	return rows;
}

/* ---- operations ---- */

void tree_pane_draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct tree_pane *pane = self;
	int top = 1 + draw_notes(pane, session, canvas);
	struct canvas body = canvas_sub(canvas,
					(struct rect){ top, 0, canvas->rows - top, canvas->cols });

	pane->top_rows = top;
	title_draw(canvas, 0, pane->title.data, pane->right.len ? pane->right.data : NULL, focused);
	pane->tree.table.empty_text = pane->empty_text.data;
	tree_draw(&pane->tree, &body, focused);
}

static bool act_fold(struct tree *tree, enum action action)
{
	switch (action) {
	case ACTION_UNFOLD:
		tree_unfold(tree);
		return true;
	case ACTION_FOLD:
		tree_fold(tree);
		return true;
	case ACTION_DRILL_IN:
		tree_toggle(tree);
		return true;
	case ACTION_UNFOLD_ENTRY:
		tree_unfold_entry(tree);
		return true;
	case ACTION_UNFOLD_ALL:
		tree_unfold_all(tree);
		return true;
	case ACTION_FOLD_ALL:
		tree_fold_all(tree);
		return true;
	default:
		return false;
	}
}

bool tree_pane_act(void *self, struct session *session, enum action action)
{
	struct tree *tree = &((struct tree_pane *)self)->tree;
	enum move move;

	if (pane_move(action, &move)) {
		tree_move(tree, move);
		return true;
	}
	switch (action) {
	case ACTION_STACK_HALVES:
		session->halves = (session->halves + 1) % HALVES_COUNT;
		session_say(session, ROLE_TEXT,
			    session->halves == HALVES_BOTH     ? "Kernel and user frames"
			    : session->halves == HALVES_KERNEL ? "Kernel frames only"
							       : "User frames only");
		return true;
	case ACTION_STACK_ADDRESSES:
		session->addresses = !session->addresses;
		return true;
	default:
		return act_fold(tree, action);
	}
}

struct table_hit tree_pane_hit(struct tree_pane *pane, int row, int col)
{
	if (row < pane->top_rows)
		return (struct table_hit){ .kind = TABLE_HIT_NONE,
					   .column_id = -1,
					   .border_of = -1 };
	return tree_click(&pane->tree, row - pane->top_rows, col);
}

bool tree_pane_is_sign(void *self, int row, int col)
{
	struct tree_pane *pane = self;

	return row >= pane->top_rows && tree_is_sign(&pane->tree, row - pane->top_rows, col);
}

void tree_pane_click(void *self, struct session *session, int row, int col)
{
	(void)session;
	tree_pane_hit(self, row, col);
}

void tree_pane_drag(void *self, struct session *session, int row, int col)
{
	(void)row;
	if (table_drag(&((struct tree_pane *)self)->tree.table, col))
		session->dirty = true;
}

void tree_pane_wheel(void *self, struct session *session, int rows)
{
	(void)session;
	table_scroll(&((struct tree_pane *)self)->tree.table, rows);
}

bool tree_pane_search(void *self, struct session *session, const char *text, int step,
		      bool from_here)
{
	(void)session;
	return tree_search(&((struct tree_pane *)self)->tree, text, step, from_here);
}

void tree_pane_row_text(void *self, struct session *session, struct str *out)
{
	struct tree_pane *pane = self;
	const struct tree_row *row = tree_selected(&pane->tree);
	struct table_cell one = { .text = STR_INIT };
	size_t shown[TABLE_COLUMNS_MAX], count;

	(void)session;
	if (!row)
		return;
	count = table_columns_shown(&pane->tree.table, shown);
	for (size_t i = 0; i < count; i++) {
		str_clear(&one.text);
		stack_tree_ops.cell(&pane->nodes, row->id, stack_columns[shown[i]].id, &one);
		str_addf(out, "%s%s", i ? "  " : "", one.text.data);
	}
	str_release(&one.text);
}

struct table *tree_pane_table(void *self)
{
	return &((struct tree_pane *)self)->tree.table;
}

/* Add a term for the selected function in any stack. */
void tree_pane_terms(void *self, struct session *session, struct row_terms *terms)
{
	struct tree_pane *pane = self;
	const struct tree_row *row = tree_selected(&pane->tree);
	const struct frame *frame = row ? stack_nodes_frame(&pane->nodes, row->id) : NULL;

	(void)session;
	if (frame && frame->symbol)
		row_terms_add_text(terms, "stack", frame->symbol);
}

/* ---- export ---- */

static void add_row(void *self, size_t row, struct fields *fields)
{
	const struct tree_pane *pane = self;
	const struct call_tree_node *node = pane->exported[row]->node;
	const struct frame *frame = node->frame;
	struct str source = STR_INIT;

	if (frame->file)
		str_addf(&source, "%s:%u", frame->file, frame->line);
	fields_whole(fields, "depth", node->depth);
	fields_text(fields, "symbol", frame->symbol);
	fields_hex(fields, "ip", frame->ip);
	fields_text(fields, "dso", frame->dso);
	fields_text(fields, "source", frame->file ? source.data : NULL);
	fields_text(fields, "kind", frame->kind == FRAME_KERNEL ? "kernel" : "user");
	fields_bool(fields, "inlined", frame->inlined);
	/* The weight of a single stack is not a time. */
	if (pane->nodes.weightless)
		fields_none(fields, "blocked_ns");
	else
		fields_whole(fields, pane->nodes.counts ? "weight" : "blocked_ns", node->weight);
	fields_whole(fields, "calls", node->calls);
	if (pane->nodes.weightless)
		fields_none(fields, "sampled_share");
	else
		fields_real(fields, "sampled_share", history_scan_share(&pane->blocked.scan));
	str_release(&source);
}

/* Text exports contain the unfolded lines; structured exports contain the whole tree. */
void tree_pane_exports(void *self, struct session *session, struct export_subject *subject)
{
	struct tree_pane *pane = self;

	subject->name = "stacks";
	subject->row_type = "frame";
	subject->table = &pane->tree.table;
	free(pane->exported);
	pane->exported = stack_nodes_all(&pane->nodes);
	subject->row_count = pane->exported ? pane->nodes.count : 0;
	subject->add_row = add_row;
	subject->pane = pane;
	if (pane->nodes.weightless || !pane->blocked.has_subject ||
	    session->phase != SESSION_RUNNING)
		return;
	subject->has_calls = subject->folded = true;
	subject->filter = pane->blocked.scan.filter;
	engine_calls_range(session->engine, &subject->from, &subject->end);
	subject->list = mem_zalloc(session->in_flight_count + 1, sizeof(*subject->list));
	for (size_t i = 0; i < session->in_flight_count; i++)
		if (blocked_stacks_has(&pane->blocked, &session->in_flight[i]))
			subject->list[subject->list_count++] = session->in_flight[i];
}
