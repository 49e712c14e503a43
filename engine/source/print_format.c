#include "engine/source/print_format.h"

#include <string.h>

#define PLAIN_BYTES_MAX (16 << 10)
#define PLAIN_NESTING_MAX 24
#define PLAIN_WIDTH_MAX 3 /* digits of a width or precision */
#define PLAIN_NUMBER_MAX 18

static const char marker[] = "\nprint fmt:";

size_t print_format_at(const char *text, size_t bytes)
{
	const char *found = memmem(text, bytes, marker, sizeof(marker) - 1);

	return found ? (size_t)(found - text) + 1 : bytes;
}

/* -- Plain print formats ----------------------------------------------------------------------- */

/* The unparsed text. Each function below advances `at` past what it accepts. */
struct rest {
	const char *at, *end;
	unsigned int nesting;
	print_format_has_fn *has;
	void *ctx;
};

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_space(struct rest *rest)
{
	while (rest->at < rest->end && is_space(*rest->at))
		rest->at++;
}

static bool take(struct rest *rest, const char *text)
{
	size_t len = strlen(text);

	skip_space(rest);
	if ((size_t)(rest->end - rest->at) < len || memcmp(rest->at, text, len) != 0)
		return false;
	rest->at += len;
	return true;
}

/* Accept one of the NUL-terminated words; an empty word ends the list. */
static bool take_one_of(struct rest *rest, const char *words)
{
	for (; *words; words += strlen(words) + 1) {
		struct rest before = *rest;

		if (take(rest, words) && (!is_word(words[strlen(words) - 1]) ||
					  rest->at == rest->end || !is_word(*rest->at)))
			return true;
		*rest = before;
	}
	return false;
}

static bool take_name(struct rest *rest)
{
	const char *from;

	skip_space(rest);
	from = rest->at;
	while (rest->at < rest->end && is_word(*rest->at))
		rest->at++;
	return rest->at > from && !is_digit(*from);
}

static bool take_number(struct rest *rest)
{
	const char *from;

	skip_space(rest);
	from = rest->at;
	if (rest->at == rest->end || !is_digit(*from))
		return false;
	while (rest->at < rest->end && is_word(*rest->at))
		rest->at++;
	return rest->at - from <= PLAIN_NUMBER_MAX;
}

/* Accept the flags, width and precision after a % in a string. */
static bool take_conversion(struct rest *rest)
{
	unsigned int digits = 0;

	for (; rest->at < rest->end; rest->at++) {
		char c = *rest->at;

		if (c == '*')
			return false;
		if (is_digit(c)) {
			if (++digits > PLAIN_WIDTH_MAX)
				return false;
		} else if (c == '.') {
			digits = 0;
		} else if (!c || !strchr("-+ #", c)) {
			return true;
		}
	}
	return true;
}

static bool take_string(struct rest *rest)
{
	if (!take(rest, "\""))
		return false;
	while (rest->at < rest->end && *rest->at != '"') {
		char c = *rest->at++;

		if (!c || (c == '\\' && rest->at++ >= rest->end))
			return false;
		if (c == '%' && !take_conversion(rest))
			return false;
	}
	return take(rest, "\"");
}

/* Reject a field that the format lacks: libtraceevent would use it unchecked and crash. */
static bool take_field(struct rest *rest)
{
	const char *from;

	skip_space(rest);
	from = rest->at;
	return take_name(rest) &&
	       (!rest->has || rest->has(rest->ctx, from, (size_t)(rest->at - from)));
}

static bool take_expression(struct rest *rest);

/* Accept the end of a list of named values: , { 1, "a" }, { 2, "b" }) */
static bool take_values(struct rest *rest)
{
	while (take(rest, ","))
		if (!take(rest, "{") || !take_expression(rest) || !take(rest, ",") ||
		    !take_string(rest) || !take(rest, "}"))
			return false;
	return take(rest, ")");
}

static bool take_operand(struct rest *rest);

static bool take_deeper(struct rest *rest)
{
	bool plain;

	if (++rest->nesting > PLAIN_NESTING_MAX)
		return false;
	plain = take_operand(rest);
	rest->nesting--;
	return plain;
}

static bool take_operand(struct rest *rest)
{
	if (take_one_of(rest, "!\0~\0-\0"))
		return take_deeper(rest);
	if (take(rest, "REC->"))
		return take_field(rest);
	if (take(rest, "__get_str("))
		return take_field(rest) && take(rest, ")");
	if (take(rest, "__print_symbolic("))
		return take_expression(rest) && take_values(rest);
	if (take(rest, "__print_flags("))
		return take_expression(rest) && take(rest, ",") && take_string(rest) &&
		       take_values(rest);
	if (take(rest, "(")) {
		bool cast = false;

		while (take_one_of(rest, "unsigned\0signed\0long\0int\0short\0char\0"
					 "u8\0u16\0u32\0u64\0s8\0s16\0s32\0s64\0"))
			cast = true;
		if (cast)
			return take(rest, ")") && take_deeper(rest);
		return take_expression(rest) && take(rest, ")");
	}
	skip_space(rest);
	if (rest->at < rest->end && *rest->at == '"')
		return take_string(rest);
	return take_number(rest);
}

static bool take_expression(struct rest *rest)
{
	bool plain;

	if (++rest->nesting > PLAIN_NESTING_MAX)
		return false;
	plain = take_operand(rest);
	/* Long operators first: after `<` alone, the second `<` of `<<` would not be an operand. */
	while (plain && take_one_of(rest, "<<\0>>\0==\0!=\0<=\0>=\0&&\0||\0+\0-\0*\0&\0|\0"
					  "^\0<\0>\0"))
		plain = take_operand(rest);
	if (plain && take(rest, "?"))
		plain = take_expression(rest) && take(rest, ":") && take_expression(rest);
	rest->nesting--;
	return plain;
}

bool print_format_is_plain(const char *format, size_t bytes, print_format_has_fn *has, void *ctx)
{
	struct rest rest = { .at = format, .end = format + bytes, .has = has, .ctx = ctx };

	if (!bytes)
		return true;
	if (bytes > PLAIN_BYTES_MAX || !take(&rest, "print fmt:") || !take_string(&rest))
		return false;
	while (take(&rest, ","))
		if (!take_expression(&rest))
			return false;
	skip_space(&rest);
	return rest.at == rest.end;
}

/* -- Fields before the print format --------------------------------------------------------- */

static bool take_length(struct rest *rest)
{
	if (take(rest, "]"))
		return true;
	return (take_number(rest) || take_name(rest)) && take(rest, "]");
}

/* Accept TYPE NAME, TYPE NAME[16] or __data_loc TYPE[] NAME: at least two words. */
static bool take_declaration(struct rest *rest)
{
	unsigned int words = 0;
	bool named = false;

	while (!take(rest, ";")) {
		if (take(rest, "[")) {
			if (!words || !take_length(rest))
				return false;
		} else if (take(rest, "*")) {
			named = false;
		} else if (take_name(rest)) {
			named = ++words > 1;
		} else {
			return false;
		}
	}
	return named;
}

static bool take_counted(struct rest *rest, const char *what)
{
	return take(rest, what) && take_number(rest);
}

bool format_fields_are_plain(const char *text, size_t bytes)
{
	struct rest rest = { .at = text, .end = text + print_format_at(text, bytes) };

	if (!take(&rest, "name:") || !take_name(&rest) || !take_counted(&rest, "ID:") ||
	    !take(&rest, "format:"))
		return false;
	while (take(&rest, "field:"))
		if (!take_declaration(&rest) || !take_counted(&rest, "offset:") ||
		    !take(&rest, ";") || !take_counted(&rest, "size:") || !take(&rest, ";") ||
		    !take_counted(&rest, "signed:") || !take(&rest, ";"))
			return false;
	skip_space(&rest);
	return rest.at == rest.end;
}
