#include "engine/export/interrupt_name.h"

#include "tests/unit/runner.h"

#include <string.h>

#define FRAMES 4

static const struct {
	const char *name;
	const char *symbols[FRAMES]; /* innermost first */
	const char *handler;
	bool softirq;
} cases[] = {
	{ "a softirq",
	  { "folio_wake_bit", "blk_done_softirq", "handle_softirqs", "irq_exit" },
	  "blk_done_softirq",
	  true },
	{ "a softirq of an older kernel",
	  { "wake", "net_rx_action", "__do_softirq", "do_softirq.part.0" },
	  "net_rx_action",
	  true },
	{ "a device interrupt",
	  { "complete", "vring_interrupt", "__handle_irq_event_percpu", "handle_irq_event" },
	  "vring_interrupt",
	  false },
	{ "a timer of the CPU",
	  { "hrtimer_wakeup", "hrtimer_interrupt", "__sysvec_apic_timer_interrupt",
	    "sysvec_apic_timer_interrupt" },
	  "hrtimer_interrupt",
	  false },
	{ "an interrupt inside a softirq",
	  { "x", "irq_handler", "handle_irq_event_percpu.isra.0", "handle_softirqs" },
	  "irq_handler",
	  false },
	{ "none below", { "sysvec_call_function_single" }, "sysvec_call_function_single", false },
	{ "a similar name", { "wake", "x", "handle_softirqs_later", "y" }, NULL, false },
	{ "no names", { NULL, NULL, "handle_softirqs", NULL }, NULL, true },
	{ "nothing", { NULL }, NULL, false },
};

START_TEST(handlers_follow_from_the_stack)
{
	struct frame frames[FRAMES] = { 0 };
	struct interrupt_name name;

	for (size_t i = 0; i < FRAMES; i++) {
		frames[i].kind = FRAME_KERNEL;
		frames[i].symbol = cases[_i].symbols[i];
	}
	name = interrupt_name(frames, FRAMES);
	ck_assert_msg(name.softirq == cases[_i].softirq, "%s", cases[_i].name);
	if (!cases[_i].handler)
		ck_assert_msg(!name.handler, "%s: %s", cases[_i].name, name.handler);
	else
		ck_assert_msg(name.handler && !strcmp(name.handler, cases[_i].handler), "%s: %s",
			      cases[_i].name, name.handler ? name.handler : "none");
	/* A program can have functions with these names, too. */
	for (size_t i = 0; i < FRAMES; i++)
		frames[i].kind = FRAME_USER;
	ck_assert_msg(!interrupt_name(frames, FRAMES).handler, "%s", cases[_i].name);
}
END_TEST

Suite *suite_interrupt_name(void);
Suite *suite_interrupt_name(void)
{
	Suite *suite = suite_create("interrupt_name");
	TCase *tests = tcase_create("interrupt_name");

	tcase_add_loop_test(tests, handlers_follow_from_the_stack, 0,
			    sizeof(cases) / sizeof(*cases));
	suite_add_tcase(suite, tests);
	return suite;
}
