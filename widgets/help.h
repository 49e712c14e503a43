/* help - scrollable pages of text: key lists, explanations, details. UI thread only. */
#ifndef WIDGETS_HELP_H
#define WIDGETS_HELP_H

#include "widgets/canvas/canvas.h"
#include "widgets/move.h"

struct help_line {
	char *left; /* a key list; NULL: text spans the whole line */
	char *text;
	enum role role;
};

struct help {
	struct help_line *lines;
	size_t count, capacity;
	size_t top; /* first visible row, in drawn rows */
	size_t drawn; /* total rows at the last draw, after wrapping */
	int page_rows;
	int view_cols; /* at the last draw */
	size_t found; /* index of the line that the last search found, SIZE_MAX: none */
};

void help_init(struct help *help);
void help_release(struct help *help);
void help_clear(struct help *help); /* also scrolls to the top */

/*
 * Append text, which is copied. Long text is wrapped at blanks when drawn; '\n' starts a new line.
 */
void help_add(struct help *help, enum role role, const char *text);
void help_addf(struct help *help, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void help_add_heading(struct help *help, const char *text);
void help_add_key(struct help *help, const char *keys, const char *text); /* two columns */
void help_add_field(struct help *help, const char *left, enum role role, const char *text);
/*
 * Move the lines of `from` to `help`; `from` is empty afterwards. The scroll position stays if the
 * new lines reach that far.
 */
void help_take(struct help *help, struct help *from);
/* Append all lines to out as text, one per line, with a tab between two columns. */
void help_text(const struct help *help, struct str *out);

void help_draw(struct help *help, struct canvas *canvas);
void help_move(struct help *help, enum move move);
/* Scroll to the next line (step -1: previous) that contains text, wrapping around. False: none. */
bool help_search(struct help *help, const char *text, int step);

#endif
