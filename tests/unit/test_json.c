#include "engine/export/json.h"

#include "tests/unit/runner.h"

#include <string.h>
#include <sys/syscall.h>

static const struct {
	const char *text, *json;
} string_cases[] = {
	{ "", "\"\"" },
	{ "plain", "\"plain\"" },
	{ "a\"b", "\"a\\\"b\"" },
	{ "\\377", "\"\\\\377\"" },
	{ "tab\there", "\"tab\\u0009here\"" },
	{ "\x1b[31m", "\"\\u001b[31m\"" },
	{ "\303\251\"", "\"\303\251\\\"\"" },
};

START_TEST(strings_are_escaped)
{
	struct str out = STR_INIT;

	json_add_string(&out, string_cases[_i].text);
	ck_assert_str_eq(out.data, string_cases[_i].json);
	str_release(&out);
}
END_TEST

struct call_case {
	const char *name;
	struct call call;
	struct json_call more;
	const char *json;
};

#define HEAD "{\"type\":\"call\",\"ts\":1000,"
#define WHO "\"pid\":41,\"tid\":42,\"comm\":\"x\",\"cpu\":3,\"nr\":3,\"name\":\"close\","
#define ARGS "\"args\":[{\"name\":\"fd\",\"value\":\"0x5\",\"text\":\"5\",\"from\":\"register\"}],"
#define CALL(...) \
	{ \
		.enter_ns = 1000, .pid = 41, .tid = 42, .cpu = 3, .nr = SYS_close, .args = { 5 }, \
		__VA_ARGS__ \
	}

/* clang-format off */
static const struct call_case call_cases[] = {
	{ "done", CALL(.state = CALL_DONE, .dur_ns = 250, .blocked_ns = 7, .runnable_ns = 8),
	  { .comm = "x" },
	  HEAD "\"dur\":250," WHO ARGS "\"ret\":0,\"errno\":null,\"ret_text\":\"0\","
	  "\"state\":\"done\",\"blocked\":7,\"runnable\":8,\"stack\":[],\"waker\":null}\n" },
	{ "failed", CALL(.state = CALL_DONE, .dur_ns = 250, .ret = -9),
	  { .comm = "x" },
	  HEAD "\"dur\":250," WHO ARGS "\"ret\":-9,\"errno\":\"EBADF\","
	  "\"ret_text\":\"-1 EBADF (Bad file descriptor)\",\"state\":\"done\","
	  "\"blocked\":0,\"runnable\":0,\"stack\":[],\"waker\":null}\n" },
	{ "no such error", CALL(.state = CALL_DONE, .dur_ns = 250, .ret = -4000),
	  { .comm = "x" },
	  HEAD "\"dur\":250," WHO ARGS "\"ret\":-4000,\"errno\":\"4000\","
	  "\"ret_text\":\"-1 (errno 4000)\",\"state\":\"done\","
	  "\"blocked\":0,\"runnable\":0,\"stack\":[],\"waker\":null}\n" },
	{ "in flight", CALL(.state = CALL_IN_FLIGHT, .dur_ns = 500),
	  { .comm = "x" },
	  HEAD "\"dur\":null,\"age\":500," WHO ARGS "\"ret\":null,\"errno\":null,"
	  "\"ret_text\":\"?\",\"state\":\"in_flight\",\"blocked\":0,\"runnable\":0,"
	  "\"stack\":[],\"waker\":null}\n" },
	{ "orphan", CALL(.state = CALL_ORPHAN, .dur_ns = -1),
	  { .comm = "x" },
	  HEAD "\"dur\":null," WHO "\"args\":[],\"ret\":0,\"errno\":null,\"ret_text\":\"0\","
	  "\"state\":\"orphan\",\"blocked\":0,\"runnable\":0,\"stack\":[],\"waker\":null}\n" },
	{ "lost exit", CALL(.state = CALL_LOST_EXIT, .dur_ns = -1),
	  { .comm = "x" },
	  HEAD "\"dur\":null," WHO ARGS "\"ret\":null,\"errno\":null,\"ret_text\":\"?\","
	  "\"state\":\"orphan\",\"blocked\":0,\"runnable\":0,\"stack\":[],\"waker\":null}\n" },
	{ "woken", CALL(.state = CALL_DONE, .dur_ns = 1, .waker_kind = WAKER_THREAD,
			.waker_tid = 9),
	  { .comm = "x", .stack = "[1]", .waker_comm = "w\\1", .waker_pid = 8,
	    .waker_stack = "[2]" },
	  HEAD "\"dur\":1," WHO ARGS "\"ret\":0,\"errno\":null,\"ret_text\":\"0\","
	  "\"state\":\"done\",\"blocked\":0,\"runnable\":0,\"stack\":[1],\"waker\":"
	  "{\"kind\":\"thread\",\"pid\":8,\"tid\":9,\"comm\":\"w\\\\1\",\"stack\":[2]}}\n" },
	{ "woken by an inferred waker", CALL(.state = CALL_DONE, .dur_ns = 1, .waker_tid = 9,
			.waker_kind = WAKER_THREAD, .flags = CALL_WAKER_INFERRED),
	  { .comm = "x", .waker_comm = "w", .waker_pid = 8 },
	  HEAD "\"dur\":1," WHO ARGS "\"ret\":0,\"errno\":null,\"ret_text\":\"0\","
	  "\"state\":\"done\",\"blocked\":0,\"runnable\":0,\"stack\":[],\"waker\":"
	  "{\"kind\":\"thread\",\"pid\":8,\"tid\":9,\"comm\":\"w\",\"stack\":[],"
	  "\"inferred\":true}}\n" },
	{ "stacks of an earlier wait", CALL(.state = CALL_DONE, .dur_ns = 1, .waker_tid = 9,
			.waker_kind = WAKER_THREAD,
			.flags = CALL_STACK_EARLIER | CALL_WAKER_STACK_EARLIER),
	  { .comm = "x", .stack = "[1]", .waker_comm = "w", .waker_pid = 8,
	    .waker_stack = "[2]" },
	  HEAD "\"dur\":1," WHO ARGS "\"ret\":0,\"errno\":null,\"ret_text\":\"0\","
	  "\"state\":\"done\",\"blocked\":0,\"runnable\":0,\"stack\":[1],"
	  "\"stack_earlier\":true,\"waker\":{\"kind\":\"thread\",\"pid\":8,\"tid\":9,"
	  "\"comm\":\"w\",\"stack\":[2],\"stack_earlier\":true}}\n" },
	{ "stack found at the start", CALL(.state = CALL_DONE, .dur_ns = -1,
			.flags = CALL_SEEDED | CALL_STACK_FOUND),
	  { .comm = "x", .stack = "[1]" },
	  HEAD "\"seeded\":true,\"dur\":null," WHO ARGS "\"ret\":0,\"errno\":null,"
	  "\"ret_text\":\"0\",\"state\":\"done\",\"blocked\":0,\"runnable\":0,"
	  "\"stack\":[1],\"stack_found\":true,\"waker\":null}\n" },
	{ "woken by its timeout", CALL(.state = CALL_DONE, .dur_ns = 1,
			.waker_kind = WAKER_TIMER),
	  { .comm = "x", .waker_stack = "[2]" },
	  HEAD "\"dur\":1," WHO ARGS "\"ret\":0,\"errno\":null,\"ret_text\":\"0\","
	  "\"state\":\"done\",\"blocked\":0,\"runnable\":0,\"stack\":[],\"waker\":"
	  "{\"kind\":\"timer\",\"pid\":0,\"tid\":0,\"comm\":\"\",\"stack\":[2]}}\n" },
	{ "woken by a softirq", CALL(.state = CALL_DONE, .dur_ns = 1,
			.waker_kind = WAKER_INTERRUPT),
	  { .comm = "x", .waker_stack = "[2]", .interrupt = "net_rx_action", .softirq = true },
	  HEAD "\"dur\":1," WHO ARGS "\"ret\":0,\"errno\":null,\"ret_text\":\"0\","
	  "\"state\":\"done\",\"blocked\":0,\"runnable\":0,\"stack\":[],\"waker\":"
	  "{\"kind\":\"softirq\",\"name\":\"net_rx_action\",\"pid\":0,\"tid\":0,\"comm\":\"\","
	  "\"stack\":[2]}}\n" },
	{ "woken by an interrupt", CALL(.state = CALL_DONE, .dur_ns = 1,
			.waker_kind = WAKER_INTERRUPT),
	  { .comm = "x" },
	  HEAD "\"dur\":1," WHO ARGS "\"ret\":0,\"errno\":null,\"ret_text\":\"0\","
	  "\"state\":\"done\",\"blocked\":0,\"runnable\":0,\"stack\":[],\"waker\":"
	  "{\"kind\":\"interrupt\",\"name\":null,\"pid\":0,\"tid\":0,\"comm\":\"\","
	  "\"stack\":[]}}\n" },
	{ "inside a pid namespace", CALL(.state = CALL_DONE, .dur_ns = 1),
	  { .comm = "x", .ns_pid = 7, .cgroup = ",\"cgroup\":\"/\"" },
	  HEAD "\"dur\":1,\"pid\":41,\"tid\":42,\"comm\":\"x\",\"ns_pid\":7,\"cgroup\":\"/\","
	  "\"cpu\":3,\"nr\":3,\"name\":\"close\"," ARGS "\"ret\":0,\"errno\":null,"
	  "\"ret_text\":\"0\",\"state\":\"done\",\"blocked\":0,\"runnable\":0,"
	  "\"stack\":[],\"waker\":null}\n" },
	{ "gap", { .state = CALL_GAP, .enter_ns = 5, .cpu = 1, .args = { 512 } }, { .comm = "" },
	  "{\"type\":\"lost\",\"ts\":5,\"cpu\":1,\"count\":512}\n" },
	{ "gap of other records",
	  { .state = CALL_GAP, .enter_ns = 5, .cpu = 1, .args = { 512, LOSS_OTHER } },
	  { .comm = "" },
	  "{\"type\":\"lost\",\"ts\":5,\"cpu\":1,\"count\":512,\"beside\":true}\n" },
};
/* clang-format on */

START_TEST(calls_have_their_fields)
{
	const struct call_case *c = &call_cases[_i];
	struct syscalls *syscalls = syscalls_load(NULL);
	struct str out = STR_INIT;

	json_add_call(&out, syscalls, &c->call, &c->more);
	ck_assert_msg(!strcmp(out.data, c->json), "%s:\n%s%s", c->name, out.data, c->json);
	str_release(&out);
	syscalls_free(syscalls);
}
END_TEST

/* clang-format off */
START_TEST(stack_has_its_frames)
{
	const struct frame frames[] = {
		{ .ip = 0xffff1000, .kind = FRAME_KERNEL, .symbol = "schedule", .offset = 26,
		  .dso = "[kernel]" },
		{ .ip = 0x4010, .kind = FRAME_USER, .symbol = "f<\"x\">", .offset = 1,
		  .dso = "/bin/x", .file = "x.c", .line = 12, .inlined = true },
		{ .ip = 0x4020, .kind = FRAME_USER, .dso = "", .dso_offset = 32 },
	};
	struct str out = STR_INIT;

	/* clang-format on */
	json_add_frames(&out, frames, 3);
	ck_assert_str_eq(
		out.data,
		"[{\"ip\":\"0xffff1000\",\"sym\":\"schedule\",\"off\":26,\"dso\":\"[kernel]\","
		"\"kind\":\"kernel\",\"src\":null,\"inlined\":false},"
		"{\"ip\":\"0x4010\",\"sym\":\"f<\\\"x\\\">\",\"off\":1,\"dso\":\"/bin/x\","
		"\"kind\":\"user\",\"src\":\"x.c:12\",\"inlined\":true},"
		"{\"ip\":\"0x4020\",\"sym\":null,\"off\":32,\"dso\":\"\",\"kind\":\"user\","
		"\"src\":null,\"inlined\":false}]");
	str_release(&out);
}
END_TEST

#define ID "3f4a1b2c5d6e7f8091a2b3c4d5e6f70812233445566778899aabbccddeeff001"
#define POD "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"

static const struct {
	const char *path, *json;
} cgroup_cases[] = {
	{ NULL, "" },
	{ "", "" },
	{ "/", ",\"cgroup\":\"/\"" },
	{ "/a\"b\n", ",\"cgroup\":\"/a\\\"b\\\\n\"" },
	{ "/system.slice/nginx.service", ",\"cgroup\":\"/system.slice/nginx.service\"" },
	{ "/docker/" ID, ",\"cgroup\":\"/docker/" ID "\",\"container\":{\"runtime\":\"docker\","
			 "\"id\":\"" ID "\",\"pod\":null}" },
	{ "/kubepods/pod" POD, ",\"cgroup\":\"/kubepods/pod" POD "\",\"container\":{\"runtime\":"
			       "\"kubernetes\",\"id\":null,\"pod\":\"" POD "\"}" },
	{ "/lxc/\"\033", ",\"cgroup\":\"/lxc/\\\"\\\\33\",\"container\":{\"runtime\":\"lxc\","
			 "\"id\":\"\\\"\\\\33\",\"pod\":null}" },
};

START_TEST(cgroups_name_their_container)
{
	struct str out = STR_INIT;

	json_add_cgroup(&out, cgroup_cases[_i].path);
	ck_assert_str_eq(out.data, cgroup_cases[_i].json);
	str_release(&out);
}
END_TEST

#define COUNT(cases) ((int)(sizeof(cases) / sizeof((cases)[0])))

Suite *suite_json(void);
Suite *suite_json(void)
{
	Suite *suite = suite_create("json");
	TCase *tc = tcase_create("json");

	tcase_add_loop_test(tc, strings_are_escaped, 0, COUNT(string_cases));
	tcase_add_loop_test(tc, calls_have_their_fields, 0, COUNT(call_cases));
	tcase_add_test(tc, stack_has_its_frames);
	tcase_add_loop_test(tc, cgroups_name_their_container, 0, COUNT(cgroup_cases));
	suite_add_tcase(suite, tc);
	return suite;
}
