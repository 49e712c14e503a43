#include "tui/tree_actions.h"

#include "tui/pane.h"

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

bool tree_act(struct tree *tree, struct session *session, enum action action)
{
	enum move move;

	if (pane_move(action, &move)) {
		tree_move(tree, move);
		return true;
	}
	switch (action) {
	case ACTION_STACK_HALVES:
		session->halves = (session->halves + 1) % HALVES_COUNT;
		session_say(session, ROLE_TEXT, session->halves == HALVES_BOTH
			    ? "Kernel and user frames" : session->halves == HALVES_KERNEL
			    ? "Kernel frames only" : "User frames only");
		return true;
	case ACTION_STACK_ADDRESSES:
		session->addresses = !session->addresses;
		return true;
	default:
		return act_fold(tree, action);
	}
}

void tree_row_text(const struct tree *tree, struct stack_nodes *nodes, struct str *out)
{
	const struct tree_row *row = tree_selected(tree);
	struct table_cell one = { .text = STR_INIT };

	if (!row)
		return;
	for (int i = 0; i < STACK_COLUMN_COUNT; i++) {
		str_clear(&one.text);
		stack_tree_ops.cell(nodes, row->id, i, &one);
		str_addf(out, "%s%s", i ? "  " : "", one.text.data);
	}
	str_release(&one.text);
}
