/*
 * filter_arguments - arguments by their names, while a filter is parsed. Private to it.
 *
 * A name belongs to some calls, and the name of a number to fewer: a test is about the calls
 * that know all of its names.
 */
#ifndef FILTER_FILTER_ARGUMENTS_H
#define FILTER_FILTER_ARGUMENTS_H

#include "engine/filter/filter_tree.h"

/* Of filter->arguments, made if they are new; FILTER_NO_NODE: no call has such an argument. */
uint32_t filter_arguments_find(struct filter *filter, const char *name, size_t len);
/* A sentence about a name that no call has. */
void filter_arguments_unknown(const struct filter *filter, const char *name, size_t len,
			      struct err *err);

/* Calls whose argument is a text, or those where it is a number; false: there are none. */
bool filter_arguments_calls(const struct filter_arguments *arguments, bool text,
			    struct filter_syscall_set *calls);

/*
 * The value of a name that arguments may have: those of the calls in `calls`, of which the
 * ones stay that know it. arguments NULL: whatever stands at `position`, and calls is not used.
 */
bool filter_arguments_constant(const struct filter *filter, struct filter_arguments *arguments,
			       unsigned position, const char *name, uint64_t *value,
			       struct filter_syscall_set *calls);
/* The nearest name to one that is not known, or NULL. */
const char *filter_arguments_nearest(const struct filter *filter,
				     const struct filter_arguments *arguments, unsigned position,
				     const char *name);

/* Every name of a number that an argument of this name may have; for completion. */
typedef void filter_constant_fn(void *ctx, const char *name, uint32_t nr);
void filter_arguments_each(const struct filter_names *names, const char *name, size_t len,
			   filter_constant_fn *each, void *ctx);

#endif
