/*
 * filter_values - the right side of a comparison, by the type of its field.
 *
 * Private to the parser. `word` is NUL-terminated and without quotes. All return 0, or -EINVAL with
 * an error about the word in err.
 */
#ifndef FILTER_FILTER_VALUES_H
#define FILTER_FILTER_VALUES_H

#include "engine/filter/filter_tree.h"

/* "42", "-1", "0x1f", "0644", "64k" and "2MB" (powers of 1000), "64KiB" (powers of 1024). */
int filter_value_number(const char *word, int64_t *value, struct err *err);
int filter_value_duration(const char *word, int64_t *ns, struct err *err);
int filter_value_errno(const struct filter_names *names, const char *word, int64_t *value,
		       struct err *err);
/* A number or the name of a user. */
int filter_value_user(const struct filter_names *names, const char *word, int64_t *value,
		      struct err *err);
int filter_value_syscall(const struct filter_names *names, const char *word,
			 struct filter_syscall_set *set, struct err *err);

#endif
