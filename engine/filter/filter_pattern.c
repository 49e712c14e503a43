#include "engine/filter/filter_pattern.h"

#include "engine/base/mem.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN_BYTES 256
/* regcomp() unrolls x{m,n}: nested ones multiply, and so would its memory. */
#define REPEATS_MAX 1000

enum pattern_kind {
	PATTERN_PART,
	PATTERN_BEGIN,
	PATTERN_END,
	PATTERN_WHOLE,
	PATTERN_REGEX,
};

struct filter_pattern {
	enum pattern_kind kind;
	size_t len;
	char *literal;
	regex_t regex;
};

/* The text that the pattern stands for, if it stands for one; the caller frees it. */
static char *literal_of(const char *text, enum pattern_kind *kind)
{
	static const char special[] = ".[]()*+?{}|^$\\";
	bool at_begin = text[0] == '^', at_end = false;
	char *literal = mem_alloc(strlen(text) + 1);
	size_t len = 0;

	for (const char *c = text + at_begin; *c; c++) {
		if (*c == '$' && !c[1]) {
			at_end = true;
		} else if (*c == '\\' && c[1] && strchr(special, c[1])) {
			literal[len++] = *++c;
		} else if (strchr(special, *c)) {
			free(literal);
			return NULL;
		} else {
			literal[len++] = *c;
		}
	}
	literal[len] = '\0';
	*kind = at_begin ? (at_end ? PATTERN_WHOLE : PATTERN_BEGIN) :
			   (at_end ? PATTERN_END : PATTERN_PART);
	return literal;
}

static int check_bounds(const char *text, struct err *err)
{
	unsigned long repeats = 1;

	if (strlen(text) > PATTERN_BYTES)
		return err_set(err, -EINVAL, "a pattern has at most %d bytes", PATTERN_BYTES);
	for (const char *c = text; *c; c++) {
		if (*c == '\\' && c[1]) {
			if (c[1] >= '1' && c[1] <= '9')
				return err_set(err, -EINVAL,
					       "a pattern cannot refer back with \\%c", c[1]);
			c++;
		} else if (*c == '{') {
			char *end;
			unsigned long most = strtoul(c + 1, &end, 10);
			if (*end == ',') {
				unsigned long upper = strtoul(end + 1, &end, 10);
				most = upper > most ? upper : most;
			}
			most = most ? most : 1;
			if (most > REPEATS_MAX || repeats * most > REPEATS_MAX)
				return err_set(err, -EINVAL, "a pattern repeats at most %d times",
					       REPEATS_MAX);
			repeats *= most;
		}
	}
	return 0;
}

struct filter_pattern *filter_pattern_new(const char *text, struct err *err)
{
	struct filter_pattern *pattern;
	int error;

	if (check_bounds(text, err))
		return NULL;
	pattern = mem_zalloc(1, sizeof(*pattern));
	pattern->literal = literal_of(text, &pattern->kind);
	if (pattern->literal) {
		pattern->len = strlen(pattern->literal);
		return pattern;
	}
	pattern->kind = PATTERN_REGEX;
	error = regcomp(&pattern->regex, text, REG_EXTENDED | REG_NOSUB);
	if (error) {
		char why[128];
		regerror(error, &pattern->regex, why, sizeof(why));
		err_set(err, -EINVAL, "the pattern is no regular expression: %s", why);
		free(pattern);
		return NULL;
	}
	return pattern;
}

void filter_pattern_free(struct filter_pattern *pattern)
{
	if (!pattern)
		return;
	if (pattern->kind == PATTERN_REGEX)
		regfree(&pattern->regex);
	free(pattern->literal);
	free(pattern);
}

bool filter_pattern_match(const struct filter_pattern *pattern, const char *subject)
{
	size_t len;

	switch (pattern->kind) {
	case PATTERN_PART:
		return strstr(subject, pattern->literal) != NULL;
	case PATTERN_BEGIN:
		return !strncmp(subject, pattern->literal, pattern->len);
	case PATTERN_END:
		len = strlen(subject);
		return len >= pattern->len &&
		       !memcmp(subject + len - pattern->len, pattern->literal, pattern->len);
	case PATTERN_WHOLE:
		return !strcmp(subject, pattern->literal);
	case PATTERN_REGEX:
		break;
	}
	return !regexec(&pattern->regex, subject, 0, NULL, 0);
}
