#include "engine/export/event_line.h"

#include "tests/unit/runner.h"

static const struct call row = { .state = CALL_EVENT,
				 .enter_ns = 12346678999,
				 .dur_ns = -1,
				 .pid = 4242,
				 .tid = 4243,
				 .cpu = 1 };

static const struct {
	struct event_line event;
	const char *text, *json;
} cases[] = {
	{ { .comm = "bash", .name = "sched:sched_process_exec", .text = "filename=/bin/ls pid=1" },
	  "12.345678 (           ) bash/4243 sched:sched_process_exec: filename=/bin/ls pid=1\n",
	  "{\"type\":\"event\",\"ts\":12346678999,\"pid\":4242,\"tid\":4243,\"comm\":\"bash\","
	  "\"cpu\":1,\"name\":\"sched:sched_process_exec\","
	  "\"text\":\"filename=/bin/ls pid=1\"}\n" },
	{ { .comm = "a\"b", .name = "x:y", .text = "", .cgroup = ",\"cgroup\":\"/\"" },
	  "12.345678 (           ) a\"b/4243 x:y:\n",
	  "{\"type\":\"event\",\"ts\":12346678999,\"pid\":4242,\"tid\":4243,\"comm\":\"a\\\"b\","
	  "\"cgroup\":\"/\",\"cpu\":1,\"name\":\"x:y\",\"text\":\"\"}\n" },
	{ { .comm = "a", .name = "x:y", .text = NULL },
	  "12.345678 (           ) a/4243 x:y: ?\n",
	  "{\"type\":\"event\",\"ts\":12346678999,\"pid\":4242,\"tid\":4243,\"comm\":\"a\","
	  "\"cpu\":1,\"name\":\"x:y\",\"text\":null}\n" },
};

START_TEST(event_lines_are_text_and_json)
{
	struct text_options options = { .started_ns = 1000000 };
	struct str out = STR_INIT;

	event_line_add_text(&out, &options, &row, &cases[_i].event);
	ck_assert_str_eq(out.data, cases[_i].text);
	str_clear(&out);
	event_line_add_json(&out, &row, &cases[_i].event);
	ck_assert_str_eq(out.data, cases[_i].json);
	str_release(&out);
}
END_TEST

Suite *suite_event_line(void);
Suite *suite_event_line(void)
{
	Suite *suite = suite_create("event_line");
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, event_lines_are_text_and_json, 0,
			    sizeof(cases) / sizeof(cases[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
