#include "tui/dialogs/demo_guide.h"

/* Tour of the three problems of the demo shop, see screenshots/demo/shop.c. */
static const struct step {
	enum action view;
	const char *text;
	enum action next; /* view that continues the tour */
	const char *what; /* subject of the next view */
	enum action back; /* action that the hint also suggests; 0: none */
} steps[] = {
	{ ACTION_VIEW_OVERVIEW, "This shop is slow; the stacks below show its waits",
	  ACTION_VIEW_FUTEXES, "the locks", 0 },
	{ ACTION_VIEW_FUTEXES, "Orders wait 70 ms for a lock that the report holds",
	  ACTION_VIEW_FILES, "the files", 0 },
	{ ACTION_VIEW_FILES, "A slow disk; a socket read one byte at a time", ACTION_VIEW_SYSCALLS,
	  "the system calls", 0 },
	{ ACTION_VIEW_SYSCALLS, "15 reads per request, fdatasync up to 21 ms", ACTION_VIEW_LATENCY,
	  "latency over time", 0 },
	{ ACTION_VIEW_LATENCY, "The row at 100 ms is one report", ACTION_VIEW_STACKS, "its stacks",
	  ACTION_TIME_BACK },
	{ ACTION_VIEW_STACKS, "ledger_add and append_entry need fixing", ACTION_VIEW_OVERVIEW,
	  "the start of the tour", 0 },
};

static void add_key(const struct bindings *bindings, enum action action, struct str *out)
{
	char name[KEYSTROKES_BYTES];
	struct keystrokes keys;

	if (bindings_first(bindings, CONTEXT_GLOBAL, action, &keys))
		str_add(out, keystrokes_format(name, &keys));
	else
		str_addf(out, ":%s", action_name(action));
}

void demo_guide_text(const struct bindings *bindings, enum action view, struct str *out)
{
	const struct step *step = &steps[0];

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i].view == view)
			step = &steps[i];
	if (step->view == view)
		str_addf(out, "Demo: %s. ", step->text);
	else
		str_add(out, "Demo: ");
	add_key(bindings, step->view == view ? step->next : step->view, out);
	str_addf(out, " shows %s", step->view == view ? step->what : "the start of the tour");
	if (step->view != view || !step->back)
		return;
	str_add(out, ", ");
	add_key(bindings, step->back, out);
	str_add(out, " rewinds");
}
