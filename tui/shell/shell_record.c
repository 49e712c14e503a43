#include "tui/shell/shell_record.h"

#include "engine/base/escape.h"
#include "engine/base/units.h"

#include <stdio.h>
#include <time.h>

#define SHOWN_BYTES 128

/* Job thread. */
static void open_file(void *ctx)
{
	struct shell_record *record = ctx;
	const struct recorder_request request = { .path = record->path.data, .fresh = true };

	record->rc = engine_record(record->engine, &request, &record->err);
}

void shell_record_init(struct shell *shell)
{
	struct shell_record *record = &shell->record;

	str_init(&record->path);
	record->engine = shell->session.engine;
	record->job = (struct job){ .run = open_file, .ctx = record };
}

void shell_record_release(struct shell *shell)
{
	job_cancel(&shell->record.job);
	str_release(&shell->record.path);
}

/* The default name has the time in seconds, so that the user need not choose a name. */
static void ask_name(struct shell *shell)
{
	char name[64] = "stxtop.data";
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(name, sizeof(name), "stxtop-%Y%m%d-%H%M%S.data", &tm);
	entry_line_open(&shell->entry, ENTRY_RECORD, name);
	prompt_set_hint(&shell->entry.prompt, PROMPT_NO_PLACE,
			"write all data from now on as perf.data; readable by its owner only");
}

static void switch_recording(struct shell *shell)
{
	struct shell_record *record = &shell->record;
	struct session *session = &shell->session;

	if (session->phase != SESSION_RUNNING)
		session_say(session, ROLE_WARN, "%s", session_not_running(session));
	else if (session->options->engine.recording)
		session_say(session, ROLE_WARN,
			    "This is a recording; stxtop -i FILE -o OTHER copies it");
	else if (job_is_pending(&record->job))
		session_say(session, ROLE_WARN, "The file is still being opened");
	else if (record->status.recording)
		engine_record_stop(record->engine);
	else
		ask_name(shell);
}

bool shell_record_act(struct shell *shell, enum action action)
{
	if (action != ACTION_RECORD)
		return false;
	switch_recording(shell);
	return true;
}

bool shell_record_accept(struct shell *shell)
{
	struct shell_record *record = &shell->record;
	struct prompt *prompt = &shell->entry.prompt;

	if (shell->entry.kind != ENTRY_RECORD)
		return false;
	if (!*prompt_text(prompt)) {
		prompt_set_error(prompt, 0, "expected a file name");
		return true;
	}
	if (job_is_pending(&record->job))
		return true;
	str_clear(&record->path);
	path_choice_expand(prompt_text(prompt), &record->path);
	job_submit(&record->job, shell->session.job_queue);
	return true;
}

/* ---- status ---- */

static void take_opened(struct shell *shell)
{
	struct shell_record *record = &shell->record;
	struct session *session = &shell->session;
	bool typing = shell->entry.open && shell->entry.kind == ENTRY_RECORD;
	char shown[SHOWN_BYTES];

	if (!job_is_done(&record->job))
		return;
	if (record->rc && typing)
		prompt_set_error(&shell->entry.prompt, PROMPT_NO_PLACE, record->err.text);
	else if (record->rc)
		session_say(session, ROLE_ERROR, "%s", record->err.text);
	else if (typing)
		entry_line_close(&shell->entry, true);
	if (!record->rc)
		session_say(session, ROLE_TEXT, "Recording to %s",
			    escape_name(shown, sizeof(shown), record->path.data));
	session->dirty = true;
}

static void say_ended(struct shell *shell, const struct recorder_status *status)
{
	char bytes[UNITS_TEXT_BYTES], lost[UNITS_TEXT_BYTES], shown[SHOWN_BYTES];

	escape_name(shown, sizeof(shown), status->path);
	if (status->error[0])
		session_say(&shell->session, ROLE_ERROR, "%s", status->error);
	else if (status->lost)
		session_say(&shell->session, ROLE_WARN,
			    "Recorded to %s, %s; %s records lost: writing was too slow", shown,
			    units_format_bytes(bytes, status->bytes),
			    units_format_count(lost, status->lost));
	else
		session_say(&shell->session, ROLE_TEXT, "Recorded to %s, %s", shown,
			    units_format_bytes(bytes, status->bytes));
	shell->session.dirty = true;
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

void shell_record_look(struct shell *shell)
{
	struct shell_record *record = &shell->record;
	bool was = record->status.recording;

	take_opened(shell);
	if (shell->session.phase != SESSION_RUNNING)
		return;
	engine_record_status(record->engine, &record->status);
	say_state(&shell->header, &record->status);
	if (was && record->status.recording && record->status.error[0])
		engine_record_stop(record->engine);
	if (was && !record->status.recording)
		say_ended(shell, &record->status);
}
