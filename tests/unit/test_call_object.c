/* Referenced objects of calls, by the system call table of this machine. */
#include "tui/calls/call_object.h"

#include "tests/unit/runner.h"

#include <string.h>
#include <sys/syscall.h>

static struct engine *engine;

static void setup(void)
{
	struct err err;

	ck_assert_msg(!engine_new(&engine, &err), "%s", err.text);
}

static void teardown(void)
{
	engine_free(engine);
}

START_TEST(futexes_and_descriptors_are_found)
{
	static const struct {
		const char *name, *text;
		uint16_t nr;
		uint8_t state;
		uint64_t args[SYSCALL_ARGS];
	} cases[] = {
		{ "futex", "futex 0x1000", SYS_futex, CALL_DONE, { 0x1000 } },
		{ "futex in flight", "futex 0x1000", SYS_futex, CALL_IN_FLIGHT, { 0x1000 } },
		{ "futex of NULL", "", SYS_futex, CALL_DONE, { 0 } },
		{ "read", "file descriptor 3", SYS_read, CALL_DONE, { 3, 0x1000, 5 } },
		{ "fd in the low half",
		  "file descriptor 3",
		  SYS_read,
		  CALL_DONE,
		  { 0xffffffff00000003 } },
		{ "mmap of a file", "file descriptor 7", SYS_mmap, CALL_DONE, { 0, 0, 0, 0, 7 } },
		{ "anonymous mmap", "", SYS_mmap, CALL_DONE, { 0, 0, 0, 0, (uint64_t)-1 } },
		{ "getpid", "", SYS_getpid, CALL_DONE, { 3 } },
		{ "orphan", "", SYS_read, CALL_ORPHAN, { 3 } },
		{ "gap", "", SYS_read, CALL_GAP, { 3 } },
	};
	const struct syscalls *syscalls = engine_syscalls(engine);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct call call = { .nr = cases[i].nr, .state = cases[i].state, .pid = 42 };
		struct call_object object;
		struct str text = STR_INIT;

		memcpy(call.args, cases[i].args, sizeof(call.args));
		object = call_object(syscalls, &call);
		call_object_text(&object, &text);
		ck_assert_msg(!strcmp(text.data, cases[i].text), "%s: %s", cases[i].name,
			      text.data);
		ck_assert_msg(call_object_is(&object, syscalls, &call) == (*cases[i].text != 0),
			      "%s", cases[i].name);
		call.pid = 43; /* the same descriptor number in another process */
		ck_assert_msg(!call_object_is(&object, syscalls, &call), "%s", cases[i].name);
		str_release(&text);
	}
}
END_TEST

Suite *suite_call_object(void);

Suite *suite_call_object(void)
{
	Suite *suite = suite_create("call_object");
	TCase *tcase = tcase_create("call_object");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, futexes_and_descriptors_are_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
