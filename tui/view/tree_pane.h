/*
 * tree_pane - what all panes that are a tree of stack frames share: the tree, the waits that
 * it is made of, title, folding, mouse, search.
 *
 * A pane embeds it as its first member, so that the verbs below, which take the pane, stand
 * in its pane_ops as they are (TREE_PANE_VERBS). A tree of many stacks is built in steps,
 * while the last one is shown. UI thread only.
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
	struct blocked_stacks blocked; /* what the tree is made of, unless it is of one call */
	struct tree_build build;
	bool grown; /* more was found since the tree was begun */
	bool changed; /* something else is to be shown: at once */
	bool hides_calls; /* they are the weight */
	uint64_t begun_ns;
	uint64_t total; /* weight of what is shown, in the tree or not */
	size_t stacks; /* different ones */
	size_t left_out; /* those of them that are not in it */
	uint64_t symbols_version, filter_version, zero_version;
	bool has_waits; /* of a recording it is known only after some of it was read */
	enum session_halves halves;
	int top_rows; /* above the tree at the last draw */
	const struct stack_node **exported; /* what rows of a file are of; owned */
	struct str title, right, empty_text; /* written by the pane at each refresh */
};

/* name: of the table, as table.name. */
void tree_pane_init(struct tree_pane *pane, const char *name);
void tree_pane_release(struct tree_pane *pane);

/* To begin a refresh with: empties the three texts. */
void tree_pane_refresh(struct tree_pane *pane, struct session *session);
/* True once for each filter and each zeroing: what was summed up is no more what matches. */
bool tree_pane_is_stale(struct tree_pane *pane, const struct session *session);
/* Looks at more of the history and makes the tree of it when it is time. */
void tree_pane_work(struct tree_pane *pane, struct session *session, enum stack_weight weight);
/* Shows one stack, made anew when .changed is set or more is known of its frames. */
void tree_pane_show_stack(struct tree_pane *pane, struct session *session, uint32_t stack_id,
			  uint64_t weight);

/* What goes on and what is not there, for the right end of the title; appended. */
void tree_pane_say_state(const struct tree_pane *pane, struct session *session, struct str *out);
/* What a click hits; one on a fold sign folds or unfolds. */
struct table_hit tree_pane_hit(struct tree_pane *pane, int row, int col);

/* ---- as pane_ops ask for them ---- */

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
