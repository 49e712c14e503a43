#include "tests/screens/picture.h"

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

static void add_row(const struct terminal *terminal, int row, struct str *out)
{
	int cols = terminal_cols(terminal);
	size_t end;

	str_addc(out, '|');
	end = out->len;
	for (int col = 0; col < cols; col++) {
		struct cell cell;
		terminal_cell(terminal, row, col, &cell);
		str_add(out, cell.text);
		if (strcmp(cell.text, " ") != 0)
			end = out->len;
	}
	str_cut(out, end);
	str_addc(out, '\n');
}

void picture_text(const struct terminal *terminal, struct str *out)
{
	int rows = terminal_rows(terminal);

	for (int row = 0; row < rows; row++)
		add_row(terminal, row, out);
}

static char letter_of(struct looks *looks, const struct cell *cell)
{
	int i;

	if (cell->fg == COLOR_DEFAULT && cell->bg == COLOR_DEFAULT && !cell->attrs)
		return '.';
	for (i = 0; i < looks->count; i++)
		if (looks->all[i].fg == cell->fg && looks->all[i].bg == cell->bg &&
		    looks->all[i].attrs == cell->attrs)
			break;
	if (i == LOOKS_MAX)
		return '?';
	if (i == looks->count)
		looks->all[looks->count++] =
			(struct look){ .fg = cell->fg, .bg = cell->bg, .attrs = cell->attrs };
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

/* Append the looks of a row as runs, "a12 .3 b4", without a trailing default run. */
static void add_looks(const struct terminal *terminal, int row, struct looks *looks,
		      struct str *out)
{
	int cols = terminal_cols(terminal);
	int start = 0;
	char last = '.';

	for (int col = 0; col <= cols; col++) {
		char letter = '\0';
		if (col < cols) {
			struct cell cell;
			terminal_cell(terminal, row, col, &cell);
			letter = letter_of(looks, &cell);
		}
		if (letter == last)
			continue;
		if (col > start && (letter || last != '.'))
			str_addf(out, " %c%d", last, col - start);
		last = letter;
		start = col;
	}
}

static void add_look_plane(const struct terminal *terminal, struct looks *looks, struct str *out)
{
	struct str above = STR_INIT, here = STR_INIT;
	int rows = terminal_rows(terminal);

	for (int row = 0; row < rows; row++) {
		str_clear(&here);
		add_looks(terminal, row, looks, &here);
		bool same = here.len && !strcmp(here.data, above.data);
		str_addf(out, "%d%s\n", row + 1, same ? " =" : here.data);
		str_clear(&above);
		str_add(&above, here.data);
	}
	str_release(&above);
	str_release(&here);
}

static void add_cursor(const struct terminal *terminal, struct str *out)
{
	int row, col;
	bool visible;

	terminal_cursor(terminal, &row, &col, &visible);
	if (visible)
		str_addf(out, ", cursor in row %d, column %d", row + 1, col + 1);
}

void picture_whole(const struct terminal *terminal, struct str *out)
{
	struct looks looks = { .count = 0 };

	str_addf(out, "%dx%d", terminal_cols(terminal), terminal_rows(terminal));
	add_cursor(terminal, out);
	str_addc(out, '\n');
	picture_text(terminal, out);
	add_look_plane(terminal, &looks, out);
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
