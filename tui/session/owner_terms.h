/*
 * owner_terms - users and cgroups that the filter names, as single operands.
 *
 * -u and -G become terms of the filter, such as `uid in {33, 34}`. The operands are read from these
 * terms and changed by replacing the terms. A term that contains any further condition was written
 * by the user and is not listed. UI thread only.
 */
#ifndef SESSION_OWNER_TERMS_H
#define SESSION_OWNER_TERMS_H

#include "tui/session/filter_stack.h"

enum owner_kind { OWNER_USER, OWNER_CGROUP };

struct owner_operand {
	enum owner_kind kind;
	size_t term; /* index in filter_stack_terms() */
	struct str text; /* as in the filter: 33, "/a" with its quotes */
};

struct owner_operands {
	struct owner_operand *items;
	size_t count, capacity;
};

void owner_operands_release(struct owner_operands *operands);
/* Replace the list by the operands of all terms that are on. */
void owner_terms_list(const struct filter_stack *filter_stack, struct owner_operands *operands);

/* Add operands such as "33, 34" to the existing ones. -EINVAL with *error filled. */
int owner_terms_add(struct filter_stack *filter_stack, enum owner_kind kind, const char *operands,
		    struct filter_error *error);
/*
 * Remove an operand of owner_terms_list(); the filter must not change in between. Removing the last
 * operand removes its term.
 */
int owner_terms_remove(struct filter_stack *filter_stack, const struct owner_operands *operands,
		       size_t index, struct filter_error *error);

/* Append the operand without quotes and escapes. */
void owner_operand_word(const struct owner_operand *operand, struct str *word);

#endif
