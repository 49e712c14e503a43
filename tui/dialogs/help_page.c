#include "tui/dialogs/help_page.h"

#include "engine/filter/filter.h"

#include <string.h>

/* Colours explained by the help texts of their roles. */
static const enum role legend[] = {
	ROLE_ERROR, ROLE_SLOW,   ROLE_IN_FLIGHT, ROLE_UNINTERRUPTIBLE, ROLE_LATE,
	ROLE_GAP,   ROLE_KERNEL, ROLE_USER,      ROLE_INLINED,         ROLE_MATCH,
};

static void add_action(struct help *help, const struct bindings *bindings, enum action action,
		       enum action_context context)
{
	struct str keys = STR_INIT;

	bindings_list(bindings, context, action, &keys);
	if (!keys.len)
		str_addf(&keys, ":%s", action_name(action));
	help_add_key(help, keys.data, action_help(action));
	str_release(&keys);
}

/* True if an earlier pane has the same columns, which are listed once. */
static bool is_repeated(const struct view *view, int number, const struct table *table)
{
	for (int i = 0; i < number; i++) {
		const struct pane *pane = &view->panes[i];

		if (pane->ops->table &&
		    pane->ops->table(pane->self)->columns[0].help == table->columns[0].help)
			return true;
	}
	return false;
}

static void add_columns(struct help *help, const struct view *view)
{
	for (int i = 0; i < view->pane_count; i++) {
		const struct pane *pane = &view->panes[i];
		const struct table *table;

		if (!pane->ops->table)
			continue;
		table = pane->ops->table(pane->self);
		if (is_repeated(view, i, table))
			continue;
		help_add(help, ROLE_TEXT, "");
		for (size_t j = 0; j < table->column_count; j++)
			if (table->columns[j].help)
				help_add_key(help, table->columns[j].title, table->columns[j].help);
	}
}

/* Add keymap errors to the page where the user looks up keys. */
static void add_problems(struct help *help, const struct bindings *bindings)
{
	const char *problem;

	if (!bindings_problem(bindings, 0))
		return;
	help_add_heading(help, "Keymap errors");
	for (size_t i = 0; (problem = bindings_problem(bindings, i)); i++)
		help_addf(help, ROLE_WARN, "  %s", problem);
}

static void add_view(struct help *help, const struct bindings *bindings, const struct view *view)
{
	const struct view_def *def = view->def;

	help_add_heading(help, def->title);
	help_add(help, ROLE_TEXT, def->help);
	help_add(help, ROLE_TEXT, "");
	for (int i = 0; i < def->key_count; i++)
		add_action(help, bindings, def->keys[i], CONTEXT_GLOBAL);
	add_columns(help, view);
}

static void add_actions(struct help *help, const struct bindings *bindings, enum action_group group,
			enum action_context context)
{
	for (int i = 0; i < ACTION_COUNT; i++)
		if (action_group((enum action)i) == group)
			add_action(help, bindings, (enum action)i, context);
}

static void add_legend(struct help *help)
{
	help_add_heading(help, "Colours");
	for (size_t i = 0; i < sizeof(legend) / sizeof(legend[0]); i++)
		help_addf(help, legend[i], "  %s", role_help(legend[i]));
	help_add(help, ROLE_TEXT,
		 "\"~\" before an argument or a result: read from the memory of the process after "
		 "the call was entered, so it may have changed since. A bare pointer: its bytes "
		 "are not kept, or were never read; the details (d) say which.");
	help_add(help, ROLE_TEXT,
		 "With --accessible, the cursor is on the selected row, and \"!\" after a duration "
		 "means slow.");
}

/* Marks next to figures, or in their place. */
static const struct {
	const char *mark, *help;
} marks[] = {
	{ "…", "unknown yet: calls are being counted for a new filter; a rate needs a second" },
	{ "searching… 43 %",
	  "this much of the history was searched for rows; keys work meanwhile" },
	{ "(rows: a sample of 23 %)",
	  "too many calls to examine each one: the rows count 23 of 100 calls, so the real "
	  "figures are about 4.3 times as high; a sum with ~ in the title is that estimate" },
	{ "lower bounds", "records were lost: the real figures are at least these" },
	{ ">12.3ms, <4.5ms", "waited at least, and on a CPU at most, this long: records were lost, "
			     "so some waits are unknown" },
	{ "?", "unknown waits, of one call or of all calls that the row sums up" },
	{ "4242 (7)", "process 4242, which is pid 7 in its own pid namespace; inside a namespace, "
		      "stxtop sees no pids of outside processes and omits their calls" },
	{ "(exited)", "one row for all exited processes of a comm, with their number" },
};

static void add_marks(struct help *help)
{
	help_add_heading(help, "Marks");
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		help_add_key(help, marks[i].mark, marks[i].help);
}

static void add_filter_language(struct help *help)
{
	help_add_heading(help, "Filters");
	help_add(help, ROLE_TEXT,
		 "  pid == 42 and dur > 10ms     syscall in {futex, epoll_wait}     not failed");
	help_add(help, ROLE_TEXT,
		 "A bare word is a system call or %class, a bare number is a pid or tid, anything "
		 "else is part of a comm.");
	for (size_t i = 0; i < filter_field_count; i++) {
		struct str text = STR_INIT;

		str_add(&text, filter_fields[i].help);
		if (filter_fields[i].in_kernel == FILTER_BY_EVENTS)
			str_add(&text, " (tested in the kernel)");
		else if (filter_fields[i].in_kernel == FILTER_BY_PROGRAMS)
			str_add(&text, " (tested in the kernel by BPF programs)");
		help_add_key(help, filter_fields[i].name, text.data);
		str_release(&text);
	}
}

static void add_probes(struct help *help, const struct source_status *source)
{
	if (!source->name || !source->rings)
		return;
	help_add_heading(help, "Active kernel probes");
	help_addf(help, ROLE_TEXT, "  calls by %s: %s; %u events, %u rings of %zu KiB",
		  source->name, source->plan, source->events, source->rings,
		  source->ring_bytes / 1024);
	if (source->kernel_filter[0])
		help_addf(help, ROLE_TEXT, "  kernel filter: %s", source->kernel_filter);
	if (source->calls_note[0])
		help_addf(help, ROLE_TEXT, "  %s", source->calls_note);
	if (source->note[0])
		help_addf(help, ROLE_TEXT, "  %s", source->note);
	if (source->deep_note[0])
		help_addf(help, ROLE_TEXT, "  %s", source->deep_note);
}

void help_page_fill(struct help *help, const struct bindings *bindings, const struct view *view,
		    const struct source_status *source)
{
	help_addf(help, ROLE_STRONG,
		  "stxtop %s - system calls as they happen: which threads wait, on what, how long, "
		  "and where in the code",
		  STXTOP_VERSION);
	add_problems(help, bindings);
	add_view(help, bindings, view);
	for (int group = 0; group < ACTION_GROUP_COUNT; group++) {
		help_add_heading(help, action_group_title((enum action_group)group));
		add_actions(help, bindings, (enum action_group)group,
			    action_group_context((enum action_group)group));
		if (group == ACTION_GROUP_PROMPT)
			help_add_key(help, "y n", "in a question: select Yes or No");
	}
	add_filter_language(help);
	add_marks(help);
	add_legend(help);
	add_probes(help, source);
}
