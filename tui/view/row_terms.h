/*
 * row_terms - what a selected row gives to narrow by: a term for each thing that it says.
 *
 * Only terms that the language takes are kept, so whoever offers one need not know whether there
 * is such a field yet. UI thread only.
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

/* operator: "==" or ">=". */
void row_terms_add(struct row_terms *terms, const char *field, const char *op, const char *value);
/* Both as they are typed. */
void row_terms_add_pair(struct row_terms *terms, const char *only, const char *exclude);
void row_terms_add_number(struct row_terms *terms, const char *field, long long value);
/* Raw bytes; those that cannot be typed are no term. */
void row_terms_add_text(struct row_terms *terms, const char *field, const char *text);

/* Everything that is known of the row; call may be NULL. */
void row_terms_add_row(struct row_terms *terms, const struct session *session,
		       const struct selection *selection, const struct call *call);

#endif
