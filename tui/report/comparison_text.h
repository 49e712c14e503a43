/*
 * comparison_text - two recordings side by side, as text tables or JSON Lines.
 *
 * The names are already escaped. Any thread.
 */
#ifndef REPORT_COMPARISON_TEXT_H
#define REPORT_COMPARISON_TEXT_H

#include "tui/compare/comparison.h"

struct comparison_form {
	int width; /* of a line; 0: unlimited. Narrow lines omit histograms. */
	bool ascii;
};

/* Append all syscalls, summed over all processes; then the changed syscalls by process name. */
void comparison_add_text(struct str *out, const struct comparison *comparison,
			 const struct comparison_form *form);
/* Append one object per row, then one that describes both files. */
void comparison_add_json(struct str *out, const struct comparison *comparison);

#endif
