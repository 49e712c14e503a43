#include "tests/unit/tracepoint_filter.h"

#include "tests/unit/runner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The kernel copies at most a page, NUL included (strndup_user in perf_event_set_filter()). */
#define PAGE_BYTES 4096

struct reader {
	const char *text, *at;
	const struct tracepoint_field *fields;
	size_t field_count;
};

static void refuse(const struct reader *reader, const char *why)
{
	ck_abort_msg("%s at %zu: %s", why, (size_t)(reader->at - reader->text), reader->text);
}

static void skip_blanks(struct reader *reader)
{
	while (isspace((unsigned char)*reader->at))
		reader->at++;
}

static bool take(struct reader *reader, const char *token)
{
	skip_blanks(reader);
	if (strncmp(reader->at, token, strlen(token)))
		return false;
	reader->at += strlen(token);
	return true;
}

static long value_of_field(struct reader *reader)
{
	size_t len = 0;

	skip_blanks(reader);
	while (isalnum((unsigned char)reader->at[len]) || reader->at[len] == '_')
		len++;
	for (size_t i = 0; i < reader->field_count; i++) {
		if (strlen(reader->fields[i].name) == len &&
		    !strncmp(reader->fields[i].name, reader->at, len)) {
			reader->at += len;
			return reader->fields[i].value;
		}
	}
	refuse(reader, "no such field");
	return 0;
}

/* Longer operators first, as in the kernel. */
static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", "&" };

static bool take_predicate(struct reader *reader)
{
	long field = value_of_field(reader), number;
	size_t i = 0;
	char *end;

	while (i < sizeof(operators) / sizeof(operators[0]) && !take(reader, operators[i]))
		i++;
	skip_blanks(reader);
	number = strtol(reader->at, &end, 0);
	if (end == reader->at || i == sizeof(operators) / sizeof(operators[0]))
		refuse(reader, "expected a predicate");
	reader->at = end;
	switch (i) {
	case 0:
		return field == number;
	case 1:
		return field != number;
	case 2:
		return field <= number;
	case 3:
		return field >= number;
	case 4:
		return field < number;
	case 5:
		return field > number;
	default:
		return field & number;
	}
}

static bool take_or(struct reader *reader);

static bool take_not(struct reader *reader)
{
	bool result;

	if (take(reader, "!"))
		return !take_not(reader);
	if (!take(reader, "("))
		return take_predicate(reader);
	result = take_or(reader);
	if (!take(reader, ")"))
		refuse(reader, "expected )");
	return result;
}

static bool take_and(struct reader *reader)
{
	bool result = take_not(reader);

	while (take(reader, "&&"))
		result = take_not(reader) && result;
	return result;
}

static bool take_or(struct reader *reader)
{
	bool result = take_and(reader);

	while (take(reader, "||"))
		result = take_and(reader) || result;
	return result;
}

bool tracepoint_filter_passes(const char *filter, const struct tracepoint_field *fields,
			      size_t field_count)
{
	struct reader reader = { filter, filter, fields, field_count };
	bool result;

	if (!*filter)
		return true;
	if (strlen(filter) >= PAGE_BYTES)
		refuse(&reader, "longer than a page");
	result = take_or(&reader);
	skip_blanks(&reader);
	if (*reader.at)
		refuse(&reader, "text behind the end");
	return result;
}
