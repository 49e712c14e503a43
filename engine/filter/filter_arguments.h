/*
 * filter_arguments - arguments by name, for the parser. Private to engine/filter/.
 *
 * Some calls have an argument of a given name; fewer know a given constant for it. A test therefore
 * applies to the calls that know all of its names.
 */
#ifndef FILTER_FILTER_ARGUMENTS_H
#define FILTER_FILTER_ARGUMENTS_H

#include "engine/filter/filter_tree.h"

/*
 * Return an index into filter->arguments, added if new. FILTER_NO_NODE: no call has the argument.
 */
uint32_t filter_arguments_find(struct filter *filter, const char *name, size_t len);
/* Write the error for a name that no call has as an argument. */
void filter_arguments_unknown(const struct filter *filter, const char *name, size_t len,
			      struct err *err);

/* Collect the calls that have the argument; `text`: only those where it is a text. False: none. */
bool filter_arguments_calls(const struct filter_arguments *arguments, bool text,
			    struct filter_syscall_set *calls);

/*
 * Look up the value of a named constant. Searches the calls that have the argument and removes from
 * `calls` those that do not know the name. arguments NULL: search argument number `position` of all
 * calls; `calls` is unused.
 */
bool filter_arguments_constant(const struct filter *filter, struct filter_arguments *arguments,
			       unsigned position, const char *name, uint64_t *value,
			       struct filter_syscall_set *calls);
/* Return the nearest name to an unknown constant, or NULL. */
const char *filter_arguments_nearest(const struct filter *filter,
				     const struct filter_arguments *arguments, unsigned position,
				     const char *name);

/* Pass every named constant of arguments with this name to each(), for completion. */
typedef void filter_constant_fn(void *ctx, const char *name, uint32_t nr);
void filter_arguments_each(const struct filter_names *names, const char *name, size_t len,
			   filter_constant_fn *each, void *ctx);

#endif
