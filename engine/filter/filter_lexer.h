/*
 * filter_lexer - splits the text of a filter into tokens.
 *
 * Borrows the text, which can hold any bytes. Invalid input becomes an error token with its
 * position, which the parser reports.
 */
#ifndef FILTER_FILTER_LEXER_H
#define FILTER_FILTER_LEXER_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum filter_token_kind {
	TOKEN_END,
	TOKEN_WORD, /* a name or a number */
	TOKEN_STRING, /* in quotes, which filter_token_text() removes */
	TOKEN_LEFT, /* ( */
	TOKEN_RIGHT,
	TOKEN_OPEN, /* { */
	TOKEN_CLOSE,
	TOKEN_COMMA,
	TOKEN_RANGE, /* .. */
	TOKEN_AND,
	TOKEN_OR,
	TOKEN_NOT,
	TOKEN_IN,
	TOKEN_EQ,
	TOKEN_NE,
	TOKEN_LT,
	TOKEN_LE,
	TOKEN_GT,
	TOKEN_GE,
	TOKEN_MATCH, /* ~ */
	TOKEN_NO_MATCH, /* !~ */
	TOKEN_BITS, /* & */
	TOKEN_BAR, /* | between names of bits */
	TOKEN_OF, /* operator after "descendant"; never returned by the lexer */
	TOKEN_BAD, /* a byte that starts no token */
	TOKEN_OPEN_STRING, /* an unterminated string */
};

struct filter_token {
	enum filter_token_kind kind;
	size_t at, len; /* bytes of the text, with quotes */
};

struct filter_lexer {
	const char *text;
	size_t len, at;
};

struct filter_token filter_lexer_next(struct filter_lexer *lexer);
bool filter_token_is_comparison(enum filter_token_kind kind); /* TOKEN_EQ to TOKEN_BITS */
const char *filter_token_operator(enum filter_token_kind kind); /* "==", or NULL */

/*
 * Append a word as is, or a string without quotes and with escapes replaced: \" \' \\ \n \t \r \xHH
 * and up to three octal digits. Any other \c stays as it is, so that patterns such as "a\.b" need
 * no second backslash. False: the text contains a NUL. filter_quote() is the reverse.
 */
bool filter_token_text(struct str *out, const struct filter_lexer *lexer,
		       const struct filter_token *token);

#endif
