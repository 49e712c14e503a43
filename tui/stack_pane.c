#include "tui/stack_pane.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/blocked_stacks.h"
#include "tui/call_cells.h"
#include "tui/tree_actions.h"
#include "widgets/title.h"

#include <stdlib.h>
#include <string.h>

/* Weights change all the time; nobody reads a tree that changes more often. */
#define REBUILD_NS (500 * NS_PER_MS)
#define FRAMES_MAX (2 * STACK_FRAMES_MAX)

struct stack_pane {
	struct tree tree;
	struct stack_nodes nodes;
	struct blocked_stacks blocked;
	bool of_waker;    /* the stack of who woke the call, not its own */
	bool of_call;     /* of one call, else of the subject's waits */
	struct call call; /* with of_call */
	bool grown;       /* more was found since the tree was made */
	uint64_t built_ns;
	uint64_t built_total_ns;
	uint64_t symbols_version, filter_version, zero_version;
	enum session_halves halves;
	struct str title, empty_text;
};

static uint32_t shown_stack(const struct stack_pane *pane, const struct call *call)
{
	return pane->of_waker ? call->waker_stack_id : call->stack_id;
}

static bool is_other_call(const struct stack_pane *pane, const struct call *call)
{
	return !pane->of_call || pane->call.tid != call->tid ||
	       pane->call.enter_ns != call->enter_ns || pane->call.nr != call->nr;
}

/* What is to be shown; true if it is something else than before. */
static bool take_subject(struct stack_pane *pane, struct session *session)
{
	bool had_call = pane->of_call && pane->call.tid;

	if (pane->of_waker && !session->has_subject_call) {
		memset(&pane->call, 0, sizeof(pane->call));
		pane->of_call = true;
		return had_call;
	}
	if (session->has_subject_call) {
		bool other = is_other_call(pane, &session->subject_call);

		/* The same call in flight waits on: its numbers change, its stack may. */
		other |= shown_stack(pane, &pane->call) !=
			 shown_stack(pane, &session->subject_call);
		pane->of_call = true;
		pane->call = session->subject_call;
		return other;
	}
	if (!pane->of_call && pane->filter_version == session->filter_version &&
	    pane->zero_version == session->zero_version &&
	    blocked_stacks_same(&pane->blocked.subject, &session->subject))
		return false;
	pane->of_call = false;
	pane->filter_version = session->filter_version;
	pane->zero_version = session->zero_version;
	blocked_stacks_begin(&pane->blocked, session, &session->subject);
	return true;
}

static void build(struct stack_pane *pane, struct session *session)
{
	struct call_tree *tree = stack_nodes_clear(&pane->nodes);

	/* Before the names are read: what is answered meanwhile is news then. */
	pane->symbols_version = engine_symbols_version(session->engine);
	if (pane->of_call) {
		struct frame *frames = mem_alloc(sizeof(*frames) * FRAMES_MAX);
		uint32_t id = shown_stack(pane, &pane->call);
		size_t count = id ? engine_frames(session->engine, id, frames, FRAMES_MAX) : 0;

		count = frames_keep_halves(frames, count, session->halves);
		if (count)
			call_tree_add(tree, frames, count, pane->call.blocked_ns + 1, 1);
		call_tree_finish(tree);
		free(frames);
	} else {
		pane->built_total_ns = blocked_stacks_tree(&pane->blocked, session,
							   WEIGHT_TIME, tree, NULL);
	}
	pane->nodes.weightless = pane->of_call;
	stack_nodes_index(&pane->nodes);
	tree_refresh(&pane->tree);
	pane->grown = false;
	pane->built_ns = session->clock_ns;
	pane->halves = session->halves;
}

static const char *halves_name(enum session_halves halves)
{
	return halves == HALVES_KERNEL ? "kernel" : "user";
}

static void say_no_waits(struct str *out, const struct session *session)
{
	if (session->options->engine.stacks == STACKS_OFF)
		str_add(out, "no stacks are taken (-g off)");
	else if (session->status.source.note[0])
		str_addf(out, "no stacks of waits: %s", session->status.source.note);
	else
		str_add(out, "this source brings no stacks of waits");
}

static void say_no_waker(struct str *out, const struct call *call)
{
	if (!call->tid)
		str_add(out, "no wait is selected");
	else if (call->state == CALL_IN_FLIGHT)
		str_add(out, "nobody has woken it yet");
	else if (!call->blocked_ns)
		str_add(out, "the call did not wait: nobody had to wake it");
	else if (call->waker_kind == WAKER_TIMER || call->waker_kind == WAKER_INTERRUPT)
		str_add(out, "no thread woke it");
	else if (call->waker_kind == WAKER_NONE)
		str_add(out, "who woke it is not known: only wakes that are watched are seen");
	else
		str_add(out, "the stack of this wake was not taken");
}

static void say_why_empty(struct stack_pane *pane, const struct session *session)
{
	struct str *out = &pane->empty_text;
	const struct call *call = &pane->call;

	str_clear(out);
	if (session->phase == SESSION_STARTING)
		str_add(out, "starting…");
	else if (!session->status.source.has_waits)
		say_no_waits(out, session);
	else if (session->halves != HALVES_BOTH && pane->nodes.count == 0 &&
		 (pane->of_call ? shown_stack(pane, call) != 0 : pane->blocked.calls > 0))
		str_addf(out, "no %s frames here (K shows the others)",
			 halves_name(session->halves));
	else if (pane->of_waker)
		say_no_waker(out, call);
	else if (pane->of_call && call->state == CALL_IN_FLIGHT)
		str_add(out, "in flight; it has not left the CPU since collection began, or "
			     "left it before");
	else if (pane->of_call && !call->blocked_ns)
		str_add(out, "the call did not wait: it never left the CPU");
	else if (pane->of_call)
		str_add(out, "the stack of this wait was not kept");
	else if (!session->subject.chosen)
		str_add(out, "nothing is selected");
	else if (!pane->blocked.complete)
		str_add(out, "looking through the history…");
	else
		str_add(out, "no call of the selected row has waited yet");
	pane->tree.table.empty_text = out->data;
}

static void add_subject(struct str *out, const struct session *session,
			const struct pick *subject)
{
	if (subject->has_comm)
		str_add(out, subject->comm);
	if (subject->has_tid)
		str_addf(out, "/%u", subject->tid);
	else if (subject->has_pid)
		str_addf(out, "/%u", subject->pid);
	else if (subject->has_nr)
		str_add(out, syscalls_info(engine_syscalls(session->engine), subject->nr)->name);
}

static void add_call_title(struct str *out, const struct session *session,
			   const struct call *call)
{
	const char *name = syscalls_info(engine_syscalls(session->engine), call->nr)->name;
	uint64_t took = call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0;
	char text[UNITS_TEXT_BYTES];

	str_add(out, "Stack of ");
	add_subject(out, session, &session->subject);
	str_addf(out, " %s", name);
	if (call->state == CALL_IN_FLIGHT) {
		str_addf(out, ", in flight for %s",
			 units_format_ns(text, call_age_ns(session, call)));
	} else if (took) {
		uint64_t off = call->blocked_ns + call->runnable_ns;

		str_addf(out, ", %s", units_format_ns(text, took));
		str_addf(out, ": on CPU %s", units_format_ns(text, took > off ? took - off : 0));
	}
	if (call->blocked_ns)
		str_addf(out, ", blocked %s", units_format_ns(text, call->blocked_ns));
	if (call->runnable_ns)
		str_addf(out, ", runnable %s", units_format_ns(text, call->runnable_ns));
}

static void say_title(struct stack_pane *pane, const struct session *session)
{
	struct str *out = &pane->title;
	char text[UNITS_TEXT_BYTES];

	str_clear(out);
	if (session->phase == SESSION_STARTING) {
		str_add(out, "Stacks");
	} else if (pane->of_waker) {
		str_add(out, "Woken by ");
		call_add_waker(session, &pane->call, out);
		if (pane->call.waker_kind == WAKER_NONE)
			str_cut(out, strlen("Woken"));
	} else if (pane->of_call) {
		add_call_title(out, session, &pane->call);
	} else if (session->subject.chosen) {
		str_add(out, "Where ");
		add_subject(out, session, &session->subject);
		str_add(out, " waits");
		if (pane->built_total_ns)
			str_addf(out, ": blocked %s", units_format_ns(text, pane->built_total_ns));
		if (pane->blocked.calls)
			str_addf(out, " in %s calls of the history%s",
				 units_format_count(text, pane->blocked.calls),
				 pane->blocked.skipped ? " (a sample)" : "");
	} else {
		str_add(out, "Stacks");
	}
}

static void refresh(void *self, struct session *session)
{
	struct stack_pane *pane = self;

	pane->nodes.addresses = session->addresses;
	pane->tree.table.match = session->search.len ? session->search.data : NULL;
	if (session->phase == SESSION_RUNNING) {
		bool other = take_subject(pane, session);
		bool due;

		if (!pane->of_call && !session->paused && session->tick)
			pane->grown |= blocked_stacks_step(&pane->blocked, session->engine);
		if (other)
			tree_forget(&pane->tree);
		/* The waits of calls in flight grow by themselves. */
		due = session->clock_ns - pane->built_ns >= REBUILD_NS &&
		      (pane->grown || (!pane->of_call && !session->paused));
		due |= pane->grown && !pane->nodes.count; /* the first answers do not wait */
		if (other || due || pane->halves != session->halves ||
		    (pane->symbols_version != engine_symbols_version(session->engine) &&
		     session->clock_ns - pane->built_ns >= REBUILD_NS / 5))
			build(pane, session);
	}
	say_title(pane, session);
	say_why_empty(pane, session);
}

static void add_right(struct str *out, struct session *session)
{
	char note[ERR_TEXT_BYTES];

	if (session->phase != SESSION_RUNNING)
		return;
	engine_kernel_symbols_note(session->engine, note, sizeof(note));
	if (!note[0])
		engine_symbols_progress(session->engine, note, sizeof(note));
	if (note[0])
		str_addf(out, "%s ", note);
	if (session->halves != HALVES_BOTH)
		str_addf(out, "%s frames only", halves_name(session->halves));
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct stack_pane *pane = self;
	struct canvas body = canvas_sub(canvas, (struct rect){ 1, 0, canvas->rows - 1,
							       canvas->cols });
	struct str right = STR_INIT;

	add_right(&right, session);
	title_draw(canvas, 0, pane->title.data, right.len ? right.data : NULL, focused);
	tree_draw(&pane->tree, &body, focused);
	str_release(&right);
}

static bool act(void *self, struct session *session, enum action action)
{
	return tree_act(&((struct stack_pane *)self)->tree, session, action);
}

static void click(void *self, struct session *session, int row, int col)
{
	struct stack_pane *pane = self;

	(void)session;
	if (row > 0)
		tree_click(&pane->tree, row - 1, col);
}

static void wheel(void *self, struct session *session, int rows)
{
	struct stack_pane *pane = self;

	(void)session;
	table_scroll(&pane->tree.table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step,
		   bool from_here)
{
	struct stack_pane *pane = self;

	(void)session;
	return tree_search(&pane->tree, text, step, from_here);
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct stack_pane *pane = self;

	(void)session;
	tree_row_text(&pane->tree, &pane->nodes, out);
}

static void pane_free(void *self)
{
	struct stack_pane *pane = self;

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

static struct pane make(bool of_waker)
{
	struct stack_pane *pane = mem_zalloc(1, sizeof(*pane));

	pane->of_waker = of_waker;
	stack_nodes_init(&pane->nodes);
	blocked_stacks_init(&pane->blocked);
	tree_init(&pane->tree, &stack_tree_ops, &pane->nodes, stack_columns,
		  STACK_COLUMN_COUNT);
	pane->tree.table.no_header = true;
	str_init(&pane->title);
	str_init(&pane->empty_text);
	return (struct pane){ &ops, pane };
}

struct pane stack_pane_new(void)
{
	return make(false);
}

struct pane stack_pane_new_of_waker(void)
{
	return make(true);
}
