/*
 * tree_actions - what keys do in a tree of frames, the same in every pane that has one.
 * UI thread only.
 */
#ifndef TUI_TREE_ACTIONS_H
#define TUI_TREE_ACTIONS_H

#include "tui/stack_nodes.h"

/* Moves, folds, and which frames are shown how; false: none of these. */
bool tree_act(struct tree *tree, struct session *session, enum action action);
/* The selected row's cells, appended; nothing without a selection. */
void tree_row_text(const struct tree *tree, struct stack_nodes *nodes, struct str *out);

#endif
