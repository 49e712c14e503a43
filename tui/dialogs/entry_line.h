/*
 * entry_line - the line at the bottom in which filters, searches and names are typed.
 *
 * Keeps a history of each kind. It knows actions, not keys, and changes nothing
 * but itself: the caller acts on what was accepted. UI thread only.
 */
#ifndef DIALOGS_ENTRY_LINE_H
#define DIALOGS_ENTRY_LINE_H

#include "engine/filter/filter.h"
#include "tui/config/actions.h"
#include "tui/dialogs/event_choice.h"
#include "tui/dialogs/path_choice.h"
#include "widgets/prompt.h"
#include "widgets/terminal/event.h"

enum entry_kind {
	ENTRY_FILTER,
	ENTRY_SEARCH,
	ENTRY_SEARCH_BACK, /* upwards; its history is that of ENTRY_SEARCH */
	ENTRY_TERM, /* of the filter */
	ENTRY_TARGET, /* to watch too */
	ENTRY_NAME, /* to save the filter under */
	ENTRY_CATCH, /* "ACTION: EXPRESSION" */
	ENTRY_EVENTS, /* other tracepoints */
	ENTRY_EXPORT, /* a file's name */
	ENTRY_RECORD, /* the same, of a recording */
	ENTRY_FLIGHT, /* an expression that the flight recorder waits for */
	ENTRY_FLIGHT_FIELD, /* anything else of it */
	ENTRY_TIME, /* of a recording */
	ENTRY_COMPARE, /* the file of another one */
	ENTRY_KIND_COUNT
};
enum entry_result { ENTRY_GOES_ON, ENTRY_ACCEPTED, ENTRY_CANCELLED };

struct entry_line {
	struct prompt prompt;
	struct line_history histories[ENTRY_KIND_COUNT];
	const struct filter_names *names;
	struct event_choice *events; /* borrowed */
	struct path_choice *paths; /* the same, set by the caller */
	enum entry_kind kind;
	bool open;
};

void entry_line_init(struct entry_line *entry, const struct filter_names *names,
		     struct event_choice *events);
void entry_line_release(struct entry_line *entry);

void entry_line_open(struct entry_line *entry, enum entry_kind kind, const char *text);
/* Remembers what was typed, if it was accepted. */
void entry_line_close(struct entry_line *entry, bool accepted);

/* Whether it takes a filter's expression, a catch's too. */
bool entry_line_is_filter(const struct entry_line *entry);
/* Whether it takes the name of a file. */
bool entry_line_is_path(const struct entry_line *entry);

/* action: of the prompt context, or KEYMAP_NONE; then the key may be text. */
enum entry_result entry_line_key(struct entry_line *entry, int action, struct key key);

#endif
