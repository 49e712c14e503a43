#include "tui/shell/shell_record.h"

#include "engine/base/escape.h"
#include "engine/base/units.h"

#include <stdio.h>
#include <time.h>

#define SHOWN_BYTES 128

/* On the errands' thread. */
static void open_file(void *ctx)
{
	struct desk_record *record = ctx;
	const struct recorder_request request = { .path = record->path.data, .fresh = true };

	record->rc = engine_record(record->engine, &request, &record->err);
}

void desk_record_init(struct desk *desk)
{
	struct desk_record *record = &desk->record;

	str_init(&record->path);
	record->engine = desk->session.engine;
	record->errand = (struct errand){ .run = open_file, .ctx = record };
}

void desk_record_release(struct desk *desk)
{
	errand_recall(&desk->record.errand);
	str_release(&desk->record.path);
}

/* Of the second: nobody has to think of another name. */
static void ask_name(struct desk *desk)
{
	char name[64] = "stxtop.data";
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(name, sizeof(name), "stxtop-%Y%m%d-%H%M%S.data", &tm);
	entry_line_open(&desk->entry, ENTRY_RECORD, name);
	prompt_set_hint(&desk->entry.prompt, PROMPT_NO_PLACE,
			"perf.data of all that is collected from now on, for its owner alone");
}

static void switch_recording(struct desk *desk)
{
	struct desk_record *record = &desk->record;
	struct session *session = &desk->session;

	if (session->phase != SESSION_RUNNING)
		session_say(session, ROLE_WARN, "%s", session_not_running(session));
	else if (session->options->engine.recording)
		session_say(session, ROLE_WARN,
			    "This is a recording already; stxtop -i FILE -o "
			    "OTHER writes it anew");
	else if (errand_is_pending(&record->errand))
		session_say(session, ROLE_WARN, "The file is still being opened");
	else if (record->status.recording)
		engine_record_stop(record->engine);
	else
		ask_name(desk);
}

bool desk_record_act(struct desk *desk, enum action action)
{
	if (action != ACTION_RECORD)
		return false;
	switch_recording(desk);
	return true;
}

bool desk_record_accept(struct desk *desk)
{
	struct desk_record *record = &desk->record;
	struct prompt *prompt = &desk->entry.prompt;

	if (desk->entry.kind != ENTRY_RECORD)
		return false;
	if (!*prompt_text(prompt)) {
		prompt_set_error(prompt, 0, "a name is wanted");
		return true;
	}
	if (errand_is_pending(&record->errand))
		return true;
	str_clear(&record->path);
	path_choice_expand(prompt_text(prompt), &record->path);
	errand_send(&record->errand, desk->session.errands);
	return true;
}

/* ---- what has become of it ---- */

static void take_opened(struct desk *desk)
{
	struct desk_record *record = &desk->record;
	struct session *session = &desk->session;
	bool typing = desk->entry.open && desk->entry.kind == ENTRY_RECORD;
	char shown[SHOWN_BYTES];

	if (!errand_is_back(&record->errand))
		return;
	if (record->rc && typing)
		prompt_set_error(&desk->entry.prompt, PROMPT_NO_PLACE, record->err.text);
	else if (record->rc)
		session_say(session, ROLE_ERROR, "%s", record->err.text);
	else if (typing)
		entry_line_close(&desk->entry, true);
	if (!record->rc)
		session_say(session, ROLE_TEXT, "Recording to %s",
			    escape_name(shown, sizeof(shown), record->path.data));
	session->dirty = true;
}

static void say_ended(struct desk *desk, const struct recorder_status *status)
{
	char bytes[UNITS_TEXT_BYTES], lost[UNITS_TEXT_BYTES], shown[SHOWN_BYTES];

	escape_name(shown, sizeof(shown), status->path);
	if (status->error[0])
		session_say(&desk->session, ROLE_ERROR, "%s", status->error);
	else if (status->lost)
		session_say(&desk->session, ROLE_WARN,
			    "Recorded to %s, %s; %s records came faster "
			    "than they could be written",
			    shown, units_format_bytes(bytes, status->bytes),
			    units_format_count(lost, status->lost));
	else
		session_say(&desk->session, ROLE_TEXT, "Recorded to %s, %s", shown,
			    units_format_bytes(bytes, status->bytes));
	desk->session.dirty = true;
}

static void say_state(struct header *header, const struct recorder_status *status)
{
	char bytes[UNITS_TEXT_BYTES], lost[UNITS_TEXT_BYTES];

	header->recording[0] = '\0';
	header->recording_lost = status->lost || status->error[0];
	if (!status->recording)
		return;
	if (status->error[0])
		snprintf(header->recording, sizeof(header->recording), "REC failed");
	else if (status->lost)
		snprintf(header->recording, sizeof(header->recording), "REC %s lost %s",
			 units_format_bytes(bytes, status->bytes),
			 units_format_count(lost, status->lost));
	else
		snprintf(header->recording, sizeof(header->recording), "REC %s",
			 units_format_bytes(bytes, status->bytes));
}

void desk_record_look(struct desk *desk)
{
	struct desk_record *record = &desk->record;
	bool was = record->status.recording;

	take_opened(desk);
	if (desk->session.phase != SESSION_RUNNING)
		return;
	engine_record_status(record->engine, &record->status);
	say_state(&desk->header, &record->status);
	if (was && record->status.recording && record->status.error[0])
		engine_record_stop(record->engine);
	if (was && !record->status.recording)
		say_ended(desk, &record->status);
}
