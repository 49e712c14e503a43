/* help - pages of text to scroll through: key lists, explanations, details. UI thread only. */
#ifndef WIDGETS_HELP_H
#define WIDGETS_HELP_H

#include "widgets/canvas/canvas.h"
#include "widgets/move.h"

struct help_line {
	char *left; /* a key list; NULL: text takes the whole line */
	char *text;
	enum role role;
};

struct help {
	struct help_line *lines;
	size_t count, capacity;
	size_t top; /* first line in sight, in drawn rows */
	size_t drawn; /* rows of everything at the last draw (long text is wrapped) */
	int page_rows;
	int view_cols; /* of the last draw */
	size_t found; /* index of the line that a search found, SIZE_MAX: none */
};

void help_init(struct help *help);
void help_release(struct help *help);
void help_clear(struct help *help); /* no lines, scrolled to the top */

/* Texts are copied. Long ones are wrapped at blanks when drawn; '\n' starts a new line. */
void help_add(struct help *help, enum role role, const char *text);
void help_addf(struct help *help, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void help_add_heading(struct help *help, const char *text);
void help_add_key(struct help *help, const char *keys, const char *text); /* two columns */
void help_add_field(struct help *help, const char *left, enum role role, const char *text);
/* The lines of `from`, which is empty then; what is in sight stays so as far as it is there. */
void help_take(struct help *help, struct help *from);
/* All of it, a line for each; what is in two columns has a tab between them. Appended. */
void help_text(const struct help *help, struct str *out);

void help_draw(struct help *help, struct canvas *canvas);
void help_move(struct help *help, enum move move);
/* Scrolls to the next line (step -1: previous) that contains text, going round; false: none. */
bool help_search(struct help *help, const char *text, int step);

#endif
