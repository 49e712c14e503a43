/*
 * entry_line - the input line at the bottom for filters, searches and names.
 *
 * Stores one history per kind. Handles actions, not keys, and changes only its own state: the
 * caller processes the accepted text. UI thread only.
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
	ENTRY_SEARCH_BACK, /* upwards; shares the history of ENTRY_SEARCH */
	ENTRY_TERM, /* one term of the filter */
	ENTRY_TARGET, /* an additional target */
	ENTRY_NAME, /* name of the filter to save */
	ENTRY_CATCH, /* "ACTION: EXPRESSION" */
	ENTRY_EVENTS, /* list of other tracepoints */
	ENTRY_EXPORT, /* file name of an export */
	ENTRY_RECORD, /* file name of a recording */
	ENTRY_FLIGHT, /* trigger expression of the flight recorder */
	ENTRY_FLIGHT_FIELD, /* any other setting of the flight recorder */
	ENTRY_TIME, /* position in a recording */
	ENTRY_COMPARE, /* file name of another recording */
	ENTRY_KIND_COUNT
};
enum entry_result { ENTRY_GOES_ON, ENTRY_ACCEPTED, ENTRY_CANCELLED };

struct entry_line {
	struct prompt prompt;
	struct line_history histories[ENTRY_KIND_COUNT];
	const struct filter_names *names;
	struct event_choice *events; /* borrowed */
	struct path_choice *paths; /* borrowed, set by the caller */
	enum entry_kind kind;
	bool open;
};

void entry_line_init(struct entry_line *entry, const struct filter_names *names,
		     struct event_choice *events);
void entry_line_release(struct entry_line *entry);

void entry_line_open(struct entry_line *entry, enum entry_kind kind, const char *text);
/* Close the line; add its text to the history if it was accepted. */
void entry_line_close(struct entry_line *entry, bool accepted);

/* True if the line takes a filter expression, alone or as part of a catch. */
bool entry_line_is_filter(const struct entry_line *entry);
/* True if the line takes a file name. */
bool entry_line_is_path(const struct entry_line *entry);

/*
 * Process a key. action: that of `key` in the prompt context. KEYMAP_NONE: insert `key` if it is
 * text.
 */
enum entry_result entry_line_key(struct entry_line *entry, int action, struct key key);

#endif
