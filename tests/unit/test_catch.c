#include "engine/catch.h"

#include "engine/decode/syscalls.h"
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <poll.h>
#include <string.h>

static struct syscalls *syscalls;
static struct filter_names names;
static struct model *model;
static struct catches *catches;

static void setup(void)
{
	struct model_options options = { .history_bytes = 1 << 20 };
	struct err err;

	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
	ck_assert(!model_new(&model, &options, &err));
	catches = catches_new();
	ck_assert_ptr_nonnull(catches);
}

static void teardown(void)
{
	catches_free(catches);
	model_free(model);
	syscalls_free(syscalls);
}

static const struct {
	const char *text, *again;
	enum catch_action action;
	const char *file;
} good[] = {
	{ "stop: futex", "stop: syscall == futex", CATCH_STOP, NULL },
	{ "stop:futex", "stop: syscall == futex", CATCH_STOP, NULL },
	{ "  freeze :  failed  ", "freeze: failed", CATCH_FREEZE, NULL },
	{ "bell: comm == \"a: b\"", "bell: comm == \"a: b\"", CATCH_BELL, NULL },
	{ "record /tmp/a.jsonl: dur > 1s", "record /tmp/a.jsonl: dur > 1s", CATCH_RECORD,
	  "/tmp/a.jsonl" },
	{ "record a:b c: failed", "record a:b c: failed", CATCH_RECORD, "a:b c" },
	{ "record a:failed", "record a: failed", CATCH_RECORD, "a" },
};

START_TEST(rules_are_read_and_written)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct filter_error error;
		struct str text = STR_INIT;
		struct catch_rule rule, again;

		ck_assert_msg(!catch_rule_parse(&rule, good[i].text, &names, &error), "%s: %s",
			      good[i].text, error.err.text);
		ck_assert_int_eq(rule.action, good[i].action);
		ck_assert_msg(!good[i].file ? !rule.file
					    : rule.file && !strcmp(rule.file, good[i].file),
			      "%s: %s", good[i].text, rule.file);
		catch_rule_text(&rule, &text);
		ck_assert_str_eq(text.data, good[i].again);
		ck_assert(!catch_rule_parse(&again, text.data, &names, &error));
		catch_rule_release(&again);
		catch_rule_release(&rule);
		str_release(&text);
	}
}
END_TEST

static const struct {
	const char *text;
	size_t column;
	const char *said;
} bad[] = {
	{ "", 0, "freeze, record, bell, stop" },
	{ "kill: futex", 0, "freeze, record, bell, stop" },
	{ "  stopp: futex", 2, "freeze, record, bell, stop" },
	{ "stop", 4, "colon" },
	{ "stop futex", 10, "colon" },
	{ "stop it: futex", 5, "colon" },
	{ "stop:", 5, "expression" },
	{ "stop:  ", 7, "expression" },
	{ "record: futex", 6, "file" },
	{ "record  : futex", 8, "file" },
	{ "record a", 8, "file" },
	{ "stop: sycall == 1", 6, "syscall" },
	{ "record /a: dur >", 16, "duration" },
};

START_TEST(errors_have_a_position)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct filter_error error = { .column = 99 };
		struct catch_rule rule;

		ck_assert_msg(catch_rule_parse(&rule, bad[i].text, &names, &error), "%s",
			      bad[i].text);
		ck_assert_msg(error.column == bad[i].column, "%s: %zu", bad[i].text, error.column);
		ck_assert_msg(strstr(error.err.text, bad[i].said), "%s: %s", bad[i].text,
			      error.err.text);
	}
}
END_TEST

static void set(unsigned index, const char *text)
{
	struct filter_error error;
	struct catch_rule rule;

	ck_assert_msg(!catch_rule_parse(&rule, text, &names, &error), "%s", error.err.text);
	catches_set(catches, index, &rule);
	catch_rule_release(&rule);
}

static void come(uint32_t pid, int64_t ret)
{
	static uint64_t seq;
	struct call call = { .pid = pid, .tid = pid, .ret = ret, .state = CALL_DONE, .dur_ns = 5 };

	catches_look(catches, &call, seq++, model);
}

static bool is_reported(void)
{
	return poll(&(struct pollfd){ .fd = catches_fd(catches), .events = POLLIN }, 1, 0) == 1;
}

START_TEST(stop_catch_is_disarmed_and_bell_catch_is_not)
{
	struct catch_hit hits[8];

	set(0, "stop: pid == 7");
	set(3, "bell: failed");
	come(6, 0);
	ck_assert(!is_reported());
	come(7, -2);
	ck_assert(is_reported());
	come(7, -2);
	ck_assert_uint_eq(catches_take(catches, hits, 8), 3);
	ck_assert(!is_reported());
	ck_assert_uint_eq(hits[0].index, 0);
	ck_assert_uint_eq(hits[0].call.pid, 7);
	ck_assert_uint_eq(hits[1].index, 3);
	ck_assert_uint_eq(hits[1].seq, hits[0].seq);
	ck_assert_uint_eq(hits[2].index, 3);
	ck_assert_uint_eq(hits[2].seq, hits[0].seq + 1);
	ck_assert(!catches_state(catches, 0).armed);
	ck_assert_uint_eq(catches_state(catches, 0).count, 1);
	ck_assert(catches_state(catches, 3).armed);
	catches_arm(catches, 0, true);
	come(7, 0);
	ck_assert_uint_eq(catches_take(catches, hits, 8), 1);
	ck_assert_uint_eq(catches_state(catches, 0).count, 2);
}
END_TEST

START_TEST(replaced_catch_loses_its_hits)
{
	struct catch_hit hits[8];

	set(0, "bell: pid == 7");
	set(1, "bell: pid == 7");
	come(7, 0);
	set(0, "bell: pid == 8");
	ck_assert_uint_eq(catches_take(catches, hits, 8), 1);
	ck_assert_uint_eq(hits[0].index, 1);
	catches_set(catches, 1, NULL);
	come(7, 0);
	ck_assert_uint_eq(catches_take(catches, hits, 8), 0);
	catches_arm(catches, 1, true);
	ck_assert(!catches_state(catches, 1).armed);
}
END_TEST

START_TEST(a_flood_is_counted)
{
	struct catch_hit hits[256];

	set(0, "bell: pid == 7");
	for (int i = 0; i < 10000; i++)
		come(7, 0);
	ck_assert_uint_eq(catches_state(catches, 0).count, 10000);
	ck_assert_uint_eq(catches_take(catches, hits, 10), 10);
	ck_assert(is_reported());
	ck_assert_uint_lt(catches_take(catches, hits, 256), 256);
	ck_assert(!is_reported());
	come(7, 0);
	ck_assert(is_reported());
}
END_TEST

Suite *suite_catch(void);
Suite *suite_catch(void)
{
	Suite *suite = suite_create("catch");
	TCase *tests = tcase_create("catch");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, rules_are_read_and_written);
	tcase_add_test(tests, errors_have_a_position);
	tcase_add_test(tests, stop_catch_is_disarmed_and_bell_catch_is_not);
	tcase_add_test(tests, replaced_catch_loses_its_hits);
	tcase_add_test(tests, a_flood_is_counted);
	suite_add_tcase(suite, tests);
	return suite;
}
