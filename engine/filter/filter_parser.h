/*
 * filter_parser - the parser at work, shared by its parts: filter_parse.c knows
 * how tests are joined, filter_test.c what a test is, filter_operand.c what stands
 * on its right. Private to them. What returns int is 0 or -EINVAL with the error set.
 */
#ifndef FILTER_FILTER_PARSER_H
#define FILTER_FILTER_PARSER_H

#include "engine/filter/filter_tree.h"

struct parser {
	struct filter *filter;
	const struct filter_names *names;
	struct filter_lexer lexer;
	struct filter_token token; /* not taken yet */
	unsigned depth, max_depth;
	struct filter_error *error;
	struct str word; /* the value at hand, without quotes */
};

void parser_advance(struct parser *parser);

/* What a token looks like in a sentence: cut, escaped; returns out. */
#define PARSER_SHOWN_BYTES 48
const char *parser_show(const struct parser *parser, const struct filter_token *token,
			char out[PARSER_SHOWN_BYTES]);

/* "expected X": the token at hand is something else. Returns -EINVAL. */
int parser_expected(struct parser *parser, const char *what);

int parser_bad_value(struct parser *parser, size_t at, size_t len, const struct err *err);

/* Takes the word or string at hand into parser->word; `what` was expected. */
int parser_take_value(struct parser *parser, const char *what);

/* parser->word, written at `at`, as a pattern of the filter; its index. */
int parser_store_pattern(struct parser *parser, size_t at, size_t len, uint32_t *index);

/* What follows an operator, into the filter's tables and the node that names them. */
int parser_take_right_side(struct parser *parser, enum filter_type type, enum filter_token_kind op,
			   struct filter_node *node);

/* One test, from the token at hand on, as a new node. */
int parser_take_test(struct parser *parser, uint32_t *out);

#endif
