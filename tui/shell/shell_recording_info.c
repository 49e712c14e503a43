#include "tui/shell/shell_recording_info.h"

#include "tui/report/recording_report.h"
#include "tui/shell/shell.h"

#include <inttypes.h>

/* On the errand's thread. */
static void read_about(void *ctx)
{
	struct desk_about *about = ctx;

	about->rc = recording_about_read(&about->about, about->path.data, 0, &about->err);
}

void desk_about_init(struct desk *desk)
{
	struct desk_about *about = &desk->about;

	about->errand = (struct errand){ .run = read_about, .ctx = about };
	str_init(&about->path);
}

void desk_about_release(struct desk *desk)
{
	struct desk_about *about = &desk->about;

	errand_recall(&about->errand);
	recording_about_release(&about->about);
	str_release(&about->path);
}

static void ask(struct desk *desk)
{
	struct desk_about *about = &desk->about;
	struct session *session = &desk->session;
	const struct engine_options *options = &session->options->engine;

	if (!options->recording) {
		desk_use_open(desk);
		return;
	}
	/* What has come out of a pipe does not come again. */
	if (session->phase == SESSION_RUNNING && options->recording_fd > 0 &&
	    !session->play.possible) {
		session_say(session, ROLE_WARN,
			    "What comes out of a pipe is read once; keep it in "
			    "a file to be told of that");
		return;
	}
	if (errand_is_pending(&about->errand))
		return;
	recording_about_release(&about->about);
	str_clear(&about->path);
	if (options->recording_fd > 0)
		str_addf(&about->path, "/proc/self/fd/%d", options->recording_fd);
	else
		str_add(&about->path, options->recording);
	errand_send(&about->errand, session->errands);
	desk_about_look(desk);
}

static void add_fact(void *ctx, const char *name, const char *value)
{
	help_add_key(ctx, name, value);
}

/* What is known since it is being read. */
static void add_read(struct help *help, const struct session *session)
{
	const struct model_status *model = &session->status.model;
	struct str text = STR_INIT;

	help_add_heading(help, "As far as it was read");
	str_addf(&text, "%" PRIu64, model->calls_seen);
	help_add_key(help, "calls", text.data);
	str_clear(&text);
	str_addf(&text, "%" PRIu64, model_status_losses(model));
	if (model_status_losses(model))
		str_addf(&text,
			 ": %" PRIu64 " records of calls or anything, %" PRIu64 " of waits "
			 "and names, %" PRIu64 " of other tracepoints, %" PRIu64 " calls counted "
			 "before they could be filtered",
			 model->records_lost, model->records_beside, model->events_lost,
			 model->calls_unmatched);
	help_add_key(help, "lost", text.data);
	if (session->status.source.note[0])
		help_add_key(help, "note", session->status.source.note);
	str_release(&text);
}

static void open_page(struct desk *desk)
{
	struct help *help = &desk->page.help;
	const char *path = desk->session.options->engine.recording;

	help_clear(help);
	help_add_heading(help, "The recording");
	recording_report_facts(&desk->about.about, path, add_fact, help);
	add_read(help, &desk->session);
	desk->page.title = "About the recording";
	desk->page.open = true;
	desk->page.is_detail = false;
	desk->session.dirty = true;
}

void desk_about_look(struct desk *desk)
{
	if (!errand_is_back(&desk->about.errand))
		return;
	if (desk->about.rc)
		session_say(&desk->session, ROLE_ERROR, "%s", desk->about.err.text);
	else
		open_page(desk);
}

bool desk_about_act(struct desk *desk, enum action action)
{
	if (action != ACTION_ABOUT_RECORDING)
		return false;
	ask(desk);
	return true;
}
