#include "tui/calls/text_fields.h"

#include <stdint.h>

#define DEPTH_MAX 6
#define LINES_MAX 400

struct splitter {
	text_field_fn *line;
	void *ctx;
	size_t lines;
};

static bool opens(char c)
{
	return c == '{' || c == '[' || c == '(';
}

static bool closes(char c)
{
	return c == '}' || c == ']' || c == ')';
}

/* Return the index after the quoted text that begins at `at`. */
static size_t skip_quoted(const char *text, size_t len, size_t at)
{
	for (at++; at < len && text[at] != '"'; at++)
		if (text[at] == '\\')
			at++;
	return at < len ? at + 1 : len;
}

/*
 * Return the index of the bracket that closes the group at `at`; `len`: none. Sets *has_struct if
 * the group is or contains a struct.
 */
static size_t find_close(const char *text, size_t len, size_t at, bool *has_struct)
{
	unsigned depth = 0;

	while (at < len) {
		if (text[at] == '"') {
			at = skip_quoted(text, len, at);
			continue;
		}
		if (text[at] == '{')
			*has_struct = true;
		if (opens(text[at]))
			depth++;
		else if (closes(text[at]) && !--depth)
			return at;
		at++;
	}
	return len;
}

/*
 * Return the index of the first group that is or contains a struct; `len` if there is none. *close:
 * index of its closing bracket.
 */
static size_t find_group(const char *text, size_t len, size_t *close)
{
	size_t at = 0;

	while (at < len) {
		bool has_struct = false;

		if (text[at] == '"') {
			at = skip_quoted(text, len, at);
		} else if (opens(text[at])) {
			*close = find_close(text, len, at, &has_struct);
			if (has_struct && *close<len && * close> at + 1)
				return at;
			at = *close < len ? *close + 1 : len;
		} else {
			at++;
		}
	}
	return len;
}

/* Return the index after the comma that ends the item at `at`. */
static size_t item_end(const char *text, size_t len, size_t at)
{
	unsigned depth = 0;

	while (at < len) {
		if (text[at] == '"') {
			at = skip_quoted(text, len, at);
			continue;
		}
		if (opens(text[at]))
			depth++;
		else if (closes(text[at]) && depth)
			depth--;
		else if (text[at] == ',' && !depth)
			return at + 1;
		at++;
	}
	return len;
}

static void add_line(struct splitter *splitter, const char *text, size_t len, unsigned depth)
{
	splitter->lines++;
	splitter->line(splitter->ctx, text, len, depth);
}

/* Recursion is limited: DEPTH_MAX bounds nesting, LINES_MAX bounds consecutive groups. */
static void split(struct splitter *splitter, const char *text, size_t len, unsigned depth)
{
	size_t close, open = depth < DEPTH_MAX ? find_group(text, len, &close) : len;

	if (open == len || splitter->lines >= LINES_MAX) {
		add_line(splitter, text, len, depth);
		return;
	}
	add_line(splitter, text, open + 1, depth);
	for (size_t at = open + 1; at < close;) {
		size_t end = splitter->lines < LINES_MAX ? item_end(text, close, at) : close;

		split(splitter, text + at, end - at, depth + 1);
		for (at = end; at < close && text[at] == ' '; at++)
			;
	}
	/* Another group can follow: "[{...}, {...}] => [...]". */
	split(splitter, text + close, len - close, depth);
}

void text_fields(const char *text, size_t len, text_field_fn *line, void *ctx)
{
	struct splitter splitter = { line, ctx, 0 };

	split(&splitter, text, len, 0);
}
