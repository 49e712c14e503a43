/*
 * tree_pane - shared part of all panes that are a tree of stack frames: the tree, the waits that it
 * is built from, title, folding, mouse, search.
 *
 * A pane embeds it as its first member. The operations below take the pane and can be used in its
 * pane_ops unchanged (TREE_PANE_VERBS). A tree of many stacks is built in steps, while the previous
 * tree is shown. UI thread only.
 */
#ifndef VIEW_TREE_PANE_H
#define VIEW_TREE_PANE_H

#include "tui/calls/stack_nodes.h"
#include "tui/calls/tree_build.h"
#include "tui/view/pane.h"

struct tree_pane {
	struct tree tree;
	struct table_column columns[STACK_COLUMN_COUNT];
	struct stack_nodes nodes;
	struct blocked_stacks blocked; /* stacks of the tree, unless it shows one call */
	struct tree_build build;
	bool grown; /* stacks were added since the build began */
	bool changed; /* the content changed: rebuild at once */
	bool hides_calls; /* CALLS is hidden: the weight is the number of calls */
	uint64_t begun_ns;
	uint64_t total; /* weight of all stacks, including those left out */
	size_t stacks; /* number of distinct stacks */
	size_t left_out; /* number of distinct stacks that the tree leaves out */
	uint64_t symbols_version, filter_version, zero_version;
	bool has_waits; /* the source reports waits; in a recording, known after a part was read */
	enum session_halves halves;
	int top_rows; /* rows above the tree at the last draw */
	const struct stack_node **exported; /* nodes of the exported rows; owned */
	struct str title, right, empty_text; /* set by the pane in each refresh */
};

/* name: see table.name. */
void tree_pane_init(struct tree_pane *pane, const char *name);
void tree_pane_release(struct tree_pane *pane);

/* Call first in each refresh; clears the three texts. */
void tree_pane_refresh(struct tree_pane *pane, struct session *session);
/* True once after a change of the filter or has_waits, or a reset of totals: sums are outdated. */
bool tree_pane_is_stale(struct tree_pane *pane, const struct session *session);
/* Scan more of the history, and rebuild the tree when it is outdated. */
void tree_pane_work(struct tree_pane *pane, struct session *session, enum stack_weight weight);
/* Show one stack. Rebuild only if .changed is set, other halves are wanted, or symbols arrived. */
void tree_pane_show_stack(struct tree_pane *pane, struct session *session, uint32_t stack_id,
			  uint64_t weight);

/* Append the progress of running work, and whether a half is hidden, for the title's right end. */
void tree_pane_say_state(const struct tree_pane *pane, struct session *session, struct str *out);
/* Return what a click hits; a click on a fold sign folds or unfolds. */
struct table_hit tree_pane_hit(struct tree_pane *pane, int row, int col);

/* ---- operations for pane_ops ---- */

void tree_pane_draw(void *pane, struct session *session, struct canvas *canvas, bool focused);
bool tree_pane_act(void *pane, struct session *session, enum action action);
bool tree_pane_is_sign(void *pane, int row, int col);
void tree_pane_click(void *pane, struct session *session, int row, int col);
void tree_pane_drag(void *pane, struct session *session, int row, int col);
void tree_pane_wheel(void *pane, struct session *session, int rows);
bool tree_pane_search(void *pane, struct session *session, const char *text, int step,
		      bool from_here);
void tree_pane_row_text(void *pane, struct session *session, struct str *out);
struct table *tree_pane_table(void *pane);
void tree_pane_exports(void *pane, struct session *session, struct export_subject *subject);
void tree_pane_terms(void *pane, struct session *session, struct row_terms *terms);

#define TREE_PANE_VERBS \
	.draw = tree_pane_draw, .drag = tree_pane_drag, .wheel = tree_pane_wheel, \
	.search = tree_pane_search, .row_text = tree_pane_row_text, .table = tree_pane_table, \
	.terms = tree_pane_terms, .exports = tree_pane_exports

#endif
