#include "tui/report/compare_report.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "tui/config/output.h"
#include "tui/report/comparison_text.h"
#include "tui/report/line_width.h"

#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_EVERY_MS 20

static int wait_for_end(struct engine *engine, struct err *err)
{
	struct engine_status *status = mem_alloc(sizeof(*status));
	int rc = 0;

	do {
		poll(NULL, 0, LOOK_EVERY_MS);
		engine_status(engine, status);
	} while (!status->finished && !status->error[0]);
	if (status->error[0])
		rc = err_set(err, -EIO, "%s", status->error);
	free(status);
	return rc;
}

/* Store an error of a recording, to be reported after its readable part was compared. */
static void note_trouble(struct engine *engine, const char *file, struct err *trouble)
{
	struct engine_status *status = mem_alloc(sizeof(*status));

	engine_status(engine, status);
	if (status->source.note[0] && !trouble->text[0])
		err_set(trouble, 0, "%s: %s", file, status->source.note);
	free(status);
}

static int read_side(struct comparison *comparison, int side, struct engine *engine,
		     const struct options *options, const char *file, struct err *trouble,
		     struct err *err)
{
	struct engine_options engine_options = options->engine;
	struct str shown = STR_INIT;
	int rc;

	engine_options.recording = file;
	engine_options.recording_fd = 0;
	rc = engine_start(engine, &engine_options, err);
	if (rc >= 0)
		rc = wait_for_end(engine, err);
	if (rc >= 0) {
		str_add_escaped(&shown, file, strlen(file), ESCAPE_PLAIN);
		comparison_take(comparison, side, engine, shown.data, 0);
		note_trouble(engine, shown.data, trouble);
	}
	str_release(&shown);
	return rc;
}

static int write_comparison(struct comparison *comparison, const struct options *options,
			    struct err *err)
{
	struct comparison_form form = {
		.ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
	};
	struct output output;
	int rc = output_open(&output, options->write_path, STDOUT_FILENO, "to standard output",
			     err);

	if (rc < 0)
		return rc;
	form.width = line_width(output.fd);
	comparison_match(comparison);
	if (options->json)
		comparison_add_json(&output.text, comparison);
	else
		comparison_add_text(&output.text, comparison, &form);
	return output_close(&output, err);
}

int comparing_run(struct engine *engine, const struct options *options, struct err *err)
{
	struct comparison comparison = { 0 };
	struct err trouble = { .text = "" };
	struct engine *other = NULL;
	int rc = read_side(&comparison, COMPARISON_A, engine, options, options->engine.recording,
			   &trouble, err);

	if (rc >= 0)
		rc = engine_new(&other, err);
	if (rc >= 0)
		rc = read_side(&comparison, COMPARISON_B, other, options, options->against,
			       &trouble, err);
	if (rc >= 0)
		rc = write_comparison(&comparison, options, err);
	if (rc >= 0 && trouble.text[0])
		rc = err_set(err, -EIO, "%s", trouble.text);
	comparison_release(&comparison);
	engine_free(other);
	return rc;
}
