#include "tui/report/export_table.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define GAP_COLS 2
/* Number of rows that prepare() announces together, so that the pane copies their data once. */
#define BLOCK_ROWS 128

static size_t count_rows(const struct export_table *table)
{
	const struct table *shown = table->subject.table;

	if (table->format != EXPORT_TEXT && table->subject.add_row)
		return table->subject.row_count;
	return shown ? shown->ops->row_count(shown->data) : 0;
}

void export_table_begin(struct export_table *table, const struct export_subject *subject,
			enum export_format format)
{
	const struct table *shown = subject->table;
	size_t order[TABLE_COLUMNS_MAX];

	*table = (struct export_table){ .subject = *subject, .format = format };
	str_init(&table->cells);
	str_init(&table->out);
	table->column_count = shown ? table_columns_shown(shown, order) : 0;
	table->columns = mem_zalloc(table->column_count + 1, sizeof(*table->columns));
	table->widths = mem_zalloc(table->column_count + 1, sizeof(*table->widths));
	for (size_t i = 0; i < table->column_count; i++)
		table->columns[i] = shown->columns[order[i]];
	table->no_header = shown && shown->no_header;
	table->count = count_rows(table);
}

void export_table_release(struct export_table *table)
{
	free(table->columns);
	free(table->widths);
	free(table->ends);
	str_release(&table->cells);
	str_release(&table->out);
	memset(table, 0, sizeof(*table));
}

static void read_cell(const struct table *shown, size_t row, int column_id, struct table_cell *cell)
{
	str_clear(&cell->text);
	cell->span_count = 0;
	cell->cols = 0;
	shown->ops->cell(shown->data, row, column_id, cell);
}

/* ---- JSON and CSV ---- */

static void add_cells(const struct export_table *table, size_t row, struct fields *fields)
{
	struct table_cell cell = { .text = STR_INIT };

	for (size_t i = 0; i < table->column_count; i++) {
		read_cell(table->subject.table, row, table->columns[i].id, &cell);
		fields_text(fields, table->columns[i].name ? table->columns[i].name : "text",
			    cell.text.data);
	}
	str_release(&cell.text);
}

static void add_fields(struct export_table *table, size_t row, enum fields_format format)
{
	const struct export_subject *subject = &table->subject;
	struct fields fields = fields_begin(&table->out, format, subject->row_type);

	if (subject->add_row)
		subject->add_row(subject->pane, row, &fields);
	else
		add_cells(table, row, &fields);
	fields_end(&fields);
}

/* ---- text ---- */

static void store_cells(struct export_table *table, size_t row)
{
	struct table_cell cell = { .text = STR_INIT };

	table->ends = mem_grow(table->ends, &table->end_capacity,
			       table->end_count + table->column_count, sizeof(*table->ends));
	for (size_t i = 0; i < table->column_count; i++) {
		int width;

		read_cell(table->subject.table, row, table->columns[i].id, &cell);
		str_addn(&table->cells, cell.text.data, cell.text.len);
		table->ends[table->end_count++] = table->cells.len;
		width = utf8_text_width(cell.text.data, cell.text.len);
		if (width > table->widths[i])
			table->widths[i] = width;
	}
	str_release(&cell.text);
}

static void add_padded(const struct export_table *table, struct str *out, size_t column,
		       const char *text, size_t len)
{
	int width = utf8_text_width(text, len);
	size_t room = width < table->widths[column] ? (size_t)(table->widths[column] - width) : 0;
	enum align align = table->columns[column].align;
	size_t before = align == ALIGN_RIGHT ? room : align == ALIGN_CENTER ? room / 2 : 0;

	if (column)
		str_repeat(out, ' ', GAP_COLS);
	str_repeat(out, ' ', before);
	str_addn(out, text, len);
	str_repeat(out, ' ', room - before);
}

static void end_line(struct str *out)
{
	size_t len = out->len;

	while (len && out->data[len - 1] == ' ')
		len--;
	str_cut(out, len);
	str_addc(out, '\n');
}

static void add_titles(struct export_table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		const char *title = table->columns[i].title;
		int width = utf8_text_width(title, strlen(title));

		if (width > table->widths[i])
			table->widths[i] = width;
	}
	if (table->no_header)
		return;
	for (size_t i = 0; i < table->column_count; i++)
		add_padded(table, &table->out, i, table->columns[i].title,
			   strlen(table->columns[i].title));
	end_line(&table->out);
}

/* ---- slices ---- */

static void prepare(const struct export_table *table)
{
	const struct table *shown = table->subject.table;
	size_t count = table->count - table->next;

	if (shown && shown->ops->prepare)
		shown->ops->prepare(shown->data, table->next,
				    count < BLOCK_ROWS ? count : BLOCK_ROWS);
}

bool export_table_step(struct export_table *table, uint64_t until_ns)
{
	bool text = table->format == EXPORT_TEXT;

	while (table->next < table->count) {
		size_t row = table->next;

		if (row % BLOCK_ROWS == 0) {
			if (row && clock_now_ns() >= until_ns)
				return false;
			if (text || !table->subject.add_row)
				prepare(table);
		}
		if (!row && table->format == EXPORT_CSV)
			add_fields(table, row, FIELDS_CSV_NAMES);
		if (text)
			store_cells(table, row);
		else
			add_fields(table, row,
				   table->format == EXPORT_CSV ? FIELDS_CSV : FIELDS_JSON);
		table->next++;
	}
	return true;
}

void export_table_finish(struct export_table *table)
{
	size_t from = 0;

	if (table->format != EXPORT_TEXT || !table->count)
		return;
	add_titles(table);
	for (size_t i = 0; i < table->end_count; i++) {
		size_t column = i % table->column_count;

		add_padded(table, &table->out, column, table->cells.data + from,
			   table->ends[i] - from);
		from = table->ends[i];
		if (column == table->column_count - 1)
			end_line(&table->out);
	}
	str_release(&table->cells);
}
