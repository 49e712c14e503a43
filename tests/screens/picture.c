#include "tests/screens/picture.h"

#include <stdio.h>
#include <string.h>

#define LOOKS_MAX 52

struct look {
	int fg, bg;
	uint8_t attrs;
};

struct looks {
	struct look all[LOOKS_MAX];
	int count;
};

static void add_bar(struct str *out, int cols)
{
	str_addc(out, '+');
	str_repeat(out, '-', (size_t)cols);
	str_add(out, "+\n");
}

void picture_text(const struct terminal *terminal, struct str *out)
{
	int rows = terminal_rows(terminal), cols = terminal_cols(terminal);

	add_bar(out, cols);
	for (int row = 0; row < rows; row++) {
		str_addc(out, '|');
		for (int col = 0; col < cols; col++) {
			struct cell cell;
			terminal_cell(terminal, row, col, &cell);
			str_add(out, cell.text);
		}
		str_add(out, "|\n");
	}
	add_bar(out, cols);
}

static char letter_of(struct looks *looks, const struct cell *cell)
{
	int i;

	for (i = 0; i < looks->count; i++)
		if (looks->all[i].fg == cell->fg && looks->all[i].bg == cell->bg &&
		    looks->all[i].attrs == cell->attrs)
			break;
	if (i == LOOKS_MAX)
		return '?';
	if (i == looks->count)
		looks->all[looks->count++] =
			(struct look){ .fg = cell->fg, .bg = cell->bg, .attrs = cell->attrs };
	if (cell->fg == COLOR_DEFAULT && cell->bg == COLOR_DEFAULT && !cell->attrs)
		return '.';
	return (char)(i < 26 ? 'a' + i : 'A' + i - 26);
}

static void add_color(struct str *out, const char *what, int color)
{
	if (color == COLOR_DEFAULT)
		str_addf(out, " %s default", what);
	else if (color & 0x1000000)
		str_addf(out, " %s #%06x", what, (unsigned)color & 0xffffff);
	else
		str_addf(out, " %s %d", what, color);
}

static void add_legend(struct str *out, const struct looks *looks)
{
	for (int i = 0; i < looks->count; i++) {
		const struct look *look = &looks->all[i];
		if (look->fg == COLOR_DEFAULT && look->bg == COLOR_DEFAULT && !look->attrs)
			continue;
		str_addf(out, "%c:", i < 26 ? 'a' + i : 'A' + i - 26);
		add_color(out, "fg", look->fg);
		add_color(out, "bg", look->bg);
		str_add(out, look->attrs & CELL_BOLD ? " bold" : "");
		str_add(out, look->attrs & CELL_UNDERLINE ? " underline" : "");
		str_add(out, look->attrs & CELL_REVERSE ? " reverse" : "");
		str_add(out, look->attrs & CELL_ITALIC ? " italic" : "");
		str_addc(out, '\n');
	}
}

void picture_whole(const struct terminal *terminal, struct str *out)
{
	int rows = terminal_rows(terminal), cols = terminal_cols(terminal);
	struct looks looks = { .count = 0 };

	picture_text(terminal, out);
	for (int row = 0; row < rows; row++) {
		str_addc(out, '|');
		for (int col = 0; col < cols; col++) {
			struct cell cell;
			terminal_cell(terminal, row, col, &cell);
			str_addc(out, letter_of(&looks, &cell));
		}
		str_add(out, "|\n");
	}
	add_bar(out, cols);
	add_legend(out, &looks);
}

void picture_difference(const char *wanted, const char *found, struct str *out)
{
	while (*wanted || *found) {
		size_t wanted_len = strcspn(wanted, "\n"), found_len = strcspn(found, "\n");
		if (wanted_len != found_len || memcmp(wanted, found, wanted_len) != 0) {
			str_addf(out, "  wanted %.*s\n", (int)wanted_len, wanted);
			str_addf(out, "  found  %.*s\n", (int)found_len, found);
		}
		wanted += wanted_len + (wanted[wanted_len] == '\n');
		found += found_len + (found[found_len] == '\n');
	}
}
