#include "tests/screens/picture.h"

#include "engine/base/utf8.h"

#include <stdio.h>
#include <string.h>

/* Cell size in pixels. DejaVu Sans Mono at 14 px advances 8.43. */
#define CELL_WIDTH 8.4
#define CELL_HEIGHT 17.0
#define BASELINE 13.0
#define MARGIN 8.0
#define BACKGROUND 0x16181d
#define FOREGROUND 0xd5d8de

static unsigned palette(int index)
{
	static const unsigned basic[16] = {
		0x1c1f26, 0xe06c75, 0x7fb96b, 0xd9a75a, 0x5c9cf0, 0xc07bdb, 0x4fb3bf, 0xc8ccd4,
		0x5f6673, 0xff8a93, 0x9fdc88, 0xf2c678, 0x86b8ff, 0xd9a0f0, 0x78d3de, 0xffffff,
	};
	static const unsigned steps[6] = { 0, 95, 135, 175, 215, 255 };

	if (index < 16)
		return basic[index];
	if (index < 232) {
		unsigned i = (unsigned)index - 16;
		return steps[i / 36] << 16 | steps[i / 6 % 6] << 8 | steps[i % 6];
	}
	unsigned grey = 8 + 10 * ((unsigned)index - 232);
	return grey << 16 | grey << 8 | grey;
}

static unsigned resolve(int color, unsigned otherwise)
{
	if (color == COLOR_DEFAULT)
		return otherwise;
	if (color & 0x1000000)
		return (unsigned)color & 0xffffff;
	return palette(color);
}

static void look(const struct cell *cell, unsigned *fg, unsigned *bg)
{
	*fg = resolve(cell->fg, FOREGROUND);
	*bg = resolve(cell->bg, BACKGROUND);
	if (cell->attrs & CELL_REVERSE) {
		unsigned swap = *fg;
		*fg = *bg;
		*bg = swap;
	}
}

static void add_rect(struct str *out, double x, double y, double w, double h, unsigned color)
{
	str_addf(out,
		 "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
		 "fill=\"#%06x\"/>\n",
		 x, y, w, h, color);
}

/* Draw block elements as rectangles: glyphs of a font can leave gaps between them. */
static bool add_block(struct str *out, uint32_t code, double x, double y, unsigned fg)
{
	if (code >= 0x2581 && code <= 0x2588) { /* lower eighths */
		double h = CELL_HEIGHT * (code - 0x2580) / 8;
		add_rect(out, x, y + CELL_HEIGHT - h, CELL_WIDTH, h, fg);
		return true;
	}
	if (code >= 0x2591 && code <= 0x2593) { /* shades: a quarter, half, three quarters */
		str_addf(out,
			 "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
			 "fill=\"#%06x\" fill-opacity=\"0.%d\"/>\n",
			 x, y, CELL_WIDTH, CELL_HEIGHT, fg, (int)(code - 0x2590) * 25);
		return true;
	}
	if (code >= 0x2589 && code <= 0x258f) { /* left eighths, seven down to one */
		add_rect(out, x, y, CELL_WIDTH * (0x2590 - code) / 8, CELL_HEIGHT, fg);
		return true;
	}
	return false;
}

/* Draw light box lines from their arms: left, right, top, bottom. */
static bool add_box(struct str *out, uint32_t code, double x, double y, unsigned fg)
{
	static const struct {
		uint32_t code;
		const char *arms;
	} boxes[] = { { 0x2500, "lr" },  { 0x2502, "tb" },  { 0x250c, "rb" },  { 0x2510, "lb" },
		      { 0x2514, "rt" },  { 0x2518, "lt" },  { 0x251c, "rtb" }, { 0x2524, "ltb" },
		      { 0x252c, "lrb" }, { 0x2534, "lrt" }, { 0x253c, "lrtb" } };
	double half_w = CELL_WIDTH / 2, half_h = CELL_HEIGHT / 2;

	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		if (boxes[i].code != code)
			continue;
		for (const char *arm = boxes[i].arms; *arm; arm++) {
			if (*arm == 'l')
				add_rect(out, x, y + half_h, half_w + 0.5, 1, fg);
			else if (*arm == 'r')
				add_rect(out, x + half_w - 0.5, y + half_h, half_w + 0.5, 1, fg);
			else if (*arm == 't')
				add_rect(out, x + half_w - 0.5, y, 1, half_h + 1, fg);
			else
				add_rect(out, x + half_w - 0.5, y + half_h, 1, half_h, fg);
		}
		return true;
	}
	return false;
}

static void add_xml(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			str_add(out, "&lt;");
		else if (*text == '>')
			str_add(out, "&gt;");
		else if (*text == '&')
			str_add(out, "&amp;");
		else
			str_addc(out, *text);
	}
}

static void add_backgrounds(const struct terminal *terminal, int row, struct str *out)
{
	int cols = terminal_cols(terminal);

	for (int col = 0; col < cols;) {
		struct cell cell;
		unsigned fg, bg, next_bg;
		int start = col;
		terminal_cell(terminal, row, col++, &cell);
		look(&cell, &fg, &bg);
		for (; col < cols; col++) {
			terminal_cell(terminal, row, col, &cell);
			look(&cell, &fg, &next_bg);
			if (next_bg != bg)
				break;
		}
		if (bg != BACKGROUND)
			add_rect(out, MARGIN + start * CELL_WIDTH, MARGIN + row * CELL_HEIGHT,
				 (col - start) * CELL_WIDTH, CELL_HEIGHT, bg);
	}
}

/* Add one text element for a run of cells with one look, stretched to the width of its columns. */
static void add_text(struct str *out, const struct str *text, int row, int start, int end,
		     unsigned fg, uint8_t attrs)
{
	if (!text->len)
		return;
	str_addf(out, "<text x=\"%.2f\" y=\"%.2f\" textLength=\"%.2f\" fill=\"#%06x\"%s%s>",
		 MARGIN + start * CELL_WIDTH, MARGIN + row * CELL_HEIGHT + BASELINE,
		 (end - start) * CELL_WIDTH, fg, attrs & CELL_BOLD ? " font-weight=\"bold\"" : "",
		 attrs & CELL_UNDERLINE ? " text-decoration=\"underline\"" : "");
	add_xml(out, text->data);
	str_add(out, "</text>\n");
}

static void add_row(const struct terminal *terminal, int row, struct str *out)
{
	struct str text = STR_INIT;
	int cols = terminal_cols(terminal), start = 0;
	unsigned run_fg = 0;
	uint8_t run_attrs = 0;

	for (int col = 0; col <= cols; col++) {
		struct cell cell = { .text = " " };
		unsigned fg = 0, bg = 0;
		uint32_t code = ' ';
		if (col < cols) {
			terminal_cell(terminal, row, col, &cell);
			look(&cell, &fg, &bg);
			if (!utf8_decode(cell.text, strlen(cell.text), &code))
				code = ' ';
		}
		double x = MARGIN + col * CELL_WIDTH, y = MARGIN + row * CELL_HEIGHT;
		bool drawn = col < cols &&
			     (add_block(out, code, x, y, fg) || add_box(out, code, x, y, fg));
		bool blank = drawn || code == ' ';
		if (blank || fg != run_fg || cell.attrs != run_attrs) {
			add_text(out, &text, row, start, col, run_fg, run_attrs);
			str_clear(&text);
		}
		if (blank)
			continue;
		if (!text.len) {
			start = col;
			run_fg = fg;
			run_attrs = cell.attrs;
		}
		str_add(&text, cell.text);
	}
	str_release(&text);
}

/* Draw a visible cursor as a half-transparent block. */
static void add_cursor(const struct terminal *terminal, struct str *out)
{
	int row, col;
	bool visible;

	terminal_cursor(terminal, &row, &col, &visible);
	if (visible)
		str_addf(out,
			 "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
			 "fill=\"#%06x\" fill-opacity=\"0.5\"/>\n",
			 MARGIN + col * CELL_WIDTH, MARGIN + row * CELL_HEIGHT, CELL_WIDTH,
			 CELL_HEIGHT, FOREGROUND);
}

void picture_svg(const struct terminal *terminal, struct str *out)
{
	int rows = terminal_rows(terminal), cols = terminal_cols(terminal);
	double width = 2 * MARGIN + cols * CELL_WIDTH, height = 2 * MARGIN + rows * CELL_HEIGHT;

	str_addf(out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		 "viewBox=\"0 0 %.2f %.2f\">\n"
		 "<style>text { font: 14px 'DejaVu Sans Mono', monospace; "
		 "white-space: pre } rect { shape-rendering: crispEdges }</style>\n"
		 "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"#%06x\"/>\n",
		 width, height, width, height, BACKGROUND);
	for (int row = 0; row < rows; row++)
		add_backgrounds(terminal, row, out);
	for (int row = 0; row < rows; row++)
		add_row(terminal, row, out);
	add_cursor(terminal, out);
	str_add(out, "</svg>\n");
}
