#include "widgets/canvas/canvas_save.h"

#include <string.h>

void canvas_save_text(const struct canvas *canvas, struct str *out)
{
	for (int row = 0; row < canvas->rows; row++) {
		canvas_row_text(canvas, row, out);
		str_addc(out, '\n');
	}
}

static struct style style_of(const struct cell *cell, const struct theme *theme, int colors)
{
	return theme_style(theme, (enum role)cell->role, colors);
}

static bool is_plain(const struct style *style)
{
	return style->fg == COLOR_DEFAULT && style->bg == COLOR_DEFAULT && !style->attrs;
}

static bool is_same(const struct style *a, const struct style *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs;
}

static void add_color(struct str *out, int color, int base)
{
	if (color == COLOR_DEFAULT)
		return;
	if (color < 8)
		str_addf(out, ";%d", base + color);
	else if (color < 16)
		str_addf(out, ";%d", base + 60 + color - 8);
	else
		str_addf(out, ";%d;5;%d", base + 8, color);
}

/* Begin with a reset, so that earlier attributes have no effect. */
static void add_style(struct str *out, const struct style *style)
{
	static const struct {
		enum style_attr attr;
		int number;
	} numbers[] = {
		{ STYLE_BOLD, 1 },      { STYLE_DIM, 2 },     { STYLE_ITALIC, 3 },
		{ STYLE_UNDERLINE, 4 }, { STYLE_REVERSE, 7 },
	};

	str_add(out, "\033[0");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (style->attrs & numbers[i].attr)
			str_addf(out, ";%d", numbers[i].number);
	add_color(out, style->fg, 30);
	add_color(out, style->bg, 40);
	str_addc(out, 'm');
}

static bool is_blank(const struct cell *cell)
{
	return cell->width == 1 && (!strcmp(cell->text, " ") || !cell->text[0]);
}

/*
 * Return the row length without trailing blanks, except blanks with a visible background or
 * attribute.
 */
static int row_end(const struct canvas *canvas, int row, const struct theme *theme, int colors)
{
	int end = canvas->cols;

	while (end > 0) {
		const struct cell *cell = canvas_cell(canvas, row, end - 1);
		struct style style = style_of(cell, theme, colors);

		if (!is_blank(cell) || style.bg != COLOR_DEFAULT ||
		    style.attrs & (STYLE_REVERSE | STYLE_UNDERLINE))
			break;
		end--;
	}
	return end;
}

void canvas_save_ansi(const struct canvas *canvas, const struct theme *theme, int colors,
		      struct str *out)
{
	const struct style plain = { COLOR_DEFAULT, COLOR_DEFAULT, 0 };

	for (int row = 0; row < canvas->rows; row++) {
		int end = row_end(canvas, row, theme, colors);
		struct style now = plain;

		for (int col = 0; col < end; col++) {
			const struct cell *cell = canvas_cell(canvas, row, col);
			struct style style = style_of(cell, theme, colors);

			if (!cell->width)
				continue;
			if (!is_same(&style, &now))
				add_style(out, &style);
			now = style;
			str_add(out, cell->text[0] ? cell->text : " ");
		}
		if (!is_plain(&now))
			str_add(out, "\033[0m");
		str_addc(out, '\n');
	}
}
