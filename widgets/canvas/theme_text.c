#include "widgets/canvas/theme_text.h"

#include "engine/base/assignment.h"
#include "engine/base/escape.h"
#include "engine/base/words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define WORD_BYTES 32
#define SHOWN_BYTES (WORD_BYTES * 4 + 1)
#define LOOK_PARTS 3 /* number of parts of a look: for 256 colours, 16 colours, no colours */
#define FROM "from"

static const struct {
	const char *word;
	uint8_t attr;
} attr_words[] = {
	{ "bold", STYLE_BOLD }, { "underline", STYLE_UNDERLINE }, { "reverse", STYLE_REVERSE },
	{ "dim", STYLE_DIM },   { "italic", STYLE_ITALIC },
};

#define ATTR_COUNT (sizeof(attr_words) / sizeof(attr_words[0]))

struct reader {
	struct theme *theme;
	const char *file;
	unsigned int line;
	bool begun; /* an earlier line had a role or "from" */
	size_t wrong; /* number of invalid lines */
	struct err *err;
};

/* Report only the first problem; the remaining lines still apply. */
static void complain(struct reader *reader, const char *what, const char *word, const char *nearest)
{
	char shown[SHOWN_BYTES];

	if (reader->wrong++)
		return;
	escape_name(shown, sizeof(shown), word);
	err_set(reader->err, -EINVAL, "%s:%u: %s%s%s%s%s%s%s", reader->file, reader->line, what,
		*word ? " \"" : "", shown, *word ? "\"" : "", nearest ? " (nearest: " : "",
		nearest ? nearest : "", nearest ? ")" : "");
}

/* ---- look ---- */

/*
 * Read the next word; false at the end. A word that is too long is cut, and thus invalid: no valid
 * word has that length.
 */
static bool next_word(const char **at, const char *end, char word[WORD_BYTES])
{
	size_t len = 0;

	while (*at < end && (**at == ' ' || **at == '\t'))
		++*at;
	if (*at == end)
		return false;
	for (; *at < end && **at != ' ' && **at != '\t'; ++*at)
		if (len < WORD_BYTES - 1)
			word[len++] = **at;
	word[len] = '\0';
	return true;
}

static bool take_attr(const char *word, uint8_t *attrs)
{
	for (size_t i = 0; i < ATTR_COUNT; i++) {
		if (strcmp(attr_words[i].word, word))
			continue;
		*attrs |= attr_words[i].attr;
		return true;
	}
	return false;
}

/* Return NULL, or the error message for the word. */
static const char *read_style(const char **at, const char *end, char word[WORD_BYTES],
			      struct style *style, bool *more)
{
	bool fg_given = false, bg_given = false;
	int color;

	*style = (struct style){ COLOR_DEFAULT, COLOR_DEFAULT, 0 };
	*more = false;
	while (next_word(at, end, word)) {
		if (!strcmp(word, "/")) {
			*more = true;
			return NULL;
		}
		if (take_attr(word, &style->attrs))
			continue;
		if (!strcmp(word, "on")) {
			if (bg_given)
				return "more than one background:";
			if (!next_word(at, end, word) || !color_parse(word, &color))
				return "no colour after \"on\":";
			style->bg = (int16_t)color;
			bg_given = true;
			continue;
		}
		if (!color_parse(word, &color))
			return "neither a colour nor an attribute:";
		if (fg_given)
			return "more than one colour:";
		style->fg = (int16_t)color;
		fg_given = true;
	}
	return NULL;
}

static const char *read_look(const char *text, size_t len, char word[WORD_BYTES], struct look *look)
{
	struct style styles[LOOK_PARTS];
	const char *at = text, *end = text + len, *wrong;
	bool more = true;
	int count = 0;

	word[0] = '\0';
	if (!len)
		return "no look after the =";
	while (more) {
		word[0] = '\0';
		if (count == LOOK_PARTS)
			return "more than three looks";
		wrong = read_style(&at, end, word, &styles[count++], &more);
		if (wrong)
			return wrong;
	}
	word[0] = '\0';
	if (count == LOOK_PARTS && (styles[2].fg != COLOR_DEFAULT || styles[2].bg != COLOR_DEFAULT))
		return "the third look must not have colours";
	look->many = styles[0];
	look->sixteen = count > 1 ? style_fit(styles[1], 16) : style_fit(styles[0], 16);
	if (count == LOOK_PARTS)
		look->none = styles[2].attrs;
	return NULL;
}

/* ---- lines ---- */

static void take_from(struct reader *reader, const char *name)
{
	const struct theme *base = theme_find(name);
	struct words_nearest nearest = words_nearest_to(name, strlen(name));

	for (size_t i = 0; theme_at(i); i++)
		words_nearest_offer(&nearest, theme_name(theme_at(i)));
	if (!base) {
		complain(reader, "unknown theme", name, nearest.found);
		return;
	}
	if (reader->begun) {
		complain(reader, "\"from\" must be the first line", "", NULL);
		return;
	}
	for (int role = 0; role < ROLE_COUNT; role++) {
		struct look look = theme_look(base, (enum role)role);

		theme_set_look(reader->theme, (enum role)role, &look);
	}
}

static void take_role(struct reader *reader, const char *name, const struct assignment *line)
{
	struct words_nearest nearest = words_nearest_to(name, strlen(name));
	char word[WORD_BYTES];
	struct look look;
	const char *wrong;
	int role = role_find(name);

	for (int i = 0; i < ROLE_COUNT; i++)
		words_nearest_offer(&nearest, role_name((enum role)i));
	if (role < 0) {
		complain(reader, "unknown role", name, nearest.found);
		return;
	}
	look = theme_look(reader->theme, (enum role)role);
	wrong = read_look(line->value, line->value_len, word, &look);
	if (wrong)
		complain(reader, wrong, word, NULL);
	else
		theme_set_look(reader->theme, (enum role)role, &look);
}

static void take_line(struct reader *reader, const char *text, size_t len)
{
	struct assignment line;
	const char *wrong = assignment_parse(text, len, &line);
	char name[WORD_BYTES];

	if (wrong) {
		complain(reader, wrong, "", NULL);
		return;
	}
	if (!line.name)
		return;
	assignment_cut_remark(&line);
	snprintf(name, sizeof(name), "%.*s", (int)(line.name_len < 1000 ? line.name_len : 1000),
		 line.name);
	if (!strcmp(name, FROM)) {
		snprintf(name, sizeof(name), "%.*s",
			 (int)(line.value_len < 1000 ? line.value_len : 1000), line.value);
		take_from(reader, name);
	} else {
		take_role(reader, name, &line);
	}
	reader->begun = true;
}

size_t theme_parse(struct theme **theme, const char *name, const char *file, const char *text,
		   size_t len, struct err *err)
{
	struct err first = { .text = "" };
	struct reader reader = { .file = file, .err = &first };
	const char *line;
	size_t line_len;

	reader.theme = theme_new(theme_default(), name, "your own theme");
	for (size_t at = 0; assignment_next_line(text, len, &at, &line, &line_len);) {
		reader.line++;
		take_line(&reader, line, line_len);
	}
	*theme = reader.theme;
	if (reader.wrong > 1)
		err_set(err, -EINVAL, "%s (and %zu more)", first.text, reader.wrong - 1);
	else if (reader.wrong)
		*err = first;
	return reader.wrong;
}

/* ---- output ---- */

static void add_attrs(uint8_t attrs, struct str *out)
{
	for (size_t i = 0; i < ATTR_COUNT; i++)
		if (attrs & attr_words[i].attr)
			str_addf(out, " %s", attr_words[i].word);
}

static void add_style(struct style style, struct str *out)
{
	str_addc(out, ' ');
	color_format(style.fg, out);
	if (style.bg != COLOR_DEFAULT) {
		str_add(out, " on ");
		color_format(style.bg, out);
	}
	add_attrs(style.attrs, out);
}

void theme_format(const struct theme *theme, struct str *out)
{
	for (int role = 0; role < ROLE_COUNT; role++) {
		struct look look = theme_look(theme, (enum role)role);

		str_addf(out, "%s =", role_name((enum role)role));
		add_style(look.many, out);
		str_add(out, " /");
		add_style(look.sixteen, out);
		str_add(out, " /");
		add_attrs(look.none, out);
		str_addc(out, '\n');
	}
}
