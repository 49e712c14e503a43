/*
 * filter_lexer - the text of a filter cut into tokens.
 *
 * Borrows the text. Any bytes may come in; what is no token is an error of the
 * parser's to report, with its place.
 */
#ifndef FILTER_FILTER_LEXER_H
#define FILTER_FILTER_LEXER_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum filter_token_kind {
	TOKEN_END,
	TOKEN_WORD, /* a name, a number, a keyword's look-alike */
	TOKEN_STRING, /* in quotes; filter_token_text() takes them off */
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
	TOKEN_OF, /* no token, but an operator: behind "descendant" */
	TOKEN_BAD, /* a byte that begins nothing */
	TOKEN_OPEN_STRING, /* a string without its end */
};

struct filter_token {
	enum filter_token_kind kind;
	size_t at, len; /* bytes of the text, quotes included */
};

struct filter_lexer {
	const char *text;
	size_t len, at;
};

struct filter_token filter_lexer_next(struct filter_lexer *lexer);
bool filter_token_is_comparison(enum filter_token_kind kind); /* == to & */
const char *filter_token_operator(enum filter_token_kind kind); /* "==", or NULL */

/*
 * Appends a word as it is, a string without quotes and escapes: \" \\ \n \t \r
 * \xHH and up to three octal digits; any other \c stays as it is, so that
 * "a\.b" reads as a pattern should. False: it would hold a NUL.
 * filter_quote() is the reverse.
 */
bool filter_token_text(struct str *out, const struct filter_lexer *lexer,
		       const struct filter_token *token);

#endif
