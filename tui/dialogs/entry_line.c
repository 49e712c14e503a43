#include "tui/dialogs/entry_line.h"

#include "engine/catch.h"

#include "tui/session/targets.h"

#include <string.h>

struct edit_action {
	enum action action;
	enum prompt_edit edit;
};

static const struct edit_action edits[] = {
	{ ACTION_COMPLETE, PROMPT_COMPLETE },
	{ ACTION_COMPLETE_BACK, PROMPT_COMPLETE_BACK },
	{ ACTION_HISTORY_OLDER, PROMPT_HISTORY_OLDER },
	{ ACTION_HISTORY_NEWER, PROMPT_HISTORY_NEWER },
	{ ACTION_EDIT_LEFT, PROMPT_LEFT },
	{ ACTION_EDIT_RIGHT, PROMPT_RIGHT },
	{ ACTION_EDIT_WORD_LEFT, PROMPT_WORD_LEFT },
	{ ACTION_EDIT_WORD_RIGHT, PROMPT_WORD_RIGHT },
	{ ACTION_EDIT_HOME, PROMPT_HOME },
	{ ACTION_EDIT_END, PROMPT_END },
	{ ACTION_EDIT_BACKSPACE, PROMPT_BACKSPACE },
	{ ACTION_EDIT_DELETE, PROMPT_DELETE },
	{ ACTION_EDIT_KILL_WORD, PROMPT_KILL_WORD },
	{ ACTION_EDIT_KILL_TO_START, PROMPT_KILL_TO_START },
	{ ACTION_EDIT_KILL_TO_END, PROMPT_KILL_TO_END },
};

static const char *const labels[ENTRY_KIND_COUNT] = {
	[ENTRY_FILTER] = "Filter: ",
	[ENTRY_SEARCH] = "Search: ",
	[ENTRY_SEARCH_BACK] = "Search up: ",
	[ENTRY_TERM] = "Term: ",
	[ENTRY_TARGET] = "Watch too: ",
	[ENTRY_NAME] = "Save as: ",
	[ENTRY_CATCH] = "Catch: ",
	[ENTRY_EVENTS] = "Tracepoints: ",
	[ENTRY_EXPORT] = "Write to: ",
	[ENTRY_RECORD] = "Record to: ",
	[ENTRY_FLIGHT] = "Save when: ",
	[ENTRY_FLIGHT_FIELD] = "Flight recorder: ",
	[ENTRY_TIME] = "Go to: ",
	[ENTRY_COMPARE] = "Compare with: ",
};

void entry_line_init(struct entry_line *entry, const struct filter_names *names,
		     struct event_choice *events)
{
	memset(entry, 0, sizeof(*entry));
	prompt_init(&entry->prompt);
	for (int i = 0; i < ENTRY_KIND_COUNT; i++)
		line_history_init(&entry->histories[i]);
	entry->names = names;
	entry->events = events;
}

void entry_line_release(struct entry_line *entry)
{
	prompt_release(&entry->prompt);
	for (int i = 0; i < ENTRY_KIND_COUNT; i++)
		line_history_release(&entry->histories[i]);
}

static void add_candidate(void *ctx, const char *candidate, const char *help)
{
	prompt_candidates_add(ctx, candidate, help);
}

static void complete_filter(void *data, const char *text, size_t cursor,
			    struct prompt_candidates *candidates)
{
	struct entry_line *entry = data;

	candidates->word_start = filter_complete(text, cursor, entry->names, add_candidate,
						 candidates);
}

static void complete_target(void *data, const char *text, size_t cursor,
			    struct prompt_candidates *candidates)
{
	const char *kind;

	(void)data;
	while (candidates->word_start && text[candidates->word_start - 1] != ' ' &&
	       text[candidates->word_start - 1] != '+')
		candidates->word_start--;
	/* Only the first word is a target kind. */
	for (size_t i = 0; (kind = targets_kind(i)) && strspn(text, " +") == candidates->word_start;
	     i++)
		if (!strncmp(kind, text + candidates->word_start, cursor - candidates->word_start))
			prompt_candidates_add(candidates, kind, NULL);
}

static void complete_catch(void *data, const char *text, size_t cursor,
			   struct prompt_candidates *candidates)
{
	struct entry_line *entry = data;
	size_t begin = catch_rule_expression(text), word = strspn(text, " ");

	if (cursor >= begin && begin < strlen(text)) {
		candidates->word_start = begin + filter_complete(text + begin, cursor - begin,
								 entry->names, add_candidate,
								 candidates);
		return;
	}
	candidates->word_start = word < cursor ? word : cursor;
	for (int i = 0; i < CATCH_ACTION_COUNT; i++) {
		const char *name = catch_action_name((enum catch_action)i);

		if (!strncmp(name, text + candidates->word_start, cursor - candidates->word_start))
			prompt_candidates_add(candidates, name,
					      catch_action_help((enum catch_action)i));
	}
}

bool entry_line_is_path(const struct entry_line *entry)
{
	return entry->kind == ENTRY_EXPORT || entry->kind == ENTRY_RECORD ||
	       entry->kind == ENTRY_COMPARE;
}

static prompt_complete_fn completion_of(const struct entry_line *entry)
{
	if (entry->kind == ENTRY_EVENTS)
		return event_choice_complete;
	if (entry_line_is_path(entry))
		return path_choice_complete;
	if (entry->kind == ENTRY_TARGET)
		return complete_target;
	if (entry->kind == ENTRY_CATCH)
		return complete_catch;
	return entry_line_is_filter(entry) ? complete_filter : NULL;
}

void entry_line_open(struct entry_line *entry, enum entry_kind kind, const char *text)
{
	bool is_search = kind == ENTRY_SEARCH || kind == ENTRY_SEARCH_BACK;

	entry->kind = kind;
	entry->open = true;
	prompt_open(&entry->prompt, labels[kind], text,
		    &entry->histories[is_search ? ENTRY_SEARCH : kind], completion_of(entry),
		    kind == ENTRY_EVENTS        ? (void *)entry->events
		    : entry_line_is_path(entry) ? (void *)entry->paths
						: entry);
	entry->prompt.keeps_row = !is_search && kind != ENTRY_EVENTS;
}

bool entry_line_is_filter(const struct entry_line *entry)
{
	return entry->kind == ENTRY_FILTER || entry->kind == ENTRY_TERM ||
	       entry->kind == ENTRY_CATCH || entry->kind == ENTRY_FLIGHT;
}

void entry_line_close(struct entry_line *entry, bool accepted)
{
	if (accepted)
		prompt_remember(&entry->prompt);
	entry->open = false;
}

enum entry_result entry_line_key(struct entry_line *entry, int action, struct key key)
{
	if (action == ACTION_ACCEPT)
		return ENTRY_ACCEPTED;
	if (action == ACTION_CANCEL) {
		if (!prompt_is_choosing(&entry->prompt))
			return ENTRY_CANCELLED;
		prompt_stop_choosing(&entry->prompt);
		return ENTRY_GOES_ON;
	}
	/* With the list of candidates open, the up and down keys move in the list. */
	if (prompt_is_choosing(&entry->prompt) && action == ACTION_HISTORY_OLDER)
		action = ACTION_COMPLETE_BACK;
	else if (prompt_is_choosing(&entry->prompt) && action == ACTION_HISTORY_NEWER)
		action = ACTION_COMPLETE;
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		if ((int)edits[i].action != action)
			continue;
		/* Backspace in an empty line closes it, as in less and vi. */
		if (edits[i].edit == PROMPT_BACKSPACE && !*prompt_text(&entry->prompt))
			return ENTRY_CANCELLED;
		prompt_edit(&entry->prompt, edits[i].edit);
		return ENTRY_GOES_ON;
	}
	if (action == KEYMAP_NONE && key_is_text(key))
		prompt_insert_char(&entry->prompt, key.code);
	return ENTRY_GOES_ON;
}
