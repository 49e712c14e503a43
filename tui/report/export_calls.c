#include "tui/report/export_calls.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* The cell texts of one block must fit into the cache. */
#define BLOCK_CALLS (CALL_TEXTS_MAX / 2)
/* Amount of text that is buffered before it goes to the file. */
#define OUT_BYTES (4u << 20)
/* Width of the call column. A longer call is not truncated, but shifts the columns after it. */
#define CALL_COLS 60
#define NAMES_NS (5 * NS_PER_S)

/* Copy the fields that the cells read. p99_by_pid stays empty, as it only affects colours. */
static struct session *copy_session(const struct session *session)
{
	struct session *copy = mem_zalloc(1, sizeof(*copy));

	copy->engine = session->engine;
	copy->options = session->options;
	copy->phase = session->phase;
	copy->now_ns = session->now_ns;
	copy->string_bytes = session->string_bytes;
	copy->status = session->status;
	idmap_init(&copy->p99_by_pid);
	return copy;
}

static void take_columns(struct export_calls *calls, const struct table *table)
{
	size_t order[TABLE_COLUMNS_MAX], count = table_columns_shown(table, order);

	for (size_t i = 0; i < count && i < CALL_COLUMN_COUNT; i++)
		calls->columns[calls->column_count++] =
			(enum call_column)table->columns[order[i]].id;
}

static enum lines_format lines_format(enum export_format format)
{
	return format == EXPORT_CSV ? LINES_CSV : format == EXPORT_TRACE ? LINES_TRACE : LINES_JSON;
}

void export_calls_init(struct export_calls *calls, const struct export_subject *subject,
		       enum export_format format, const struct session *session)
{
	memset(calls, 0, sizeof(*calls));
	calls->format = format;
	calls->engine = session->engine;
	calls->filter = subject->filter ? filter_ref(subject->filter) : NULL;
	calls->first = calls->at = subject->from;
	calls->end = subject->end;
	calls->list = subject->list;
	calls->list_count = subject->list_count;
	calls->block = mem_zalloc(BLOCK_CALLS, sizeof(*calls->block));
	calls->seqs = mem_zalloc(BLOCK_CALLS, sizeof(*calls->seqs));
	calls->session = copy_session(session);
	if (format == EXPORT_TEXT) {
		call_cells_init(&calls->cells);
		take_columns(calls, subject->table);
	} else if (format == EXPORT_FOLDED) {
		folded_file_init(&calls->folded, calls->engine);
	} else {
		lines_init(&calls->lines, calls->engine, session->options, lines_format(format));
		calls->lines.past = true;
	}
}

void export_calls_release(struct export_calls *calls)
{
	if (!calls->block)
		return;
	if (calls->format == EXPORT_TEXT)
		call_cells_release(&calls->cells);
	else if (calls->format == EXPORT_FOLDED)
		folded_file_release(&calls->folded);
	else
		lines_release(&calls->lines);
	engine_bytes_release(&calls->bytes);
	filter_free(calls->filter);
	idmap_release(&calls->session->p99_by_pid);
	free(calls->session);
	free(calls->list);
	free(calls->block);
	free(calls->seqs);
	memset(calls, 0, sizeof(*calls));
}

/* ---- text ---- */

static void add_cell(struct str *out, const struct table_column *column, const struct str *text,
		     bool last)
{
	int width = utf8_text_width(text->data, text->len);
	int cols = column->id == CALL_COLUMN_CALL ? CALL_COLS : column->min_cols;
	size_t room = width < cols ? (size_t)(cols - width) : 0;

	if (column->align == ALIGN_RIGHT)
		str_repeat(out, ' ', room);
	str_addn(out, text->data, text->len);
	if (column->align != ALIGN_RIGHT && !last)
		str_repeat(out, ' ', room);
	str_add(out, last ? "\n" : "  ");
}

static void add_titles(const struct export_calls *calls, struct str *out)
{
	struct str title = STR_INIT;

	for (size_t i = 0; i < calls->column_count; i++) {
		const struct table_column *column = &call_columns[calls->columns[i]];

		str_clear(&title);
		str_add(&title, column->title);
		add_cell(out, column, &title, i + 1 == calls->column_count);
	}
	str_release(&title);
}

static void add_text(struct export_calls *calls, struct str *out, const struct call *block,
		     size_t count)
{
	struct table_cell cell = { .text = STR_INIT };

	engine_bytes_copy(calls->engine, block, count, &calls->bytes);
	for (size_t i = 0; i < count; i++) {
		const struct call_bytes *bytes = engine_bytes_of(&calls->bytes, i);

		if (block[i].state != CALL_GAP)
			call_texts_add(&calls->cells.texts, calls->session, &block[i], bytes,
				       calls->bytes.captured.len);
		for (size_t j = 0; j < calls->column_count; j++) {
			str_clear(&cell.text);
			cell.span_count = 0;
			call_cells_cell(&calls->cells, calls->session, &block[i], calls->columns[j],
					&cell);
			add_cell(out, &call_columns[calls->columns[j]], &cell.text,
				 j + 1 == calls->column_count);
		}
	}
	str_release(&cell.text);
}

/* ---- slices ---- */

static void add_calls(struct export_calls *calls, struct str *out, const struct call *block,
		      size_t count)
{
	calls->written += count;
	if (calls->format == EXPORT_TEXT)
		add_text(calls, out, block, count);
	else if (calls->format == EXPORT_FOLDED)
		folded_file_add(&calls->folded, block, count);
	else
		lines_add(&calls->lines, out, block, count);
}

/* The engine examines a bounded number of calls per query, so a block can have no matches. */
static void add_history(struct export_calls *calls, struct str *out)
{
	uint64_t first, end;
	size_t count;

	engine_calls_range(calls->engine, &first, &end);
	if (calls->at < first) {
		calls->missing += (first < calls->end ? first : calls->end) - calls->at;
		calls->at = first;
	}
	if (calls->at >= calls->end)
		return;
	count = engine_calls_after(calls->engine, &calls->at, calls->filter, calls->block,
				   calls->seqs, BLOCK_CALLS);
	while (count && calls->seqs[count - 1] >= calls->end)
		count--;
	add_calls(calls, out, calls->block, count);
}

static void add_list(struct export_calls *calls, struct str *out)
{
	size_t count = calls->list_count - calls->list_at;

	if (count > BLOCK_CALLS)
		count = BLOCK_CALLS;
	add_calls(calls, out, calls->list + calls->list_at, count);
	calls->list_at += count;
}

/* True if all names are resolved or the wait has timed out. */
static bool has_names(struct export_calls *calls)
{
	if (!calls->names_until_ns) {
		calls->names_until_ns = clock_now_ns() + NAMES_NS;
		folded_file_ask(&calls->folded);
	}
	/* An incomplete stack can have gained frames, whose names must be requested. */
	if (!engine_symbols_settle(calls->engine, 20))
		return clock_now_ns() >= calls->names_until_ns;
	return folded_file_ask(&calls->folded) == 0 || clock_now_ns() >= calls->names_until_ns;
}

static bool finish(struct export_calls *calls, struct str *out)
{
	if (calls->format == EXPORT_FOLDED) {
		if (!has_names(calls))
			return false;
		folded_file_add_text(&calls->folded, out);
	} else if (calls->format != EXPORT_TEXT) {
		lines_end(&calls->lines, out);
	}
	return true;
}

bool export_calls_step(struct export_calls *calls, struct str *out, uint64_t until_ns)
{
	if (!calls->began && calls->format == EXPORT_TEXT)
		add_titles(calls, out);
	else if (!calls->began && calls->format != EXPORT_FOLDED)
		lines_begin(&calls->lines, out);
	calls->began = true;
	do {
		if (calls->at < calls->end)
			add_history(calls, out);
		else if (calls->list_at < calls->list_count)
			add_list(calls, out);
		else
			return finish(calls, out);
	} while (out->len < OUT_BYTES && clock_now_ns() < until_ns);
	return false;
}

unsigned export_calls_percent(const struct export_calls *calls)
{
	uint64_t all = calls->end - calls->first;

	return all && calls->at < calls->end ? (unsigned)((calls->at - calls->first) * 100 / all)
					     : 100;
}
