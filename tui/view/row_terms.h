/*
 * row_terms - filter terms of a selected row: one for each of its properties.
 *
 * A term that the filter parser rejects is dropped, so a caller may add fields that the language
 * lacks. At most ROW_TERMS_MAX terms are stored. UI thread only.
 */
#ifndef VIEW_ROW_TERMS_H
#define VIEW_ROW_TERMS_H

#include "tui/session/session.h"

#define ROW_TERMS_MAX 32

struct row_term {
	char *only; /* "dur >= 12ms" */
	char *exclude; /* "dur < 12ms" */
};

struct row_terms {
	const struct filter_names *names;
	struct row_term items[ROW_TERMS_MAX];
	size_t count;
};

void row_terms_init(struct row_terms *terms, const struct filter_names *names);
void row_terms_release(struct row_terms *terms);

/* Add a term and its negation. op: "==" or ">=". */
void row_terms_add(struct row_terms *terms, const char *field, const char *op, const char *value);
/* Add a term and its negation, both as the user would type them. */
void row_terms_add_pair(struct row_terms *terms, const char *only, const char *exclude);
void row_terms_add_number(struct row_terms *terms, const char *field, long long value);
/* Add `field == text`. text: raw bytes; dropped if empty or if it cannot be typed. */
void row_terms_add_text(struct row_terms *terms, const char *field, const char *text);

/* Add every known property of the row; call may be NULL. */
void row_terms_add_row(struct row_terms *terms, const struct session *session,
		       const struct selection *selection, const struct call *call);

#endif
