#include "widgets/help.h"

#include "engine/base/mem.h"
#include "engine/base/utf8.h"
#include "widgets/canvas/wrap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LEFT_COLS 24
#define MIN_LEFT_COLS 6
#define GAP_COLS 2

void help_init(struct help *help)
{
	*help = (struct help){ .page_rows = 1, .found = SIZE_MAX };
}

void help_clear(struct help *help)
{
	for (size_t i = 0; i < help->count; i++) {
		free(help->lines[i].left);
		free(help->lines[i].text);
	}
	help->count = help->top = help->drawn = 0;
	help->found = SIZE_MAX;
}

void help_release(struct help *help)
{
	help_clear(help);
	free(help->lines);
	help_init(help);
}

static void add_line(struct help *help, char *left, char *text, enum role role)
{
	help->lines = mem_grow(help->lines, &help->capacity, help->count + 1, sizeof(*help->lines));
	help->lines[help->count++] = (struct help_line){ .left = left, .text = text, .role = role };
}

void help_add(struct help *help, enum role role, const char *text)
{
	const char *newline;

	while ((newline = strchr(text, '\n'))) {
		add_line(help, NULL, mem_strndup(text, (size_t)(newline - text)), role);
		text = newline + 1;
	}
	add_line(help, NULL, mem_strdup(text), role);
}

void help_addf(struct help *help, enum role role, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	help_add(help, role, text.data);
	str_release(&text);
}

void help_add_heading(struct help *help, const char *text)
{
	if (help->count)
		help_add(help, ROLE_TEXT, "");
	help_add(help, ROLE_STRONG, text);
}

void help_add_field(struct help *help, const char *left, enum role role, const char *text)
{
	add_line(help, mem_strdup(left), mem_strdup(text), role);
}

void help_add_key(struct help *help, const char *keys, const char *text)
{
	help_add_field(help, keys, ROLE_TEXT, text);
}

void help_take(struct help *help, struct help *from)
{
	struct help_line *lines = help->lines;
	size_t capacity = help->capacity, top = help->top, found = help->found;

	help_clear(help);
	help->lines = from->lines;
	help->capacity = from->capacity;
	help->count = from->count;
	help->top = top;
	help->found = found < help->count ? found : SIZE_MAX;
	from->lines = lines;
	from->capacity = capacity;
	from->count = 0;
}

void help_text(const struct help *help, struct str *out)
{
	for (size_t i = 0; i < help->count; i++) {
		const struct help_line *line = &help->lines[i];

		if (line->left)
			str_addf(out, "%s\t", line->left);
		str_addf(out, "%s\n", line->text);
	}
}

/* ---- drawing ---- */

static int left_cols(const struct help *help, int cols)
{
	int wide = 0;

	for (size_t i = 0; i < help->count; i++) {
		const char *left = help->lines[i].left;
		int left_width = left ? utf8_text_width(left, strlen(left)) : 0;

		wide = left_width > wide ? left_width : wide;
	}
	if (wide > MAX_LEFT_COLS)
		wide = MAX_LEFT_COLS;
	return wide < cols / 2 ? wide : cols / 2;
}

/* As wrap_line() for a key list: blanks inside quotes are not break positions. */
static size_t wrap_keys(const char *keys, int cols, const char **next)
{
	size_t len = strlen(keys), fit = utf8_fit(keys, len, cols > 1 ? cols : 1), at = 0;
	bool quoted = false;

	if (fit == len) {
		*next = keys + len;
		return len;
	}
	for (size_t i = 0; i <= fit; i++) {
		/* A double quote that stands alone is a key. */
		if (keys[i] == '"' && (quoted || (keys[i + 1] && keys[i + 1] != ' ')))
			quoted = !quoted;
		else if (keys[i] == ' ' && !quoted)
			at = i;
	}
	if (!at)
		return wrap_line(keys, cols, next);
	*next = keys + at + 1;
	return at;
}

/* Draw the left column starting at `row` (canvas NULL: only count); return its rows. */
static int draw_left(const char *keys, struct canvas *canvas, int row, int cols)
{
	int rows = 0;

	/* Too narrow to wrap: one cut line is more readable than a column of letters. */
	if (cols < MIN_LEFT_COLS) {
		if (canvas)
			canvas_field(canvas, row, 1, cols, ALIGN_LEFT, ROLE_KEY, keys,
				     strlen(keys));
		return 1;
	}
	do {
		const char *next;
		size_t len = wrap_keys(keys, cols, &next);

		if (canvas)
			canvas_field(canvas, row + rows, 1, cols, ALIGN_LEFT, ROLE_KEY, keys, len);
		keys = next;
		rows++;
	} while (*keys);
	return rows;
}

/* As draw_left(), for a whole line. */
static int draw_line(const struct help_line *line, struct canvas *canvas, int row, int left,
		     int cols, bool found)
{
	enum role role = found ? ROLE_MATCH : line->role;
	int col = line->left ? 1 + left + GAP_COLS : 1, rows = 0;
	int left_rows = line->left ? draw_left(line->left, canvas, row, left) : 0;
	const char *text = line->text;

	do {
		const char *next;
		size_t len = wrap_line(text, cols - col, &next);

		if (canvas)
			canvas_textn(canvas, row + rows, col, role, text, len);
		text = next;
		rows++;
	} while (*text);
	return rows > left_rows ? rows : left_rows;
}

static size_t last_top(const struct help *help)
{
	size_t page = (size_t)help->page_rows;

	return help->drawn > page ? help->drawn - page : 0;
}

void help_draw(struct help *help, struct canvas *canvas)
{
	int left = left_cols(help, canvas->cols);
	size_t row = 0;

	help->page_rows = canvas->rows > 0 ? canvas->rows : 1;
	help->drawn = 0;
	for (size_t i = 0; i < help->count; i++)
		help->drawn += (size_t)draw_line(&help->lines[i], NULL, 0, left, canvas->cols,
						 false);
	if (help->top > last_top(help))
		help->top = last_top(help);
	canvas_clear(canvas);
	for (size_t i = 0; i < help->count && row < help->top + (size_t)canvas->rows; i++)
		row += (size_t)draw_line(&help->lines[i], canvas,
					 (int)((long)row - (long)help->top), left, canvas->cols,
					 i == help->found);
	help->view_cols = canvas->cols;
}

void help_move(struct help *help, enum move move)
{
	long top = (long)help->top, page = help->page_rows > 1 ? help->page_rows - 1 : 1;
	long limit = (long)last_top(help);

	switch (move) {
	case MOVE_UP:
		top--;
		break;
	case MOVE_DOWN:
		top++;
		break;
	case MOVE_PAGE_UP:
		top -= page;
		break;
	case MOVE_PAGE_DOWN:
		top += page;
		break;
	case MOVE_HALF_UP:
		top -= page / 2 + 1;
		break;
	case MOVE_HALF_DOWN:
		top += page / 2 + 1;
		break;
	case MOVE_HOME:
		top = 0;
		break;
	case MOVE_END:
		top = limit;
		break;
	case MOVE_LEFT:
	case MOVE_RIGHT:
	case MOVE_LINE_START:
	case MOVE_LINE_END:
		break;
	}
	help->top = top < 0 ? 0 : (size_t)(top > limit ? limit : top);
}

static bool line_matches(const struct help_line *line, const char *text)
{
	return strcasestr(line->text, text) || (line->left && strcasestr(line->left, text));
}

bool help_search(struct help *help, const char *text, int step)
{
	int left = left_cols(help, help->view_cols);
	size_t at = help->found;

	if (!*text || !help->count)
		return false;
	if (at >= help->count) /* no match yet: begin at one end */
		at = step < 0 ? 0 : help->count - 1;
	for (size_t tries = 0; tries < help->count; tries++) {
		at = (at + (step < 0 ? help->count - 1 : 1)) % help->count;
		if (!line_matches(&help->lines[at], text))
			continue;
		help->found = at;
		help->top = 0;
		for (size_t i = 0; i < at; i++)
			help->top += (size_t)draw_line(&help->lines[i], NULL, 0, left,
						       help->view_cols, false);
		return true;
	}
	return false;
}
