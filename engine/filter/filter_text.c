#include "engine/filter/filter_tree.h"

#include <string.h>

static void add_test(struct str *out, const struct filter *filter, const struct filter_node *node,
		     bool negated)
{
	const char *value = filter->words.data + node->value_at;

	if (node->field == FIELD_ARGUMENT)
		str_addf(out, FILTER_ARGS "%s", filter->arguments[node->argument]->name);
	else if (node->field != FIELD_TASK)
		str_add(out, filter_fields[node->field].name);
	if (node->op) {
		str_add(out, negated ? " not " : " ");
		str_add(out, filter_token_operator(node->op));
		str_addc(out, ' ');
	}
	str_addn(out, value, node->value_len);
}

/* The recursion is as deep as the nesting of the filter, which the parser bounds. */
void filter_node_text(struct str *out, const struct filter *filter, uint32_t index)
{
	const struct filter_node *node = &filter->nodes[index], *child;
	bool plain;

	switch ((enum filter_node_kind)node->kind) {
	case NODE_TEST:
		add_test(out, filter, node, false);
		return;
	case NODE_NOT:
		child = &filter->nodes[node->first];
		if (child->kind == NODE_TEST && child->op == TOKEN_IN) {
			add_test(out, filter, child, true);
			return;
		}
		plain = child->kind == NODE_TEST && !child->op;
		str_add(out, plain ? "!" : "!(");
		filter_node_text(out, filter, node->first);
		if (!plain)
			str_addc(out, ')');
		return;
	case NODE_AND:
	case NODE_OR:
		break;
	}
	for (uint32_t at = node->first; at != FILTER_NO_NODE; at = filter->nodes[at].next) {
		/* `and` binds tighter than `or`: only an `or` inside an `and` needs parentheses. */
		bool group = node->kind == NODE_AND && filter->nodes[at].kind == NODE_OR;
		if (at != node->first)
			str_add(out, node->kind == NODE_AND ? " && " : " || ");
		if (group)
			str_addc(out, '(');
		filter_node_text(out, filter, at);
		if (group)
			str_addc(out, ')');
	}
}
