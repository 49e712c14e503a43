#include "engine/filter/filter_arguments.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_BYTES 64
#define CALLS_NAMED 3 /* calls that an error message lists as examples */

uint32_t filter_arguments_find(struct filter *filter, const char *name, size_t len)
{
	const struct filter_names *names = &filter->names;
	struct filter_arguments *arguments;
	bool any = false;

	for (size_t i = 0; i < filter->argument_count; i++)
		if (strlen(filter->arguments[i]->name) == len &&
		    !memcmp(filter->arguments[i]->name, name, len))
			return (uint32_t)i;
	arguments = mem_zalloc(1, sizeof(*arguments));
	for (uint32_t nr = 0; names->argument && nr < SYSCALL_NR_MAX; nr++)
		if (names->argument(names->ctx, nr, name, len, &arguments->of[nr]))
			any = arguments->of[nr].present = true;
	if (!any) {
		free(arguments);
		return FILTER_NO_NODE;
	}
	arguments->name = mem_strndup(name, len);
	filter->arguments = mem_grow(filter->arguments, &filter->argument_cap,
				     filter->argument_count + 1, sizeof(*filter->arguments));
	filter->arguments[filter->argument_count] = arguments;
	return (uint32_t)filter->argument_count++;
}

static const char *nearest_argument(const struct filter_names *names, const char *name, size_t len)
{
	struct words_nearest nearest = words_nearest_to(name, len);
	const char *known;

	for (uint32_t nr = 0; names->argument_name && nr < SYSCALL_NR_MAX; nr++)
		for (unsigned i = 0; (known = names->argument_name(names->ctx, nr, i)); i++)
			words_nearest_offer(&nearest, known);
	return nearest.found;
}

/* "open, openat, mmap and 12 more" */
static void add_calls_of(struct str *out, const struct filter_names *names, const char *name)
{
	struct filter_argument ignored;
	size_t count = 0;

	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		if (!names->argument(names->ctx, nr, name, strlen(name), &ignored))
			continue;
		if (count < CALLS_NAMED)
			str_addf(out, "%s%s", count ? ", " : "",
				 names->syscall_name(names->ctx, nr));
		count++;
	}
	if (count > CALLS_NAMED)
		str_addf(out, " and %zu more", count - CALLS_NAMED);
}

void filter_arguments_unknown(const struct filter *filter, const char *name, size_t len,
			      struct err *err)
{
	const struct filter_names *names = &filter->names;
	const char *nearest = nearest_argument(names, name, len);
	char raw[SHOWN_BYTES], shown[SHOWN_BYTES];
	struct str calls = STR_INIT;

	snprintf(raw, sizeof(raw), "%.*s", (int)len, name);
	escape_name(shown, sizeof(shown), raw);
	if (nearest && names->argument && names->syscall_name) {
		add_calls_of(&calls, names, nearest);
		err_set(err, -EINVAL,
			"no system call has an argument \"%s\"; did you mean %s (of "
			"%s)?",
			shown, nearest, calls.data);
	} else {
		err_set(err, -EINVAL,
			"no system call has an argument \"%s\"; use the name in the prototype, as "
			"in args.flags",
			shown);
	}
	str_release(&calls);
}

static void set_call(struct filter_syscall_set *calls, uint32_t nr, bool in)
{
	if (in)
		calls->bits[nr / 8] |= (uint8_t)(1u << nr % 8);
	else
		calls->bits[nr / 8] &= (uint8_t) ~(1u << nr % 8);
}

bool filter_arguments_calls(const struct filter_arguments *arguments, bool text,
			    struct filter_syscall_set *calls)
{
	bool any = false;

	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		bool in = arguments->of[nr].present && (!text || arguments->of[nr].is_text);
		set_call(calls, nr, in);
		any = any || in;
	}
	return any;
}

/* Find the argument of a call that the test reads; false: the call has none. */
static bool position_in(const struct filter_arguments *arguments, unsigned position, uint32_t nr,
			unsigned *arg)
{
	*arg = arguments ? arguments->of[nr].index : position;
	return !arguments || arguments->of[nr].present;
}

static bool constant_of(const struct filter_names *names, uint32_t nr, unsigned arg,
			const char *name, uint64_t *value)
{
	const char *known;
	uint64_t its_value;

	for (size_t i = 0; names->constant(names->ctx, nr, arg, i, &known, &its_value); i++) {
		if (!strcmp(known, name)) {
			*value = its_value;
			return true;
		}
	}
	return false;
}

/* Slow: visits the constants of all calls that have the argument. */
static bool look_up(const struct filter_names *names, const struct filter_arguments *arguments,
		    unsigned position, const char *name, uint64_t *value,
		    struct filter_syscall_set *knowing)
{
	bool found = false;
	unsigned arg;

	memset(knowing, 0, sizeof(*knowing));
	for (uint32_t nr = 0; names->constant && nr < SYSCALL_NR_MAX; nr++) {
		uint64_t its_value;

		if (!position_in(arguments, position, nr, &arg) ||
		    !constant_of(names, nr, arg, name, &its_value))
			continue;
		/* A name stands for one number, the same in all calls of the test. */
		if (found && its_value != *value)
			continue;
		*value = its_value;
		found = true;
		set_call(knowing, nr, true);
	}
	return found;
}

bool filter_arguments_constant(const struct filter *filter, struct filter_arguments *arguments,
			       unsigned position, const char *name, uint64_t *value,
			       struct filter_syscall_set *calls)
{
	struct filter_syscall_set knowing;

	if (!arguments)
		return look_up(&filter->names, NULL, position, name, value, &knowing);
	if (!arguments->constant || strcmp(arguments->constant, name)) {
		if (!look_up(&filter->names, arguments, position, name, value, &knowing))
			return false;
		free(arguments->constant);
		arguments->constant = mem_strdup(name);
		arguments->value = *value;
		arguments->knowing = knowing;
	}
	*value = arguments->value;
	for (size_t i = 0; i < sizeof(calls->bits); i++)
		calls->bits[i] &= arguments->knowing.bits[i];
	return true;
}

const char *filter_arguments_nearest(const struct filter *filter,
				     const struct filter_arguments *arguments, unsigned position,
				     const char *name)
{
	const struct filter_names *names = &filter->names;
	struct words_nearest nearest = words_nearest_to(name, strlen(name));
	const char *known;
	uint64_t value;
	unsigned arg;

	for (uint32_t nr = 0; names->constant && nr < SYSCALL_NR_MAX; nr++) {
		if (!position_in(arguments, position, nr, &arg))
			continue;
		for (size_t i = 0; names->constant(names->ctx, nr, arg, i, &known, &value); i++)
			words_nearest_offer(&nearest, known);
	}
	return nearest.found;
}

void filter_arguments_each(const struct filter_names *names, const char *name, size_t len,
			   filter_constant_fn *each, void *ctx)
{
	struct filter_argument argument;
	const char *known;
	uint64_t value;

	for (uint32_t nr = 0; names->argument && names->constant && nr < SYSCALL_NR_MAX; nr++) {
		if (!names->argument(names->ctx, nr, name, len, &argument))
			continue;
		for (size_t i = 0;
		     names->constant(names->ctx, nr, argument.index, i, &known, &value); i++)
			each(ctx, known, nr);
	}
}
