#include "tui/dialogs/event_choice.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void event_choice_init(struct event_choice *choice, const struct options *options)
{
	memset(choice, 0, sizeof(*choice));
	str_init(&choice->list);
	str_init(&choice->before);
	if (options->events)
		str_add(&choice->list, options->events);
}

void event_choice_release(struct event_choice *choice)
{
	if (choice->reading)
		pthread_join(choice->thread, NULL);
	event_list_release(&choice->available);
	str_release(&choice->list);
	str_release(&choice->before);
}

/* ---- available tracepoints ---- */

static void *read_available(void *data)
{
	struct event_choice *choice = data;

	engine_list_events(&choice->available, &choice->err);
	atomic_store(&choice->has_read, true);
	return NULL;
}

/* Dynamic probes come and go, so the list is read again each time the line opens. */
static void start_reading(struct event_choice *choice)
{
	if (choice->reading && !atomic_load(&choice->has_read))
		return;
	if (choice->reading)
		pthread_join(choice->thread, NULL);
	event_list_release(&choice->available);
	atomic_store(&choice->has_read, false);
	/* Without the thread, names can be typed, but not completed. */
	choice->reading = !pthread_create(&choice->thread, NULL, read_available, choice);
}

const char *event_choice_begin(struct event_choice *choice, struct session *session)
{
	if (session->phase != SESSION_RUNNING) {
		session_say(session, ROLE_WARN, "Nothing is being collected yet");
		return NULL;
	}
	if (session->options->engine.recording) {
		session_say(session, ROLE_WARN, "Tracepoints cannot be added to a recording");
		return NULL;
	}
	start_reading(choice);
	return choice->list.data;
}

/* ---- setting the list ---- */

int event_choice_take(struct event_choice *choice, struct session *session, const char *text,
		      struct err *err)
{
	int ret = event_list_check(text, err);

	if (ret)
		return ret;
	if (!choice->waiting) {
		str_clear(&choice->before);
		str_add(&choice->before, choice->list.data);
	}
	str_clear(&choice->list);
	str_add(&choice->list, text);
	choice->waiting = true;
	engine_set_events(session->engine, text);
	return 0;
}

void event_choice_look(struct event_choice *choice, struct session *session)
{
	const struct engine_status *status = &session->status;

	if (choice->version == status->events_version)
		return;
	choice->version = status->events_version;
	choice->waiting = false;
	if (status->events_error[0]) {
		session_say(session, ROLE_ERROR, "%s", status->events_error);
		str_clear(&choice->list);
		str_add(&choice->list, choice->before.data);
		return;
	}
	str_clear(&choice->before);
	str_add(&choice->before, choice->list.data);
	if (!choice->list.len)
		session_say(session, ROLE_TEXT, "No other tracepoints are watched");
	else if (!filter_takes_events(filter_stack_filter(&session->filter_stack)))
		session_say(session, ROLE_WARN,
			    "Watched, but the filter drops all events: append \"|| event ~ .\"");
	else
		session_say(session, ROLE_TEXT, "Shown among the calls: %.200s", choice->list.data);
}

/* ---- completion ---- */

/* Return the length of the name up to and including the colon, or of the whole name. */
static size_t stem_length(const char *name, bool whole)
{
	return whole ? strlen(name) : (size_t)(strchr(name, ':') - name) + 1;
}

/* Add adjacent names with the same stem as one candidate: a subsystem, or a tracepoint. */
static void add_stems(const struct event_list *list, const char *word, size_t len, bool whole,
		      struct prompt_candidates *candidates)
{
	for (size_t i = 0, next; i < list->count; i = next) {
		const char *name = list->names[i];
		size_t stem = stem_length(name, whole);
		char text[EVENT_NAME_BYTES], note[32] = "";

		next = i + 1;
		if (strncmp(name, word, len))
			continue;
		while (!whole && next < list->count && !strncmp(list->names[next], name, stem))
			next++;
		snprintf(text, sizeof(text), "%.*s", (int)stem, name);
		if (!whole)
			snprintf(note, sizeof(note), "%zu tracepoint%s", next - i,
				 next - i == 1 ? "" : "s");
		prompt_candidates_add(candidates, text, note[0] ? note : NULL);
	}
}

void event_choice_complete(void *data, const char *text, size_t cursor,
			   struct prompt_candidates *candidates)
{
	struct event_choice *choice = data;
	const char *word = text + cursor;
	size_t len;

	while (word > text && word[-1] != ',' && word[-1] != ' ')
		word--;
	len = (size_t)(text + cursor - word);
	candidates->word_start = (size_t)(word - text);
	if (!choice->reading || !atomic_load(&choice->has_read))
		return;
	add_stems(&choice->available, word, len, memchr(word, ':', len) != NULL, candidates);
}
