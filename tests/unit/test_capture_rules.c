#include "engine/decode/capture_rules.h"

#include "engine/decode/call_bytes.h"
#include "tests/unit/runner.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static struct capture_rules *make(uint32_t string_bytes)
{
	struct capture_rules *rules = malloc(sizeof(*rules));
	struct syscalls *syscalls = syscalls_load(NULL);

	ck_assert_ptr_nonnull(rules);
	capture_rules_make(rules, syscalls, string_bytes, false);
	syscalls_free(syscalls);
	return rules;
}

static void check(const struct capture_rule *rule, unsigned arg, enum capture_kind kind,
		  unsigned max)
{
	ck_assert_uint_eq(rule->arg, arg);
	ck_assert_uint_eq(rule->kind, kind);
	ck_assert_uint_eq(rule->max, max);
}

START_TEST(rules_follow_the_argument_forms)
{
	struct capture_rules *rules = make(0);
	const struct capture_call *call = &rules->calls[SYS_openat];

	ck_assert_uint_eq(rules->origin, BYTES_KERNEL);
	ck_assert(call->at_enter == 1 && !call->at_exit);
	check(&call->rules[0], 1, CAPTURE_TEXT, PATH_MAX);
	call = &rules->calls[SYS_newfstatat];
	ck_assert(call->at_enter == 1 && call->at_exit == 1);
	check(&call->rules[0], 1, CAPTURE_TEXT, PATH_MAX);
	check(&call->rules[1], 2, CAPTURE_BYTES, sizeof(struct stat));
	call = &rules->calls[SYS_write];
	ck_assert(call->at_enter == 1 && !call->at_exit);
	check(&call->rules[0], 1, CAPTURE_BYTES, 33);
	ck_assert_uint_eq(call->rules[0].size, CAPTURE_BY_ARG);
	ck_assert_uint_eq(call->rules[0].size_arg, 2);
	call = &rules->calls[SYS_read];
	ck_assert(!call->at_enter && call->at_exit == 1);
	check(&call->rules[0], 1, CAPTURE_BYTES, 33);
	ck_assert_uint_eq(call->rules[0].size, CAPTURE_BY_RESULT);
	call = &rules->calls[SYS_nanosleep];
	ck_assert_uint_eq(call->at_enter, 1);
	check(&call->rules[0], 0, CAPTURE_BYTES, 16);
	ck_assert(!rules->calls[SYS_close].at_enter && !rules->calls[SYS_close].at_exit);
	free(rules);
	rules = make(4095);
	check(&rules->calls[SYS_read].rules[0], 1, CAPTURE_BYTES, 4096);
	free(rules);
}
END_TEST

/* BPF programs use the rules unchecked, so every rule must be valid. */
START_TEST(rules_are_within_their_bounds)
{
	struct capture_rules *rules = make(4095);
	unsigned calls = 0;

	for (unsigned nr = 0; nr < CAPTURE_CALLS; nr++) {
		const struct capture_call *call = &rules->calls[nr];
		unsigned count = call->at_enter + call->at_exit;

		ck_assert_uint_le(count, CAPTURE_RULES);
		calls += count > 0;
		for (unsigned i = 0; i < count; i++) {
			const struct capture_rule *rule = &call->rules[i];

			ck_assert_uint_lt(rule->arg, SYSCALL_ARGS);
			ck_assert_uint_lt(rule->size_arg, SYSCALL_ARGS);
			ck_assert_uint_lt(rule->only_arg, SYSCALL_ARGS);
			ck_assert_uint_lt(rule->kind, CAPTURE_KIND_COUNT);
			ck_assert_uint_lt(rule->size, CAPTURE_SIZE_COUNT);
			ck_assert(rule->unit && rule->max);
			ck_assert(rule->kind != CAPTURE_TEXT || rule->max <= CAPTURE_BYTES_MAX);
		}
	}
	ck_assert_uint_gt(calls, 200);
	free(rules);
}
END_TEST

Suite *suite_capture_rules(void);
Suite *suite_capture_rules(void)
{
	Suite *suite = suite_create("capture_rules");
	TCase *tests = tcase_create("capture_rules");

	tcase_add_test(tests, rules_follow_the_argument_forms);
	tcase_add_test(tests, rules_are_within_their_bounds);
	suite_add_tcase(suite, tests);
	return suite;
}
