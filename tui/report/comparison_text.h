/*
 * comparison_text - two recordings beside each other, as tables or as JSON Lines.
 *
 * Names are escaped already. Any thread.
 */
#ifndef REPORT_COMPARISON_TEXT_H
#define REPORT_COMPARISON_TEXT_H

#include "tui/compare/comparison.h"

struct comparison_form {
	int width; /* of a line; 0: any. Too little leaves out histograms. */
	bool ascii;
};

/* All processes together, every call; then what changed in processes of one name. */
void comparison_add_text(struct str *out, const struct comparison *comparison,
			 const struct comparison_form *form);
/* An object for each row, one for both files last. */
void comparison_add_json(struct str *out, const struct comparison *comparison);

#endif
