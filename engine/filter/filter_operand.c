#include "engine/base/mem.h"
#include "engine/filter/filter_parser.h"
#include "engine/filter/filter_values.h"

#include <string.h>

int parser_bad_value(struct parser *parser, size_t at, size_t len, const struct err *err)
{
	return filter_fail(parser->error, at, len, "%s", err->text);
}

int parser_take_value(struct parser *parser, const char *what)
{
	const struct filter_token *token = &parser->token;

	if (token->kind != TOKEN_WORD && token->kind != TOKEN_STRING)
		return parser_expected(parser, what);
	str_clear(&parser->word);
	if (!filter_token_text(&parser->word, &parser->lexer, token))
		return filter_fail(parser->error, token->at, token->len,
				   "a name cannot hold a byte 0");
	parser_advance(parser);
	return 0;
}

static bool is_time_unit(const struct parser *parser, const struct filter_token *token)
{
	static const char *const units[] = { "ns", "us", "ms", "s", "m", "h", "d" };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (token->kind == TOKEN_WORD && token->len == strlen(units[i]) &&
		    !memcmp(parser->lexer.text + token->at, units[i], token->len))
			return true;
	return false;
}

static const char *const value_names[] = {
	[FILTER_NUMBER] = "a number",
	[FILTER_DURATION] = "a duration such as 10ms",
	[FILTER_TEXT] = "a name",
	[FILTER_SYSCALL] = "a syscall, a number or a %class",
	[FILTER_ERRNO] = "an error such as EAGAIN",
	[FILTER_USER] = "a user or its number",
	[FILTER_BOOL] = "nothing",
};

/* A value of a type that is a number in the end; its text goes to the words. */
static int take_number(struct parser *parser, enum filter_type type, int64_t *value)
{
	size_t at = parser->token.at, end = at + parser->token.len;
	struct err err;
	int failed = parser_take_value(parser, value_names[type]);

	if (failed)
		return failed;
	if (type == FILTER_DURATION) {
		/* "10 ms" is two words. */
		if (is_time_unit(parser, &parser->token)) {
			str_addn(&parser->word, parser->lexer.text + parser->token.at,
				 parser->token.len);
			end = parser->token.at + parser->token.len;
			parser_advance(parser);
		}
		failed = filter_value_duration(parser->word.data, value, &err);
	} else if (type == FILTER_ERRNO) {
		failed = filter_value_errno(parser->names, parser->word.data, value, &err);
	} else if (type == FILTER_USER) {
		failed = filter_value_user(parser->names, parser->word.data, value, &err);
	} else {
		failed = filter_value_number(parser->word.data, value, &err);
	}
	if (failed)
		return parser_bad_value(parser, at, end - at, &err);
	str_addn(&parser->filter->words, parser->word.data, parser->word.len);
	return 0;
}

static int take_syscall(struct parser *parser, struct filter_syscall_set *set)
{
	size_t at = parser->token.at, len = parser->token.len;
	struct err err;
	int failed = parser_take_value(parser, value_names[FILTER_SYSCALL]);

	if (!failed && filter_value_syscall(parser->names, parser->word.data, set, &err))
		failed = parser_bad_value(parser, at, len, &err);
	if (!failed)
		str_addn(&parser->filter->words, parser->word.data, parser->word.len);
	return failed;
}

static void keep_string(struct filter *filter, const struct str *text)
{
	filter->strings = mem_grow(filter->strings, &filter->string_cap, filter->string_count + 1,
				   sizeof(*filter->strings));
	filter->strings[filter->string_count++] = mem_strndup(text->data, text->len);
	filter_quote(&filter->words, text->data, text->len);
}

int parser_keep_pattern(struct parser *parser, size_t at, size_t len, uint32_t *index)
{
	struct filter *filter = parser->filter;
	struct err err;
	struct filter_pattern *pattern = filter_pattern_new(parser->word.data, &err);

	if (!pattern)
		return parser_bad_value(parser, at, len, &err);
	filter->patterns = mem_grow(filter->patterns, &filter->pattern_cap,
				    filter->pattern_count + 1, sizeof(*filter->patterns));
	*index = (uint32_t)filter->pattern_count;
	filter->patterns[filter->pattern_count++] = pattern;
	filter_quote(&filter->words, parser->word.data, parser->word.len);
	return 0;
}

/* Adds the numbers that `value OPERATOR` stands for; != is its caller's. */
static void add_comparison(struct filter *filter, enum filter_token_kind operator, int64_t value)
{
	switch (operator) {
	case TOKEN_LT:
		/* Nothing is below the least number: an empty range. */
		if (value == INT64_MIN)
			filter_add_range(filter, 1, 0);
		else
			filter_add_range(filter, INT64_MIN, value - 1);
		break;
	case TOKEN_LE:
		filter_add_range(filter, INT64_MIN, value);
		break;
	case TOKEN_GT:
		if (value == INT64_MAX)
			filter_add_range(filter, 1, 0);
		else
			filter_add_range(filter, value + 1, INT64_MAX);
		break;
	case TOKEN_GE:
		filter_add_range(filter, value, INT64_MAX);
		break;
	default:
		filter_add_range(filter, value, value);
		break;
	}
}

/* One element between { and }. */
static int take_element(struct parser *parser, enum filter_type type, uint32_t set)
{
	struct filter *filter = parser->filter;
	size_t at = parser->token.at;
	int64_t lo, hi;
	int failed;

	switch (type) {
	case FILTER_SYSCALL:
		return take_syscall(parser, &filter->sets[set]);
	case FILTER_TEXT:
		failed = parser_take_value(parser, value_names[type]);
		if (!failed)
			keep_string(filter, &parser->word);
		return failed;
	default:
		break;
	}
	failed = take_number(parser, type, &lo);
	hi = lo;
	if (!failed && parser->token.kind == TOKEN_RANGE) {
		str_add(&filter->words, "..");
		parser_advance(parser);
		failed = take_number(parser, type, &hi);
		if (!failed && hi < lo)
			failed = filter_fail(parser->error, at, parser->token.at - at,
					     "the range ends before it begins");
	}
	if (!failed)
		filter_add_range(filter, lo, hi);
	return failed;
}

static int take_list(struct parser *parser, enum filter_type type, struct filter_node *node)
{
	struct filter *filter = parser->filter;
	int failed = 0;

	if (parser->token.kind != TOKEN_OPEN)
		return parser_expected(parser, "{ and the values, as in {1, 2}");
	parser_advance(parser);
	if (type == FILTER_SYSCALL) {
		node->test = TEST_SYSCALLS;
		node->index = (uint32_t)filter->set_count;
		filter_add_set(filter);
	} else if (type == FILTER_TEXT) {
		node->test = TEST_NAMES;
		node->index = (uint32_t)filter->string_count;
	} else {
		node->test = TEST_RANGES;
		node->index = (uint32_t)filter->range_count;
	}
	str_addc(&filter->words, '{');
	while (!failed && parser->token.kind != TOKEN_CLOSE) {
		failed = take_element(parser, type, node->index);
		node->count++;
		if (failed || parser->token.kind == TOKEN_CLOSE)
			break;
		if (parser->token.kind != TOKEN_COMMA)
			return parser_expected(parser, "a comma or }");
		str_add(&filter->words, ", ");
		parser_advance(parser);
		if (parser->token.kind == TOKEN_CLOSE)
			return parser_expected(parser, value_names[type]);
	}
	if (failed)
		return failed;
	str_addc(&filter->words, '}');
	parser_advance(parser);
	return 0;
}

int parser_take_right_side(struct parser *parser, enum filter_type type,
			   enum filter_token_kind operator, struct filter_node *node)
{
	struct filter *filter = parser->filter;
	bool matches = operator == TOKEN_MATCH || operator == TOKEN_NO_MATCH;
	size_t at = parser->token.at, len = parser->token.len;
	uint32_t pattern;
	int64_t value;
	int failed;

	node->inverted = operator == TOKEN_NE || operator == TOKEN_NO_MATCH;
	if (operator == TOKEN_IN)
		return take_list(parser, type, node);
	if (matches) {
		failed = parser_take_value(parser, "a pattern");
		if (!failed)
			failed = parser_keep_pattern(parser, at, len, &pattern);
		if (failed)
			return failed;
		node->test = type == FILTER_SYSCALL ? TEST_SYSCALLS : TEST_PATTERN;
		node->index = pattern;
		if (type == FILTER_SYSCALL) {
			node->index = (uint32_t)filter->set_count;
			filter_syscall_pattern(parser->names, filter->patterns[pattern],
					       filter_add_set(filter));
		}
		return 0;
	}
	if (type == FILTER_SYSCALL) {
		node->test = TEST_SYSCALLS;
		node->index = (uint32_t)filter->set_count;
		return take_syscall(parser, filter_add_set(filter));
	}
	if (type == FILTER_TEXT) {
		node->test = TEST_NAMES;
		node->index = (uint32_t)filter->string_count;
		node->count = 1;
		failed = parser_take_value(parser, value_names[type]);
		if (!failed)
			keep_string(filter, &parser->word);
		return failed;
	}
	node->test = TEST_RANGES;
	node->index = (uint32_t)filter->range_count;
	node->count = 1;
	failed = take_number(parser, type, &value);
	if (!failed)
		add_comparison(filter, operator, value);
	return failed;
}
