/*
 * filter_tree - data of a parsed filter. Private to engine/filter/.
 *
 * A tree of `and`, `or`, `not` over tests, in one array, is for analysis: the text and the pushdown
 * of the filter. A list of steps is for evaluation; each step has a successor for each result. Both
 * are immutable after parsing.
 */
#ifndef FILTER_FILTER_TREE_H
#define FILTER_FILTER_TREE_H

#include "engine/filter/filter.h"
#include "engine/filter/filter_cache.h"
#include "engine/filter/filter_lexer.h"
#include "engine/filter/filter_pattern.h"

#include <stdatomic.h>

#define FILTER_TEXT_BYTES 65536
/* Joined filters can be longer than a filter that the user typed. */
#define FILTER_JOINED_BYTES (4u << 20)
#define FILTER_NESTING 200

/* In the order of filter_fields. */
enum filter_field_id {
	FIELD_ARG0,
	FIELD_ARG1,
	FIELD_ARG2,
	FIELD_ARG3,
	FIELD_ARG4,
	FIELD_ARG5,
	FIELD_ARGUMENT,
	FIELD_BEGAN,
	FIELD_BLOCKED,
	FIELD_CGROUP,
	FIELD_COMM,
	FIELD_CPU,
	FIELD_DESCENDANT,
	FIELD_DUR,
	FIELD_ENDED,
	FIELD_ERRNO,
	FIELD_EVENT,
	FIELD_FAILED,
	FIELD_FD,
	FIELD_IN_FLIGHT,
	FIELD_ON_CPU,
	FIELD_PATH,
	FIELD_PID,
	FIELD_PPID,
	FIELD_RET,
	FIELD_RUNNABLE,
	FIELD_STACK,
	FIELD_SYSCALL,
	FIELD_TID,
	FIELD_UID,
	FIELD_WAKER,
	FIELD_WAKER_STACK,
	FIELD_TASK, /* unnamed: a bare number, pid or tid */
};

#define FILTER_NO_NODE UINT32_MAX

/* Values from lo to hi, both included; empty if lo > hi. */
struct filter_range {
	int64_t lo, hi;
};

struct filter_syscall_set {
	uint8_t bits[SYSCALL_NR_MAX / 8];
	bool rest; /* the set has SYSCALL_NR_MAX and higher numbers */
};

enum filter_node_kind { NODE_AND, NODE_OR, NODE_NOT, NODE_TEST };

/* Kind of comparison of a test. */
enum filter_test_kind {
	TEST_RANGES, /* a number in ranges[index .. index + count) */
	TEST_SYSCALLS, /* sets[index] */
	TEST_PATTERN, /* patterns[index] */
	TEST_NAMES, /* equal to one of strings[index .. index + count); a cgroup: inside one */
	TEST_FLAG, /* failed, in_flight */
};

struct filter_node {
	uint8_t kind; /* enum filter_node_kind */
	uint8_t field; /* enum filter_field_id; for tests, like all below but `first` and `next` */
	uint8_t test; /* enum filter_test_kind */
	bool inverted; /* != and !~ */
	uint8_t op; /* enum filter_token_kind, to print the test */
	uint32_t first, next; /* first child of and, or, not; next sibling */
	uint32_t index, count;
	uint32_t value_at, value_len; /* text of the right side in filter->words */
	uint64_t mask; /* bits that are compared; all of them without & */
	bool exact_values; /* compared with ==, != or a list without ranges */
	bool by_choice; /* all values are names of an enumeration within the argument */
	uint32_t argument; /* FIELD_ARGUMENT: index into arguments[] */
	uint32_t calls; /* FIELD_ARGUMENT: index into sets[], for the calls it applies to */
};

/* One argument name, and the argument of that name in each call. */
struct filter_arguments {
	char *name;
	struct filter_argument of[SYSCALL_NR_MAX];
	/* The constant that was looked up last; the next lookup is often for the same one. */
	char *constant;
	uint64_t value;
	struct filter_syscall_set knowing; /* the calls that know the constant */
};

struct filter_step {
	uint8_t field, test;
	bool inverted;
	bool exact_values, by_choice;
	uint32_t count;
	uint32_t when[2]; /* next step if the test is false, true */
	uint64_t mask;
	const struct filter_argument *arguments; /* by call number */
	const struct filter_syscall_set *calls;
	struct filter_cache *memo; /* for tests of stacks, and for patterns on comm */
	union {
		struct filter_range range; /* TEST_RANGES with a single range */
		const struct filter_range *ranges;
		const struct filter_syscall_set *set;
		const struct filter_pattern *pattern;
		char *const *names;
	};
};

#define STEP_REJECT (UINT32_MAX - 1)
#define STEP_ACCEPT UINT32_MAX

struct filter {
	atomic_uint references;
	struct filter_names names;
	uint32_t root; /* FILTER_NO_NODE: matches everything */
	struct filter_node *nodes;
	size_t node_count, node_cap;
	struct filter_range *ranges;
	size_t range_count, range_cap;
	struct filter_syscall_set *sets;
	size_t set_count, set_cap;
	struct filter_pattern **patterns;
	size_t pattern_count, pattern_cap;
	char **strings;
	size_t string_count, string_cap;
	struct filter_arguments **arguments;
	size_t argument_count, argument_cap;
	struct filter_cache **memos;
	size_t memo_count, memo_cap;
	struct str words;
	struct filter_step *steps;
	uint32_t entry; /* the first step */
	char *text;
};

struct filter *filter_new(const struct filter_names *names);
uint32_t filter_add_node(struct filter *filter, enum filter_node_kind kind);
void filter_add_range(struct filter *filter, int64_t lo, int64_t hi);
struct filter_syscall_set *filter_add_set(struct filter *filter);
struct filter_cache *filter_add_memo(struct filter *filter);
void filter_finish(struct filter *filter); /* after the last node: creates text and steps */

/* As filter_parse(), with a length limit; for text that was generated from filters. */
int filter_parse_bounded(struct filter **filter, const char *text, size_t len,
			 const struct filter_names *names, size_t max_bytes,
			 struct filter_error *error);

/* Parts of filter_finish(). */
void filter_compile(struct filter *filter);
void filter_node_text(struct str *out, const struct filter *filter, uint32_t node);

/* Return enum filter_field_id or -1; FIELD_ARGUMENT for any name after "args." */
int filter_field_find(const char *name, size_t len);
#define FILTER_ARGS "args."
const char *filter_field_nearest(const char *name, size_t len); /* or NULL */

/* Add the class, number or name `word` to set; false: none of them. */
bool filter_syscall_word(const struct filter_names *names, const char *word, size_t len,
			 struct filter_syscall_set *set);
/* Add all calls whose name matches. -EINVAL: matching took too long. */
int filter_syscall_pattern(const struct filter_names *names, const struct filter_pattern *pattern,
			   struct filter_syscall_set *set, struct err *err);

static inline bool filter_syscall_set_has(const struct filter_syscall_set *set, uint32_t nr)
{
	return nr < SYSCALL_NR_MAX ? set->bits[nr / 8] >> (nr % 8) & 1 : set->rest;
}

/*
 * Compare a text with the operand of the step; ignores inversion. FILTER_LATER: the pattern gave
 * up, the result is unknown.
 */
enum filter_answer filter_text_is(const struct filter_step *step, const char *text, size_t len);

/* Set a parser error with its position; returns -EINVAL. */
int filter_fail(struct filter_error *error, size_t column, size_t length, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
