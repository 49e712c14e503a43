#include "engine/filter/filter_arguments.h"
#include "engine/filter/filter_parser.h"
#include "engine/filter/filter_values.h"

#include <string.h>

static bool type_takes(enum filter_type type, enum filter_token_kind op)
{
	const char *operators = filter_type_operators(type);
	const char *text = filter_token_operator(op);
	size_t len = strlen(text);

	for (const char *at = operators; (at = strstr(at, text)); at++)
		if ((at == operators || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

static int unknown_field(struct parser *parser, const struct filter_token *name)
{
	const char *text = parser->lexer.text + name->at;
	const char *nearest = filter_field_nearest(text, name->len);
	char shown[PARSER_SHOWN_BYTES];

	parser_show(parser, name, shown);
	if (nearest)
		return filter_fail(parser->error, name->at, name->len,
				   "unknown field \"%s\"; did you mean %s?", shown, nearest);
	return filter_fail(
		parser->error, name->at, name->len,
		"unknown field \"%s\": fields are pid, tid, comm, syscall, dur, failed and more",
		shown);
}

/* Find the argument that "args.flags" names. */
static int find_argument(struct parser *parser, const struct filter_token *name,
			 struct filter_node *node)
{
	size_t skipped = strlen(FILTER_ARGS);
	const char *text = parser->lexer.text + name->at + skipped;
	struct err err;

	node->argument = filter_arguments_find(parser->filter, text, name->len - skipped);
	if (node->argument != FILTER_NO_NODE)
		return 0;
	filter_arguments_unknown(parser->filter, text, name->len - skipped, &err);
	return parser_bad_value(parser, name->at, name->len, &err);
}

/* Parse "descendant of 42"; "of" is the current token. */
static int take_ancestor(struct parser *parser, uint32_t *out)
{
	struct filter_node node;
	int failed;

	*out = filter_add_node(parser->filter, NODE_TEST);
	node = parser->filter->nodes[*out];
	node.field = FIELD_DESCENDANT;
	node.op = TOKEN_OF;
	node.value_at = (uint32_t)parser->filter->words.len;
	parser_advance(parser);
	failed = parser_take_right_side(parser, FILTER_ANCESTOR, TOKEN_OF, &node);
	node.value_len = (uint32_t)(parser->filter->words.len - node.value_at);
	parser->filter->nodes[*out] = node;
	return failed;
}

/* Parse FIELD OPERATOR VALUE; the operator is the current token. */
static int take_comparison(struct parser *parser, const struct filter_token *name, uint32_t *out)
{
	enum filter_token_kind op = parser->token.kind;
	int field = filter_field_find(parser->lexer.text + name->at, name->len);
	struct filter_node node;
	enum filter_type type;
	int failed;

	if (field < 0)
		return unknown_field(parser, name);
	type = filter_fields[field].type;
	if (type == FILTER_BOOL)
		return filter_fail(parser->error, parser->token.at, parser->token.len,
				   "%s is true or false by itself: write %s or !%s",
				   filter_fields[field].name, filter_fields[field].name,
				   filter_fields[field].name);
	if (!type_takes(type, op))
		return filter_fail(parser->error, parser->token.at, parser->token.len,
				   "wrong operator for %s; it takes %s", filter_fields[field].name,
				   filter_type_operators(type));
	*out = filter_add_node(parser->filter, NODE_TEST);
	node = parser->filter->nodes[*out];
	node.field = (uint8_t)field;
	node.op = (uint8_t)op;
	node.value_at = (uint32_t)parser->filter->words.len;
	failed = field == FIELD_ARGUMENT ? find_argument(parser, name, &node) : 0;
	parser_advance(parser);
	if (!failed)
		failed = parser_take_right_side(parser, type, op, &node);
	node.value_len = (uint32_t)(parser->filter->words.len - node.value_at);
	parser->filter->nodes[*out] = node;
	return failed;
}

static bool all_digits(const struct str *word)
{
	for (size_t i = 0; i < word->len; i++)
		if (word->data[i] < '0' || word->data[i] > '9')
			return false;
	return word->len > 0;
}

/* Append a pattern that matches the text literally, anywhere. */
static void add_literal_pattern(struct str *out, const struct str *text)
{
	for (size_t i = 0; i < text->len; i++) {
		if (strchr(".[]()*+?{}|^$\\", text->data[i]))
			str_addc(out, '\\');
		str_addc(out, text->data[i]);
	}
}

/* Parse a bare word: pid or tid, a flag, a syscall, a class, or a part of comm. */
static int take_bare(struct parser *parser, const struct filter_token *name, uint32_t *out)
{
	struct filter *filter = parser->filter;
	bool quoted = name->kind == TOKEN_STRING;
	char shown[PARSER_SHOWN_BYTES];
	struct filter_node node;
	struct err err;
	int failed = 0, field;
	int64_t value;

	field = quoted ? -1 : filter_field_find(parser->word.data, parser->word.len);
	if (field >= 0 && filter_fields[field].type != FILTER_BOOL)
		return filter_fail(parser->error, name->at, name->len, "%s needs a comparison: %s",
				   parser_show(parser, name, shown),
				   filter_type_operators(filter_fields[field].type));
	*out = filter_add_node(filter, NODE_TEST);
	node = filter->nodes[*out];
	node.value_at = (uint32_t)filter->words.len;
	if (field >= 0) {
		node.field = (uint8_t)field;
		node.test = TEST_FLAG;
	} else if (!quoted && all_digits(&parser->word)) {
		node.field = FIELD_TASK;
		node.test = TEST_RANGES;
		node.index = (uint32_t)filter->range_count;
		node.count = 1;
		if (filter_value_number(parser->word.data, &value, &err))
			return parser_bad_value(parser, name->at, name->len, &err);
		filter_add_range(filter, value, value);
		str_addn(&filter->words, parser->word.data, parser->word.len);
	} else if (!quoted && (parser->word.data[0] == '%' ||
			       parser->names->syscall_number(parser->names->ctx, parser->word.data,
							     parser->word.len) >= 0)) {
		node.field = FIELD_SYSCALL;
		node.test = TEST_SYSCALLS;
		node.op = TOKEN_EQ;
		node.index = (uint32_t)filter->set_count;
		if (filter_value_syscall(parser->names, parser->word.data, filter_add_set(filter),
					 &err))
			return parser_bad_value(parser, name->at, name->len, &err);
		str_addn(&filter->words, parser->word.data, parser->word.len);
	} else if (!parser->word.len) {
		failed = filter_fail(parser->error, name->at, name->len,
				     "an empty string matches every name");
	} else {
		struct str pattern = STR_INIT;
		add_literal_pattern(&pattern, &parser->word);
		str_clear(&parser->word);
		str_addn(&parser->word, pattern.data, pattern.len);
		str_release(&pattern);
		node.field = FIELD_COMM;
		node.test = TEST_PATTERN;
		node.op = TOKEN_MATCH;
		failed = parser_store_pattern(parser, name->at, name->len, &node.index);
		if (failed)
			filter_fail(parser->error, name->at, name->len,
				    "\"%s\" is too long for a part of a name",
				    parser_show(parser, name, shown));
	}
	node.value_len = (uint32_t)(filter->words.len - node.value_at);
	filter->nodes[*out] = node;
	return failed;
}

/* True for "descendant of": parser->word is the consumed first word; the current token is "of". */
static bool is_descendant(const struct parser *parser)
{
	const struct filter_token *of = &parser->token;

	return filter_field_find(parser->word.data, parser->word.len) == FIELD_DESCENDANT &&
	       of->kind == TOKEN_WORD && of->len == 2 &&
	       !memcmp(parser->lexer.text + of->at, "of", 2);
}

int parser_take_test(struct parser *parser, uint32_t *out)
{
	struct filter_token name = parser->token;
	int failed = parser_take_value(parser, "a test");
	bool inverted = false;
	uint32_t inner;

	if (failed)
		return failed;
	/* "pid not in {1, 2}" */
	if (parser->token.kind == TOKEN_NOT && name.kind == TOKEN_WORD &&
	    filter_field_find(parser->word.data, parser->word.len) >= 0) {
		inverted = true;
		parser_advance(parser);
		if (parser->token.kind != TOKEN_IN)
			return parser_expected(parser, "in");
	}
	if (name.kind == TOKEN_WORD && is_descendant(parser))
		failed = take_ancestor(parser, out);
	else if (name.kind == TOKEN_WORD &&
		 (filter_token_is_comparison(parser->token.kind) || parser->token.kind == TOKEN_IN))
		failed = take_comparison(parser, &name, out);
	else
		failed = take_bare(parser, &name, out);
	if (!failed && inverted) {
		inner = *out;
		*out = filter_add_node(parser->filter, NODE_NOT);
		parser->filter->nodes[*out].first = inner;
	}
	return failed;
}
