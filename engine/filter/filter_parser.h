/*
 * filter_parser - state of the parser, shared by its parts. Private to them.
 *
 * filter_parse.c parses how tests are joined, filter_test.c a test, filter_operand.c its right
 * side. Functions that return int return 0, or -EINVAL with the error set.
 */
#ifndef FILTER_FILTER_PARSER_H
#define FILTER_FILTER_PARSER_H

#include "engine/filter/filter_tree.h"

struct parser {
	struct filter *filter;
	const struct filter_names *names;
	struct filter_lexer lexer;
	struct filter_token token; /* the current token, not consumed yet */
	unsigned depth, max_depth;
	struct filter_error *error;
	struct str word; /* the current value, without quotes */
};

void parser_advance(struct parser *parser);

/* Format a token for an error message, cut and escaped; returns out. */
#define PARSER_SHOWN_BYTES 48
const char *parser_show(const struct parser *parser, const struct filter_token *token,
			char out[PARSER_SHOWN_BYTES]);

/* Report "expected X" for the current token. Returns -EINVAL. */
int parser_expected(struct parser *parser, const char *what);

int parser_bad_value(struct parser *parser, size_t at, size_t len, const struct err *err);

/* Consume the current word or string into parser->word; `what` names it in the error. */
int parser_take_value(struct parser *parser, const char *what);

/* Compile parser->word, written at `at`, as a pattern of the filter; *index is its index. */
int parser_store_pattern(struct parser *parser, size_t at, size_t len, uint32_t *index);

/* Parse the operand after an operator into the tables of the filter and into the node. */
int parser_take_right_side(struct parser *parser, enum filter_type type, enum filter_token_kind op,
			   struct filter_node *node);

/* Parse one test, which begins with the current token, into a new node. */
int parser_take_test(struct parser *parser, uint32_t *out);

#endif
