/*
 * owner_terms - users and control groups that the filter names, one by one.
 *
 * -u and -G are terms of the filter, as in `uid in {33, 34}`: whom they let through is read from
 * those terms, and changed by changing them. Terms that say something else as well are the
 * person's own and none of these. UI thread only.
 */
#ifndef SESSION_OWNER_TERMS_H
#define SESSION_OWNER_TERMS_H

#include "tui/session/filter_stack.h"

enum owner_kind { OWNER_USER, OWNER_CGROUP };

struct owner_operand {
	enum owner_kind kind;
	size_t term; /* its place in filter_stack_terms() */
	struct str text; /* as the filter has it: 33, "/a" with its quotes */
};

struct owner_operands {
	struct owner_operand *items;
	size_t count, capacity;
};

void owner_operands_release(struct owner_operands *operands);
/* Replaces them by those of all terms that are on. */
void owner_terms_list(const struct filter_stack *filter_stack, struct owner_operands *operands);

/* More of them, "33, 34", beside those there are. -EINVAL with *error filled. */
int owner_terms_add(struct filter_stack *filter_stack, enum owner_kind kind, const char *operands,
		    struct filter_error *error);
/* One of owner_terms_list(), with no change in between; the last one takes its term along. */
int owner_terms_remove(struct filter_stack *filter_stack, const struct owner_operands *operands,
		       size_t index, struct filter_error *error);

/* What the quotes of a control group's operand hold. */
void owner_operand_word(const struct owner_operand *operand, struct str *word);

#endif
