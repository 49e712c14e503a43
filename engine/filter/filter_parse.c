#include "engine/base/escape.h"
#include "engine/filter/filter_parser.h"

#include <errno.h>
#include <string.h>

void parser_advance(struct parser *parser)
{
	parser->token = filter_lexer_next(&parser->lexer);
}

const char *parser_show(const struct parser *parser, const struct filter_token *token,
			char out[PARSER_SHOWN_BYTES])
{
	char raw[PARSER_SHOWN_BYTES];
	size_t len = token->len < sizeof(raw) ? token->len : sizeof(raw) - 1;

	memcpy(raw, parser->lexer.text + token->at, len);
	raw[len] = '\0';
	return escape_name(out, PARSER_SHOWN_BYTES, raw);
}

int parser_expected(struct parser *parser, const char *what)
{
	const struct filter_token *token = &parser->token;
	char shown[PARSER_SHOWN_BYTES];

	switch (token->kind) {
	case TOKEN_END:
		return filter_fail(parser->error, token->at, 1,
				   "the filter ends where %s was expected", what);
	case TOKEN_OPEN_STRING:
		return filter_fail(parser->error, token->at, token->len,
				   "unterminated string: add %c", parser->lexer.text[token->at]);
	default:
		return filter_fail(parser->error, token->at, token->len,
				   "expected %s instead of \"%s\"", what,
				   parser_show(parser, token, shown));
	}
}

static int take_or(struct parser *parser, uint32_t *out);

static int deeper(struct parser *parser)
{
	if (++parser->depth <= parser->max_depth)
		return 0;
	return filter_fail(parser->error, parser->token.at, 1,
			   "the filter is nested too deeply: at most %u levels", parser->max_depth);
}

static int take_group(struct parser *parser, uint32_t *out)
{
	int failed;

	parser_advance(parser);
	failed = take_or(parser, out);
	if (!failed && parser->token.kind != TOKEN_RIGHT)
		failed = parser_expected(parser, "and, or or )");
	if (!failed)
		parser_advance(parser);
	return failed;
}

static int take_not(struct parser *parser, uint32_t *out)
{
	struct filter_node *nodes;
	uint32_t inner;
	int failed;

	if (parser->token.kind == TOKEN_LEFT) {
		failed = deeper(parser);
		if (!failed)
			failed = take_group(parser, out);
		parser->depth--;
		return failed;
	}
	if (parser->token.kind != TOKEN_NOT)
		return parser_take_test(parser, out);
	failed = deeper(parser);
	if (!failed) {
		parser_advance(parser);
		/*
		 * "!(" counts as one level, so that the text that is generated from a filter nests
		 * no deeper than the filter.
		 */
		if (parser->token.kind == TOKEN_LEFT)
			failed = take_group(parser, &inner);
		else
			failed = take_not(parser, &inner);
	}
	parser->depth--;
	if (failed)
		return failed;
	nodes = parser->filter->nodes;
	if (nodes[inner].kind == NODE_NOT) {
		*out = nodes[inner].first;
		return 0;
	}
	*out = filter_add_node(parser->filter, NODE_NOT);
	parser->filter->nodes[*out].first = inner;
	return 0;
}

/* Append a term to `list`. A chain of the same kind is spliced in, so that chains are flat. */
static void append(struct filter *filter, uint32_t list, uint32_t *last, uint32_t term)
{
	struct filter_node *nodes = filter->nodes;

	if (nodes[term].kind == nodes[list].kind)
		term = nodes[term].first;
	if (*last == FILTER_NO_NODE)
		nodes[list].first = term;
	else
		nodes[*last].next = term;
	while (nodes[term].next != FILTER_NO_NODE)
		term = nodes[term].next;
	*last = term;
}

/* Parse one or more terms joined by `and` or by `or`. */
static int take_chain(struct parser *parser, enum filter_token_kind joint, uint32_t *out)
{
	uint32_t list = FILTER_NO_NODE, last = FILTER_NO_NODE, term;
	enum filter_node_kind kind = joint == TOKEN_AND ? NODE_AND : NODE_OR;

	for (;;) {
		int failed = joint == TOKEN_OR ? take_chain(parser, TOKEN_AND, &term)
					       : take_not(parser, &term);
		if (failed)
			return failed;
		if (list == FILTER_NO_NODE && parser->token.kind != joint) {
			*out = term;
			return 0;
		}
		if (list == FILTER_NO_NODE)
			list = filter_add_node(parser->filter, kind);
		append(parser->filter, list, &last, term);
		if (parser->token.kind != joint)
			break;
		parser_advance(parser);
	}
	*out = list;
	return 0;
}

static int take_or(struct parser *parser, uint32_t *out)
{
	return take_chain(parser, TOKEN_OR, out);
}

int filter_parse_bounded(struct filter **filter, const char *text, size_t len,
			 const struct filter_names *names, size_t max_bytes,
			 struct filter_error *error)
{
	struct parser parser = {
		.names = names,
		.lexer = { .text = text, .len = len },
		.error = error,
		.word = STR_INIT,
		/*
		 * Joining adds parentheses around filters that the user may have nested to the
		 * limit.
		 */
		.max_depth = FILTER_NESTING + (max_bytes > FILTER_TEXT_BYTES ? 4 : 0),
	};
	int failed = 0;

	if (len > max_bytes)
		return filter_fail(error, max_bytes, 1, "a filter has at most %zu bytes",
				   max_bytes);
	parser.filter = filter_new(names);
	parser_advance(&parser);
	if (parser.token.kind != TOKEN_END) {
		failed = take_or(&parser, &parser.filter->root);
		if (!failed && parser.token.kind != TOKEN_END)
			failed = parser_expected(&parser, "`and`, `or` or the end");
	}
	str_release(&parser.word);
	if (!failed) {
		filter_finish(parser.filter);
		if (strlen(parser.filter->text) > max_bytes)
			failed =
				filter_fail(error, 0, len,
					    "the filter is too long with its short forms expanded");
	}
	if (failed) {
		filter_free(parser.filter);
		return failed;
	}
	*filter = parser.filter;
	return 0;
}

int filter_parse(struct filter **filter, const char *text, const struct filter_names *names,
		 struct filter_error *error)
{
	return filter_parse_bounded(filter, text, strlen(text), names, FILTER_TEXT_BYTES, error);
}
