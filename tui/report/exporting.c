#include "tui/report/exporting.h"

#include "engine/base/background.h"
#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/units.h"
#include "tui/session/path_fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Time slice on the background thread, which other work shares. */
#define SLICE_NS (50 * NS_PER_MS)
/* Time slice on the UI thread. */
#define READ_NS (3 * NS_PER_MS)
#define WRITE_BYTES (1u << 20)
#define NAME_COLS 32

void exporting_init(struct exporting *exporting)
{
	memset(exporting, 0, sizeof(*exporting));
	str_init(&exporting->path);
	str_init(&exporting->text);
	exporting->file.fd = -1;
}

static void tidy(struct exporting *exporting)
{
	if (exporting->has_calls)
		export_calls_release(&exporting->calls);
	if (exporting->has_table)
		export_table_release(&exporting->table);
	exporting->has_calls = exporting->has_table = false;
	str_release(&exporting->text);
	exporting->phase = EXPORTING_NOTHING;
}

void exporting_release(struct exporting *exporting)
{
	export_file_drop(&exporting->file);
	tidy(exporting);
	str_release(&exporting->path);
}

/* True if the format exports the calls of a pane rather than its rows. */
static bool is_of_calls(const struct export_subject *subject, enum export_format format)
{
	switch (format) {
	case EXPORT_TEXT:
		return subject->is_calls;
	case EXPORT_JSON:
	case EXPORT_CSV:
		return subject->has_calls && !subject->add_row;
	default:
		return subject->has_calls;
	}
}

int exporting_begin(struct exporting *exporting, const struct session *session,
		    const struct export_subject *subject, enum export_format format,
		    const char *text, const char *path, bool replace, struct err *err)
{
	bool of_calls = !text && is_of_calls(subject, format);

	if (exporting_runs(exporting))
		return err_set(err, -EBUSY, "another export is running; Esc cancels it");
	exporting->format = format;
	exporting->of_calls = of_calls;
	str_clear(&exporting->path);
	str_add(&exporting->path, path);
	str_clear(&exporting->text);
	exporting->replace = replace;
	exporting->made_text = exporting->finished = exporting->stopping = false;
	exporting->rc = 0;
	exporting->bytes = exporting->rows = exporting->missing = 0;
	exporting->percent = 0;
	exporting->text_at = 0;
	if (text) {
		str_add(&exporting->text, text);
	} else if (of_calls) {
		export_calls_init(&exporting->calls, subject, format, session);
		exporting->has_calls = true;
		exporting->phase = EXPORTING_OPENS;
		return 0;
	} else {
		export_table_begin(&exporting->table, subject, format);
		exporting->has_table = true;
		exporting->rows = exporting->table.count;
	}
	free(subject->list);
	exporting->phase = EXPORTING_OPENS;
	return 0;
}

void exporting_stop(struct exporting *exporting)
{
	exporting->stopping = true;
}

/* ---- background ---- */

static void open_file(void *ctx)
{
	struct exporting *exporting = ctx;

	exporting->rc = export_file_open(&exporting->file, exporting->path.data, exporting->replace,
					 &exporting->err);
	atomic_store(&exporting->busy, false);
}

/* Write in pieces, so that an export to a slow disk can be cancelled. */
static void write_text(struct exporting *exporting, uint64_t until_ns)
{
	struct str *text = exporting->has_table ? &exporting->table.out : &exporting->text;
	size_t *at = &exporting->text_at;

	if (exporting->has_table && !exporting->made_text)
		export_table_finish(&exporting->table);
	exporting->made_text = true;
	do {
		size_t count = text->len - *at;

		if (count > WRITE_BYTES)
			count = WRITE_BYTES;
		exporting->rc = export_file_write(&exporting->file, text->data + *at, count,
						  &exporting->err);
		*at += count;
	} while (!exporting->rc && *at < text->len && clock_now_ns() < until_ns);
	exporting->finished = *at == text->len;
}

static void write_calls(struct exporting *exporting, uint64_t until_ns)
{
	struct str *text = &exporting->text;

	exporting->finished = export_calls_step(&exporting->calls, text, until_ns);
	exporting->rows = exporting->calls.written;
	exporting->missing = exporting->calls.missing;
	exporting->percent = export_calls_percent(&exporting->calls);
	exporting->rc = export_file_write(&exporting->file, text->data, text->len, &exporting->err);
	str_clear(text);
}

static void write_slice(void *ctx)
{
	struct exporting *exporting = ctx;
	uint64_t until_ns = clock_now_ns() + SLICE_NS;

	if (exporting->has_calls)
		write_calls(exporting, until_ns);
	else
		write_text(exporting, until_ns);
	exporting->bytes = exporting->file.written;
	if (exporting->rc)
		export_file_drop(&exporting->file);
	else if (exporting->finished)
		exporting->rc = export_file_close(&exporting->file, &exporting->err);
	atomic_store(&exporting->busy, false);
}

static void drop_file(void *ctx)
{
	struct exporting *exporting = ctx;

	export_file_drop(&exporting->file);
	atomic_store(&exporting->busy, false);
}

/* If the background thread is busy with other work, the next exporting_look() retries. */
static void run(struct exporting *exporting, const struct session *session, void (*work)(void *ctx))
{
	atomic_store(&exporting->busy, true);
	if (!background_run(session->background, work, exporting))
		atomic_store(&exporting->busy, false);
}

/* ---- UI thread ---- */

static enum exporting_news end(struct exporting *exporting, enum exporting_news news)
{
	tidy(exporting);
	return news;
}

static enum exporting_news stop(struct exporting *exporting, const struct session *session)
{
	bool whole = exporting->finished && !exporting->rc;

	if (exporting->file.fd < 0)
		return end(exporting, whole ? EXPORTING_DONE : EXPORTING_STOPPED);
	run(exporting, session, drop_file);
	return EXPORTING_NO_NEWS;
}

static enum exporting_news look_at_file(struct exporting *exporting, const struct session *session)
{
	if (exporting->rc == -EEXIST)
		return end(exporting, EXPORTING_EXISTS);
	if (exporting->rc)
		return end(exporting, EXPORTING_REFUSED);
	if (exporting->file.fd < 0) {
		run(exporting, session, open_file);
		return EXPORTING_NO_NEWS;
	}
	exporting->phase = exporting->has_table ? EXPORTING_READS : EXPORTING_WRITES;
	return EXPORTING_STARTED;
}

void exporting_read_all(struct exporting *exporting)
{
	if (exporting->phase != EXPORTING_READS)
		return;
	export_table_step(&exporting->table, UINT64_MAX);
	exporting->phase = EXPORTING_WRITES;
}

static enum exporting_news look_at_writing(struct exporting *exporting,
					   const struct session *session)
{
	if (exporting->rc)
		return end(exporting, EXPORTING_FAILED);
	if (exporting->finished)
		return end(exporting, EXPORTING_DONE);
	run(exporting, session, write_slice);
	return EXPORTING_NO_NEWS;
}

enum exporting_news exporting_look(struct exporting *exporting, const struct session *session)
{
	if (exporting->phase == EXPORTING_NOTHING || atomic_load(&exporting->busy))
		return EXPORTING_NO_NEWS;
	if (exporting->stopping)
		return stop(exporting, session);
	switch (exporting->phase) {
	case EXPORTING_OPENS:
		return look_at_file(exporting, session);
	case EXPORTING_READS:
		if (export_table_step(&exporting->table, clock_now_ns() + READ_NS))
			exporting->phase = EXPORTING_WRITES;
		return EXPORTING_NO_NEWS;
	case EXPORTING_WRITES:
		return look_at_writing(exporting, session);
	case EXPORTING_NOTHING:
		break;
	}
	return EXPORTING_NO_NEWS;
}

void exporting_say(const struct exporting *exporting, struct str *out)
{
	char bytes[UNITS_TEXT_BYTES];
	const char *slash = strrchr(exporting->path.data, '/');
	struct str name = STR_INIT;

	str_add_escaped(&name, slash ? slash + 1 : exporting->path.data,
			strlen(slash ? slash + 1 : exporting->path.data), ESCAPE_PLAIN);
	path_fit(out, name.data, NAME_COLS);
	str_release(&name);
	if (exporting->phase != EXPORTING_WRITES)
		return;
	if (exporting->has_calls)
		str_addf(out, " %u %%", exporting->percent);
	str_addf(out, " %s", units_format_bytes(bytes, exporting->bytes));
}
