#include "tests/screens/loops.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

void loops_init(struct loops *loops, const char *text)
{
	memset(loops, 0, sizeof(*loops));
	while (*text) {
		size_t len = strcspn(text, "\n");
		const char *start = text + strspn(text, BLANKS);
		size_t blanks = (size_t)(start - text);
		loops->lines = reallocarray(loops->lines, (size_t)loops->line_count + 1,
					    sizeof(*loops->lines));
		loops->lines[loops->line_count++] = strndup(start, len - blanks);
		text += len + (text[len] == '\n');
	}
}

static void close_loop(struct loops *loops)
{
	free(loops->open[--loops->depth].text);
}

void loops_release(struct loops *loops)
{
	while (loops->depth)
		close_loop(loops);
	while (loops->line_count)
		free(loops->lines[--loops->line_count]);
	free(loops->lines);
}

static const char *value(const struct loops *loops, const char *name, size_t len)
{
	for (int i = loops->depth; i-- > 0;) {
		const struct loop *loop = &loops->open[i];
		for (int n = 0; n < loop->names; n++)
			if (strlen(loop->words[n]) == len && !memcmp(loop->words[n], name, len))
				return loop->words[loop->at + n];
	}
	return NULL;
}

static void fill_in(const struct loops *loops, const char *text, struct str *line)
{
	str_clear(line);
	while (*text) {
		size_t len = 0;
		const char *word = NULL;
		if (*text == '$') {
			while (isupper((unsigned char)text[1 + len]))
				len++;
			word = value(loops, text + 1, len);
		}
		if (word) {
			str_add(line, word);
			text += 1 + len;
		} else {
			str_addc(line, *text++);
		}
	}
}

static const char *open_loop(struct loops *loops, const char *rest)
{
	struct loop *loop = &loops->open[loops->depth];

	if (loops->depth == LOOPS_DEPTH)
		return "loops are nested too deeply";
	memset(loop, 0, sizeof(*loop));
	loop->text = strdup(rest);
	loop->line = loops->next - 1;
	loops->depth++;
	char *next = loop->text, *word;
	while ((word = strsep(&next, BLANKS))) {
		if (!*word)
			continue;
		if (!loop->names && !strcmp(word, "in"))
			loop->names = loop->count;
		else if (loop->count == LOOP_WORDS)
			return "too many words in a loop";
		else
			loop->words[loop->count++] = word;
	}
	loop->at = loop->names;
	if (!loop->names || loop->count == loop->names || loop->count % loop->names)
		return "for NAME... in WORD..., as many words as names or a multiple";
	return NULL;
}

static const char *end_round(struct loops *loops)
{
	if (!loops->depth)
		return "end without for";
	struct loop *loop = &loops->open[loops->depth - 1];
	loop->at += loop->names;
	if (loop->at < loop->count)
		loops->next = loop->line + 1;
	else
		close_loop(loops);
	return NULL;
}

bool loops_next(struct loops *loops, struct str *line, const char **wrong)
{
	*wrong = NULL;
	while (loops->next < loops->line_count) {
		const char *text = loops->lines[loops->next++];
		if (!*text || *text == '#')
			continue;
		fill_in(loops, text, line);
		if (!strncmp(line->data, "for ", 4))
			*wrong = open_loop(loops, line->data + 4);
		else if (!strcmp(line->data, "end"))
			*wrong = end_round(loops);
		else
			return true;
		if (*wrong)
			return false;
	}
	if (loops->depth)
		*wrong = "for without end";
	return false;
}

int loops_line(const struct loops *loops)
{
	return loops->next;
}

void loops_values(const struct loops *loops, struct str *out)
{
	for (int i = 0; i < loops->depth; i++) {
		const struct loop *loop = &loops->open[i];
		for (int n = 0; n < loop->names; n++)
			str_addf(out, "%s=%s%s", loop->words[n], loop->words[loop->at + n],
				 i == loops->depth - 1 && n == loop->names - 1 ? ": " : " ");
	}
}
