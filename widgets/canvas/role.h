/*
 * role - the meaning of a piece of text; widgets specify only this, never colours.
 *
 * theme.h maps roles to colours and attributes. The enum, the names (screen tests, settings) and
 * the completeness test of the themes are generated from ROLE_LIST.
 */
#ifndef CANVAS_ROLE_H
#define CANVAS_ROLE_H

/* ROLE(NAME, "name", "meaning") */
#define ROLE_LIST(ROLE) \
	ROLE(TEXT, "text", "ordinary text") \
	ROLE(DIM, "dim", "less important text: units, separators, idle rows") \
	ROLE(STRONG, "strong", "text that stands out") \
	ROLE(TOP, "top", "the top line of the screen") \
	ROLE(TOP_VALUE, "top-value", "a figure in the top line") \
	ROLE(HEADER, "header", "column titles") \
	ROLE(HEADER_SORT, "header-sort", "title of the column that rows are sorted by") \
	ROLE(TITLE, "title", "title of a pane") \
	ROLE(BORDER, "border", "lines between panes") \
	ROLE(FOCUS, "focus", "title and lines of the pane that has the focus") \
	ROLE(SELECTED, "selected", "the selected row of the focused pane") \
	ROLE(SELECTED_UNFOCUSED, "selected-unfocused", "the selected row of another pane") \
	ROLE(KEY, "key", "the name of a key") \
	ROLE(KEY_LABEL, "key-label", "the action of a key") \
	ROLE(PROMPT, "prompt", "the label of a prompt") \
	ROLE(INPUT, "input", "text being typed") \
	ROLE(POPUP, "popup", "a menu or box above the panes") \
	ROLE(ERROR, "error", "a failed call; a message about a failure") \
	ROLE(SLOW, "slow", "slower than the p99 of its process") \
	ROLE(IN_FLIGHT, "in-flight", "a call that has not returned yet") \
	ROLE(LATE, "late", "memory read after the call was entered (~)") \
	ROLE(EVENT, "event", "an event of another tracepoint (-E)") \
	ROLE(GAP, "gap", "records lost, totals that are lower bounds") \
	ROLE(KERNEL, "kernel", "a kernel frame") \
	ROLE(USER, "user", "a user frame") \
	ROLE(INLINED, "inlined", "a frame that the compiler inlined") \
	ROLE(MATCH, "match", "a search match") \
	ROLE(BAR, "bar", "bars, sparklines and histograms") \
	ROLE(BAR_OTHER, "bar-other", "second part of a bar") \
	ROLE(BAR_THIRD, "bar-third", "third part of a bar") \
	ROLE(HEAT_1, "heat-1", "very few, in a heatmap") \
	ROLE(HEAT_2, "heat-2", "a few") \
	ROLE(HEAT_3, "heat-3", "some") \
	ROLE(HEAT_4, "heat-4", "many") \
	ROLE(HEAT_5, "heat-5", "very many") \
	ROLE(HEAT_6, "heat-6", "most") \
	ROLE(NUMBER, "number", "figures in tables") \
	ROLE(NAME, "name", "names of processes and syscalls") \
	ROLE(STRING, "string", "quoted bytes and paths") \
	ROLE(GOOD, "good", "a good state: live, following") \
	ROLE(WARN, "warn", "a state to notice: paused, incomplete") \
	ROLE(UNINTERRUPTIBLE, "uninterruptible", "state D: a sleep that no signal ends")

enum role {
#define ROLE_ENUM(id, name, help) ROLE_##id,
	ROLE_LIST(ROLE_ENUM)
#undef ROLE_ENUM
		ROLE_COUNT
};

const char *role_name(enum role role); /* never NULL */
const char *role_help(enum role role);
int role_find(const char *name); /* the role, or -1 */

#endif
