#include "tui/shell/shell_recording_info.h"

#include "tui/report/recording_report.h"
#include "tui/shell/shell_memory_usage.h"

#include <inttypes.h>

/* Job thread. */
static void read_about(void *ctx)
{
	struct shell_recording_info *about = ctx;

	about->rc = recording_info_read(&about->about, about->path.data, 0, &about->err);
}

void shell_recording_info_init(struct shell *shell)
{
	struct shell_recording_info *about = &shell->about;

	about->job = (struct job){ .run = read_about, .ctx = about };
	str_init(&about->path);
}

void shell_recording_info_release(struct shell *shell)
{
	struct shell_recording_info *about = &shell->about;

	job_cancel(&about->job);
	recording_info_release(&about->about);
	str_release(&about->path);
}

static void ask(struct shell *shell)
{
	struct shell_recording_info *about = &shell->about;
	struct session *session = &shell->session;
	const struct engine_options *options = &session->options->engine;

	if (!options->recording) {
		shell_memory_usage_open(shell);
		return;
	}
	/* A pipe cannot be read a second time. */
	if (session->phase == SESSION_RUNNING && options->recording_fd > 0 &&
	    !session->play.possible) {
		session_say(session, ROLE_WARN,
			    "A pipe can be read only once; save it to a file for this page");
		return;
	}
	if (job_is_pending(&about->job))
		return;
	recording_info_release(&about->about);
	str_clear(&about->path);
	if (options->recording_fd > 0)
		str_addf(&about->path, "/proc/self/fd/%d", options->recording_fd);
	else
		str_add(&about->path, options->recording);
	job_submit(&about->job, session->job_queue);
	shell_recording_info_look(shell);
}

static void add_fact(void *ctx, const char *name, const char *value)
{
	help_add_key(ctx, name, value);
}

/* Add the counts of the part that has been read so far. */
static void add_read(struct help *help, const struct session *session)
{
	const struct model_status *model = &session->status.model;
	struct str text = STR_INIT;

	help_add_heading(help, "Read so far");
	str_addf(&text, "%" PRIu64, model->calls_seen);
	help_add_key(help, "calls", text.data);
	str_clear(&text);
	str_addf(&text, "%" PRIu64, model_status_losses(model));
	if (model_status_losses(model))
		str_addf(&text,
			 ": %" PRIu64 " records of any kind, %" PRIu64
			 " of waits and names, %" PRIu64 " of other tracepoints, %" PRIu64
			 " calls counted before filtering",
			 model->records_lost, model->records_other, model->events_lost,
			 model->calls_unmatched);
	help_add_key(help, "lost", text.data);
	if (session->status.source.note[0])
		help_add_key(help, "note", session->status.source.note);
	str_release(&text);
}

static void open_page(struct shell *shell)
{
	struct help *help = &shell->page.help;
	const char *path = shell->session.options->engine.recording;

	help_clear(help);
	help_add_heading(help, "The recording");
	recording_report_facts(&shell->about.about, path, add_fact, help);
	add_read(help, &shell->session);
	shell->page.title = "About the recording";
	shell->page.open = true;
	shell->page.is_detail = false;
	shell->session.dirty = true;
}

void shell_recording_info_look(struct shell *shell)
{
	if (!job_is_done(&shell->about.job))
		return;
	if (shell->about.rc)
		session_say(&shell->session, ROLE_ERROR, "%s", shell->about.err.text);
	else
		open_page(shell);
}

bool shell_recording_info_act(struct shell *shell, enum action action)
{
	if (action != ACTION_ABOUT_RECORDING)
		return false;
	ask(shell);
	return true;
}
