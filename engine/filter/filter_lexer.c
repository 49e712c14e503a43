#include "engine/filter/filter_lexer.h"

#include "engine/filter/filter.h"

#include <string.h>

static const struct {
	const char *text;
	enum filter_token_kind kind;
} operators[] = {
	/* Longer operators first. */
	{ "&&", TOKEN_AND },
	{ "||", TOKEN_OR },
	{ "==", TOKEN_EQ },
	{ "!=", TOKEN_NE },
	{ "<=", TOKEN_LE },
	{ ">=", TOKEN_GE },
	{ "!~", TOKEN_NO_MATCH },
	{ "..", TOKEN_RANGE },
	{ "=", TOKEN_EQ },
	{ "<", TOKEN_LT },
	{ ">", TOKEN_GT },
	{ "~", TOKEN_MATCH },
	{ "!", TOKEN_NOT },
	{ "&", TOKEN_BITS },
	{ "|", TOKEN_BAR },
	{ "(", TOKEN_LEFT },
	{ ")", TOKEN_RIGHT },
	{ "{", TOKEN_OPEN },
	{ "}", TOKEN_CLOSE },
	{ ",", TOKEN_COMMA },
}, keywords[] = {
	{ "and", TOKEN_AND }, { "or", TOKEN_OR }, { "not", TOKEN_NOT }, { "in", TOKEN_IN },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A word can be a comm, which holds nearly any byte; bytes of the grammar are excluded. */
static bool is_word_byte(char c)
{
	return (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || (c && strchr("_-./:@+%*#$^[]", c));
}

static size_t word_length(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && is_word_byte(text[i])) {
		/* 1..5 is a range, and so is a..b: relevant names do not contain two dots. */
		if (text[i] == '.' && i + 1 < len && text[i + 1] == '.')
			break;
		i++;
	}
	return i;
}

static struct filter_token string_token(const struct filter_lexer *lexer)
{
	struct filter_token token = { TOKEN_OPEN_STRING, lexer->at, lexer->len - lexer->at };
	char quote = lexer->text[lexer->at];

	for (size_t i = lexer->at + 1; i < lexer->len; i++) {
		if (lexer->text[i] == '\\') {
			i++;
		} else if (lexer->text[i] == quote) {
			token.kind = TOKEN_STRING;
			token.len = i + 1 - lexer->at;
			break;
		}
	}
	return token;
}

struct filter_token filter_lexer_next(struct filter_lexer *lexer)
{
	struct filter_token token = { .kind = TOKEN_BAD, .len = 1 };
	const char *text;
	size_t left;

	while (lexer->at < lexer->len && is_space(lexer->text[lexer->at]))
		lexer->at++;
	token.at = lexer->at;
	text = lexer->text + lexer->at;
	left = lexer->len - lexer->at;
	if (!left) {
		token.kind = TOKEN_END;
		token.len = 0;
		return token;
	}
	if (*text == '"' || *text == '\'') {
		token = string_token(lexer);
		lexer->at += token.len;
		return token;
	}
	for (size_t i = 0; i < COUNT(operators); i++) {
		size_t len = strlen(operators[i].text);
		if (len <= left && !memcmp(operators[i].text, text, len)) {
			token.kind = operators[i].kind;
			token.len = len;
			lexer->at += len;
			return token;
		}
	}
	token.len = word_length(text, left);
	if (!token.len) {
		token.len = 1;
		lexer->at++;
		return token;
	}
	token.kind = TOKEN_WORD;
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (strlen(keywords[i].text) == token.len &&
		    !memcmp(keywords[i].text, text, token.len))
			token.kind = keywords[i].kind;
	lexer->at += token.len;
	return token;
}

bool filter_token_is_comparison(enum filter_token_kind kind)
{
	return kind >= TOKEN_EQ && kind <= TOKEN_BITS;
}

const char *filter_token_operator(enum filter_token_kind kind)
{
	for (size_t i = 0; i < COUNT(operators); i++)
		if (operators[i].kind == kind)
			return operators[i].text;
	return kind == TOKEN_IN ? "in" : kind == TOKEN_OF ? "of" : NULL;
}

static int digit_of(char c, int base)
{
	int digit = -1;

	if (c >= '0' && c <= '9')
		digit = c - '0';
	else if (c >= 'a' && c <= 'f')
		digit = c - 'a' + 10;
	else if (c >= 'A' && c <= 'F')
		digit = c - 'A' + 10;
	return digit < base ? digit : -1;
}

/* Read up to max digits at text[*at]; -1 if there are none. */
static int read_digits(const char *text, size_t len, size_t *at, int base, int max)
{
	int value = -1;

	while (max-- && *at < len && digit_of(text[*at], base) >= 0)
		value = (value < 0 ? 0 : value * base) + digit_of(text[(*at)++], base);
	return value;
}

/* Append the escape after the backslash at text[*at - 1]; *at moves past it. False: it is a NUL. */
static bool add_escape(struct str *out, const char *text, size_t len, size_t *at)
{
	static const char letters[] = "ntr", meanings[] = "\n\t\r";
	char c = text[*at];
	const char *letter = strchr(letters, c);
	int value;

	if (c == 'x') {
		size_t digits = *at + 1;
		value = read_digits(text, len, &digits, 16, 2);
		if (value >= 0) {
			*at = digits;
			str_addc(out, (char)value);
			return value != 0;
		}
	}
	value = read_digits(text, len, at, 8, 3);
	if (value >= 0) {
		str_addc(out, (char)value);
		return (char)value != 0;
	}
	(*at)++;
	if (c == '"' || c == '\'' || c == '\\') {
		str_addc(out, c);
	} else if (letter && c) {
		str_addc(out, meanings[letter - letters]);
	} else {
		str_addc(out, '\\');
		str_addc(out, c);
	}
	return c != 0;
}

bool filter_token_text(struct str *out, const struct filter_lexer *lexer,
		       const struct filter_token *token)
{
	const char *text = lexer->text + token->at;
	size_t len = token->len, at = 0;

	if (token->kind != TOKEN_STRING) {
		str_addn(out, text, len);
		return !memchr(text, '\0', len);
	}
	text++;
	len -= 2;
	while (at < len) {
		if (text[at] == '\\' && at + 1 < len) {
			at++;
			if (!add_escape(out, text, len, &at))
				return false;
		} else {
			if (!text[at])
				return false;
			str_addc(out, text[at++]);
		}
	}
	return true;
}

void filter_quote(struct str *out, const char *bytes, size_t len)
{
	str_addc(out, '"');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];
		if (c == '"' || c == '\\') {
			str_addc(out, '\\');
			str_addc(out, (char)c);
		} else if (c < 0x20 || c >= 0x7f) {
			str_addn(out, "\\x", 2);
			str_addc(out, "0123456789abcdef"[c >> 4]);
			str_addc(out, "0123456789abcdef"[c & 15]);
		} else {
			str_addc(out, (char)c);
		}
	}
	str_addc(out, '"');
}
