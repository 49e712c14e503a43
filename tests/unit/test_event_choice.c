#include "tui/dialogs/event_choice.h"

#include "tests/unit/runner.h"

#include <string.h>

static const char *const there[] = { "sched:sched_process_exec", "sched:sched_process_exit",
				     "sched:sched_switch", "signal:signal_generate",
				     "syscalls:sys_enter_open" };

/* Start as if the list of tracepoints has been read; no tracepoint is watched. */
static void choice_init(struct event_choice *choice)
{
	struct options options = { .events = NULL };

	event_choice_init(choice, &options);
	choice->available.names = (char **)(uintptr_t)there;
	choice->available.count = sizeof(there) / sizeof(there[0]);
	choice->reading = true;
	atomic_store(&choice->has_read, true);
}

static void choice_release(struct event_choice *choice)
{
	choice->available = (struct event_list)EVENT_LIST_INIT;
	choice->reading = false;
	event_choice_release(choice);
}

static const struct {
	const char *text; /* the cursor is at its end */
	size_t start;
	const char *candidates, *note; /* note: of the first candidate */
} cases[] = {
	{ "", 0, "sched: signal: syscalls: ", "3 tracepoints" },
	{ "s", 0, "sched: signal: syscalls: ", "3 tracepoints" },
	{ "sig", 0, "signal: ", "1 tracepoint" },
	{ "sched:", 0, "sched:sched_process_exec sched:sched_process_exit sched:sched_switch ",
	  NULL },
	{ "sched:sched_s", 0, "sched:sched_switch ", NULL },
	{ "signal:signal_generate,sys", 23, "syscalls: ", "1 tracepoint" },
	{ "signal:signal_generate, syscalls:", 24, "syscalls:sys_enter_open ", NULL },
	{ "nothing", 0, "", NULL },
	{ "sched:x", 0, "", NULL },
};

START_TEST(candidates_are_systems_and_then_names)
{
	struct prompt_candidates candidates = { .items = NULL };
	size_t len = strlen(cases[_i].text);
	struct event_choice choice;
	struct str all = STR_INIT;
	struct prompt prompt;

	choice_init(&choice);
	prompt_init(&prompt);
	event_choice_complete(&choice, cases[_i].text, len, &candidates);
	ck_assert_uint_eq(candidates.word_start, cases[_i].start);
	for (size_t i = 0; i < candidates.count; i++)
		str_addf(&all, "%s ", candidates.items[i].text);
	ck_assert_str_eq(all.data, cases[_i].candidates);
	if (candidates.count && cases[_i].note)
		ck_assert_str_eq(candidates.items[0].note, cases[_i].note);
	else if (candidates.count)
		ck_assert_ptr_null(candidates.items[0].note);
	/* The prompt frees the candidates. */
	prompt.candidates = candidates;
	prompt_release(&prompt);
	str_release(&all);
	choice_release(&choice);
}
END_TEST

START_TEST(before_the_list_is_read_nothing_is_offered)
{
	struct prompt_candidates candidates = { .items = NULL };
	struct event_choice choice;

	choice_init(&choice);
	atomic_store(&choice.has_read, false);
	event_choice_complete(&choice, "sched:", 6, &candidates);
	ck_assert_uint_eq(candidates.count, 0);
	choice_release(&choice);
}
END_TEST

Suite *suite_event_choice(void);
Suite *suite_event_choice(void)
{
	Suite *suite = suite_create("event_choice");
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, candidates_are_systems_and_then_names, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tests, before_the_list_is_read_nothing_is_offered);
	suite_add_tcase(suite, tests);
	return suite;
}
