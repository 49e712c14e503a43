/* filter_terms - splits a filter at its outermost `and`, and joins the terms again. */
#include "engine/filter/filter_tree.h"

void filter_each_term(const struct filter *filter, filter_term_fn *each, void *ctx)
{
	struct str text = STR_INIT;
	uint32_t at;

	if (filter_is_all(filter))
		return;
	at = filter->root;
	if (filter->nodes[at].kind == NODE_AND)
		at = filter->nodes[at].first;
	for (; at != FILTER_NO_NODE; at = filter->nodes[at].next) {
		str_clear(&text);
		filter_node_text(&text, filter, at);
		each(ctx, text.data);
	}
	str_release(&text);
}

int filter_join(struct filter **filter, const char *const *terms, size_t count,
		const struct filter_names *names, struct filter_error *error)
{
	struct str text = STR_INIT;
	int rc;

	for (size_t i = 0; i < count; i++)
		str_addf(&text, "%s(%s)", i ? " && " : "", terms[i]);
	rc = filter_parse_bounded(filter, text.data, text.len, names, FILTER_JOINED_BYTES, error);
	str_release(&text);
	return rc;
}
