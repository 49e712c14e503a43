#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/filter/filter_arguments.h"
#include "engine/filter/filter_parser.h"
#include "engine/filter/filter_values.h"

#include <errno.h>
#include <string.h>

#define SHOWN_BYTES 64

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
				   "a name cannot contain a NUL byte");
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

/* -- Numbers -------------------------------------------------------------------------- */

/* Left side of a comparison, which determines how the right side is parsed. */
struct side {
	struct filter_node *node;
	enum filter_type type;
	struct filter_arguments *arguments; /* for FILTER_ARGUMENT */
	bool names_only; /* all values so far are named constants */
};

/* True if values can be named constants: for arguments, selected by name or by position. */
static bool has_names(const struct side *side)
{
	return side->type == FILTER_ARGUMENT || side->node->field <= FIELD_ARG5;
}

static bool is_number_like(const char *word)
{
	return word[0] == '-' || (word[0] >= '0' && word[0] <= '9');
}

static struct filter_syscall_set *calls_of(struct parser *parser, const struct side *side)
{
	return side->type == FILTER_ARGUMENT ? &parser->filter->sets[side->node->calls] : NULL;
}

static int value_by_name(struct parser *parser, struct side *side, const char *word, int64_t *value,
			 struct err *err)
{
	struct filter_syscall_set *calls = calls_of(parser, side), before;
	unsigned position = side->node->field;
	char shown[SHOWN_BYTES];
	const char *nearest;
	uint64_t found;

	if (calls)
		before = *calls;
	if (filter_arguments_constant(parser->filter, side->arguments, position, word, &found,
				      calls)) {
		static const struct filter_syscall_set none;
		*value = (int64_t)found;
		if (!calls || memcmp(calls, &none, sizeof(none)))
			return 0;
		*calls = before;
		return err_set(err, -EINVAL,
			       "no system call has %s together with the preceding names",
			       escape_name(shown, sizeof(shown), word));
	}
	escape_name(shown, sizeof(shown), word);
	nearest = filter_arguments_nearest(parser->filter, side->arguments, position, word);
	if (nearest)
		return err_set(err, -EINVAL, "unknown name \"%s\"; did you mean %s?", shown,
			       nearest);
	if (side->arguments)
		return err_set(err, -EINVAL, "\"%s\" is neither a number nor a constant of %s",
			       shown, side->arguments->name);
	return err_set(err, -EINVAL, "\"%s\" is neither a number nor a known constant", shown);
}

/* Convert one word to a number, by the type of the left side. */
static int value_of(struct parser *parser, struct side *side, const char *word, int64_t *value,
		    struct err *err)
{
	switch (side->type) {
	case FILTER_DURATION:
		return filter_value_duration(word, value, err);
	case FILTER_ERRNO:
		return filter_value_errno(parser->names, word, value, err);
	case FILTER_USER:
		return filter_value_user(parser->names, word, value, err);
	default:
		break;
	}
	if (has_names(side) && !is_number_like(word))
		return value_by_name(parser, side, word, value, err);
	side->names_only = false;
	return filter_value_number(word, value, err);
}

/* Parse a value of a numeric type; append its text to filter->words. */
static int take_number(struct parser *parser, struct side *side, int64_t *value)
{
	struct str *words = &parser->filter->words;
	size_t begin = words->len;

	for (*value = 0;;) {
		size_t at = parser->token.at, end = at + parser->token.len;
		bool quoted = parser->token.kind == TOKEN_STRING;
		struct err err;
		int64_t part;
		int failed = parser_take_value(parser, filter_type_values(side->type));

		if (failed)
			return failed;
		/* "10 ms" is two tokens. */
		if (side->type == FILTER_DURATION && is_time_unit(parser, &parser->token)) {
			str_addn(&parser->word, parser->lexer.text + parser->token.at,
				 parser->token.len);
			end = parser->token.at + parser->token.len;
			parser_advance(parser);
		}
		if (quoted && side->type == FILTER_ARGUMENT)
			return filter_fail(parser->error, at, end - at,
					   "expected a number or a constant, not a string");
		if (value_of(parser, side, parser->word.data, &part, &err))
			return parser_bad_value(parser, at, end - at, &err);
		*value |= part;
		if (words->len > begin)
			str_addc(words, '|');
		str_addn(words, parser->word.data, parser->word.len);
		if (parser->token.kind != TOKEN_BAR || !has_names(side))
			return 0;
		parser_advance(parser);
	}
}

/* Add the ranges of numbers that satisfy `OPERATOR value`; the caller handles !=. */
static void add_comparison(struct filter *filter, enum filter_token_kind op, int64_t value)
{
	switch (op) {
	case TOKEN_LT:
		/* No number is below the minimum: add an empty range. */
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

/* -- Texts ---------------------------------------------------------------------------- */

static void store_string(struct filter *filter, const struct str *text)
{
	filter->strings = mem_grow(filter->strings, &filter->string_cap, filter->string_count + 1,
				   sizeof(*filter->strings));
	filter->strings[filter->string_count++] = mem_strndup(text->data, text->len);
	filter_quote(&filter->words, text->data, text->len);
}

int parser_store_pattern(struct parser *parser, size_t at, size_t len, uint32_t *index)
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

static int take_text(struct parser *parser, enum filter_type type)
{
	int failed = parser_take_value(parser, filter_type_values(type));

	if (!failed)
		store_string(parser->filter, &parser->word);
	return failed;
}

static int take_syscall(struct parser *parser, struct filter_syscall_set *set)
{
	size_t at = parser->token.at, len = parser->token.len;
	struct err err;
	int failed = parser_take_value(parser, filter_type_values(FILTER_SYSCALL));

	if (!failed && filter_value_syscall(parser->names, parser->word.data, set, &err))
		failed = parser_bad_value(parser, at, len, &err);
	if (!failed)
		str_addn(&parser->filter->words, parser->word.data, parser->word.len);
	return failed;
}

/* -- Right sides ------------------------------------------------------------------------ */

/* True if the argument is a text in every call that has it. */
static bool is_always_text(const struct filter_arguments *arguments)
{
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++)
		if (arguments->of[nr].present && !arguments->of[nr].is_text)
			return false;
	return true;
}

/* True if a value that starts with this token is a text for the left side. */
static bool is_text(const struct parser *parser, const struct side *side,
		    const struct filter_token *token)
{
	bool number = token->len && is_number_like(parser->lexer.text + token->at);

	switch (side->type) {
	case FILTER_TEXT:
		return true;
	case FILTER_THREAD:
		return token->kind == TOKEN_STRING || (token->kind == TOKEN_WORD && !number);
	case FILTER_ARGUMENT:
		return token->kind == TOKEN_STRING ||
		       (token->kind == TOKEN_WORD && !number && is_always_text(side->arguments));
	default:
		return false;
	}
}

/* Choose the calls that have the argument; `text`: only those where it is a text. */
static int choose_calls(struct parser *parser, struct side *side, bool text)
{
	const struct filter_token *token = &parser->token;

	if (side->type != FILTER_ARGUMENT)
		return 0;
	side->node->calls = (uint32_t)parser->filter->set_count;
	if (filter_arguments_calls(side->arguments, text, filter_add_set(parser->filter)))
		return 0;
	return filter_fail(parser->error, token->at, token->len ? token->len : 1,
			   "%s is a number in all calls that have it", side->arguments->name);
}

/* Parse one element of a list. */
static int take_element(struct parser *parser, struct side *side, bool text)
{
	struct filter *filter = parser->filter;
	size_t at = parser->token.at;
	int64_t lo, hi;
	int failed;

	if (side->type == FILTER_SYSCALL)
		return take_syscall(parser, &filter->sets[side->node->index]);
	if (text)
		return take_text(parser, side->type);
	failed = take_number(parser, side, &lo);
	hi = lo;
	if (!failed && parser->token.kind == TOKEN_RANGE) {
		str_add(&filter->words, "..");
		side->node->exact_values = false;
		parser_advance(parser);
		failed = take_number(parser, side, &hi);
		if (!failed && hi < lo)
			failed = filter_fail(parser->error, at, parser->token.at - at,
					     "the range ends before it begins");
	}
	if (!failed)
		filter_add_range(filter, lo, hi);
	return failed;
}

static int take_list(struct parser *parser, struct side *side)
{
	struct filter *filter = parser->filter;
	struct filter_node *node = side->node;
	int failed;
	bool text;

	if (parser->token.kind != TOKEN_OPEN)
		return parser_expected(parser, "a list of values, as in {1, 2}");
	parser_advance(parser);
	/* After a mask, values are numbers, and the calls are chosen already. */
	text = node->mask == UINT64_MAX && is_text(parser, side, &parser->token);
	failed = node->mask == UINT64_MAX ? choose_calls(parser, side, text) : 0;
	if (side->type == FILTER_SYSCALL) {
		node->test = TEST_SYSCALLS;
		node->index = (uint32_t)filter->set_count;
		filter_add_set(filter);
	} else if (text) {
		node->test = TEST_NAMES;
		node->index = (uint32_t)filter->string_count;
	} else {
		node->test = TEST_RANGES;
		node->index = (uint32_t)filter->range_count;
	}
	node->exact_values = true;
	str_addc(&filter->words, '{');
	while (!failed && parser->token.kind != TOKEN_CLOSE) {
		failed = take_element(parser, side, text);
		node->count++;
		if (failed || parser->token.kind == TOKEN_CLOSE)
			break;
		if (parser->token.kind != TOKEN_COMMA)
			return parser_expected(parser, "a comma or }");
		str_add(&filter->words, ", ");
		parser_advance(parser);
		if (parser->token.kind == TOKEN_CLOSE)
			return parser_expected(parser, filter_type_values(side->type));
	}
	if (failed)
		return failed;
	str_addc(&filter->words, '}');
	parser_advance(parser);
	return 0;
}

static int take_pattern(struct parser *parser, struct side *side)
{
	struct filter *filter = parser->filter;
	struct filter_node *node = side->node;
	size_t at = parser->token.at, len = parser->token.len;
	int failed = choose_calls(parser, side, true);
	uint32_t pattern;
	struct err err;

	if (!failed)
		failed = parser_take_value(parser, "a pattern");
	if (!failed)
		failed = parser_store_pattern(parser, at, len, &pattern);
	if (failed)
		return failed;
	node->test = TEST_PATTERN;
	node->index = pattern;
	if (side->type != FILTER_SYSCALL)
		return 0;
	node->test = TEST_SYSCALLS;
	node->index = (uint32_t)filter->set_count;
	if (filter_syscall_pattern(parser->names, filter->patterns[pattern], filter_add_set(filter),
				   &err))
		return parser_bad_value(parser, at, len, &err);
	return 0;
}

/* "& O_CREAT", "& O_ACCMODE == O_RDWR": a mask, optionally with a comparison of the masked bits. */
static int take_bits(struct parser *parser, struct side *side)
{
	struct filter_node *node = side->node;
	size_t at = parser->token.at;
	enum filter_token_kind op;
	int failed = choose_calls(parser, side, false);
	int64_t value;

	if (!failed)
		failed = take_number(parser, side, &value);
	if (failed)
		return failed;
	if (!value)
		return filter_fail(parser->error, at, parser->token.at - at,
				   "a mask of 0 has no bits to test: compare with ==");
	node->mask = (uint64_t)value;
	node->test = TEST_RANGES;
	node->index = (uint32_t)parser->filter->range_count;
	op = parser->token.kind;
	if (op != TOKEN_EQ && op != TOKEN_NE && op != TOKEN_IN) {
		/* Without a comparison, any bit matches: the masked value is not 0. */
		filter_add_range(parser->filter, 0, 0);
		node->count = 1;
		node->inverted = true;
		return 0;
	}
	str_addf(&parser->filter->words, " %s ", filter_token_operator(op));
	node->inverted = op == TOKEN_NE;
	parser_advance(parser);
	if (op == TOKEN_IN)
		return take_list(parser, side);
	failed = take_number(parser, side, &value);
	filter_add_range(parser->filter, value, value);
	node->count = 1;
	return failed;
}

/*
 * True if all values are names of an enumeration within the argument. Then only its bits are
 * compared, and flags are ignored.
 */
static bool asks_by_choice(const struct parser *parser, const struct side *side)
{
	const struct filter_node *node = side->node;
	const struct filter *filter = parser->filter;
	bool any = false;

	if (side->type != FILTER_ARGUMENT || node->test != TEST_RANGES || !side->names_only ||
	    !node->exact_values || node->mask != UINT64_MAX)
		return false;
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		uint64_t choice = side->arguments->of[nr].choice;

		if (!choice || !filter_syscall_set_has(&filter->sets[node->calls], nr))
			continue;
		any = true;
		for (uint32_t i = 0; i < node->count; i++)
			if ((uint64_t)filter->ranges[node->index + i].lo & ~choice)
				return false;
	}
	return any;
}

static int take_value(struct parser *parser, struct side *side, enum filter_token_kind op)
{
	struct filter *filter = parser->filter;
	struct filter_node *node = side->node;
	bool text = is_text(parser, side, &parser->token);
	int failed = choose_calls(parser, side, text);
	int64_t value;

	node->count = 1;
	if (side->type == FILTER_SYSCALL) {
		node->test = TEST_SYSCALLS;
		node->index = (uint32_t)filter->set_count;
		return take_syscall(parser, filter_add_set(filter));
	}
	if (failed)
		return failed;
	if (text) {
		if (op != TOKEN_EQ && op != TOKEN_NE)
			return filter_fail(parser->error, parser->token.at, parser->token.len,
					   "strings are compared with == != ~ !~ in");
		node->test = TEST_NAMES;
		node->index = (uint32_t)filter->string_count;
		return take_text(parser, side->type);
	}
	node->test = TEST_RANGES;
	node->index = (uint32_t)filter->range_count;
	node->exact_values = op == TOKEN_EQ || op == TOKEN_NE;
	failed = take_number(parser, side, &value);
	if (!failed)
		add_comparison(filter, op, value);
	return failed;
}

int parser_take_right_side(struct parser *parser, enum filter_type type, enum filter_token_kind op,
			   struct filter_node *node)
{
	struct side side = { .node = node, .type = type, .names_only = true };
	int failed;

	if (type == FILTER_ARGUMENT)
		side.arguments = parser->filter->arguments[node->argument];
	node->inverted = op == TOKEN_NE || op == TOKEN_NO_MATCH;
	switch (op) {
	case TOKEN_IN:
		failed = take_list(parser, &side);
		break;
	case TOKEN_MATCH:
	case TOKEN_NO_MATCH:
		return take_pattern(parser, &side);
	case TOKEN_BITS:
		return take_bits(parser, &side);
	default:
		failed = take_value(parser, &side, op);
		break;
	}
	node->by_choice = !failed && asks_by_choice(parser, &side);
	return failed;
}
