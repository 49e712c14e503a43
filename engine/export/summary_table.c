#include "engine/export/summary_table.h"

#include "engine/base/clock.h"
#include "engine/decode/syscalls.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define INDENT 2

/* -- Cells -------------------------------------------------------------------------------- */

static double ms(uint64_t ns)
{
	return (double)ns / (double)NS_PER_MS;
}

static uint64_t timed(const struct summary_syscall *row)
{
	return row->calls - row->untimed;
}

static double average_ns(const struct summary_syscall *row)
{
	return timed(row) ? (double)row->total_ns / (double)timed(row) : 0;
}

/* Return the standard error of the average, as a percentage of the average. */
static double error_percent(const struct summary_syscall *row)
{
	if (!timed(row) || !row->total_ns)
		return 0;
	return 100 * (double)row->deviation_ns / sqrt((double)timed(row)) / average_ns(row);
}

static void add_errno(struct str *out, const struct errno_count *count)
{
	const char *name = errno_name((int)count->number);

	if (name)
		str_add(out, name);
	else if (count->number == ERRNO_COUNTS_UNKNOWN)
		str_addc(out, '?');
	else
		str_addu(out, count->number);
	str_addc(out, ' ');
	str_addu(out, count->count);
}

static size_t rest_cols(uint64_t rest)
{
	size_t cols = strlen(", +");

	for (uint64_t left = rest; left; left /= 10)
		cols++;
	return rest ? cols : 0;
}

/* Add errors that fit in `cols` columns (0: unlimited) and the sum of the rest: "ENOENT 12, +3". */
static void add_errnos(struct str *out, const struct summary_syscall *row, int cols)
{
	struct str one = STR_INIT;
	size_t begin = out->len;
	uint64_t rest = row->errors;

	for (size_t i = 0; i < row->errno_count; i++) {
		str_clear(&one);
		str_add(&one, i ? ", " : "");
		add_errno(&one, &row->errnos[i]);
		if (cols && i &&
		    out->len - begin + one.len + rest_cols(rest - row->errnos[i].count) >
			    (size_t)cols)
			break;
		str_add(out, one.data);
		rest -= row->errnos[i].count;
	}
	if (rest && row->errno_count)
		str_addf(out, ", +%" PRIu64, rest);
	str_release(&one);
}

char *summary_format_sum(char out[SUMMARY_SUM_BYTES], uint64_t ns, uint64_t unknown)
{
	snprintf(out, SUMMARY_SUM_BYTES, !unknown ? "%.3f" : ns ? ">%.3f" : "?", ms(ns));
	return out;
}

static void add_duration(struct str *out, int cols, const struct summary_syscall *row, double ns)
{
	if (timed(row))
		str_addf(out, "%*.3f", cols, ns / (double)NS_PER_US);
	else
		str_addf(out, "%*s", cols, "?");
}

static void add_cell(struct str *out, const struct summary_layout *layout,
		     const struct summary_group *group, const struct summary_syscall *row,
		     enum summary_column column)
{
	int cols = layout->cols[column];
	char sum[SUMMARY_SUM_BYTES];

	switch (column) {
	case SUMMARY_NAME:
		str_addf(out, "%-*s", cols, row->name);
		break;
	case SUMMARY_CALLS:
		str_addf(out, "%*" PRIu64, cols, row->calls);
		break;
	case SUMMARY_ERRORS:
		str_addf(out, "%*" PRIu64, cols, row->errors);
		break;
	case SUMMARY_SHARE:
		str_addf(out, "%*.2f", cols,
			 group->total_ns ? 100 * (double)row->total_ns / (double)group->total_ns
					 : 0);
		break;
	case SUMMARY_TOTAL:
		str_addf(out, "%*s", cols, summary_format_sum(sum, row->total_ns, row->untimed));
		break;
	case SUMMARY_BLOCKED:
		str_addf(out, "%*s", cols,
			 summary_format_sum(sum, row->blocked_ns,
					    row->waits_unknown + row->untimed));
		break;
	case SUMMARY_AVG:
		add_duration(out, cols, row, average_ns(row));
		break;
	case SUMMARY_MIN:
		add_duration(out, cols, row, (double)row->min_ns);
		break;
	case SUMMARY_P50:
		add_duration(out, cols, row, (double)row->p50_ns);
		break;
	case SUMMARY_P95:
		add_duration(out, cols, row, (double)row->p95_ns);
		break;
	case SUMMARY_P99:
		add_duration(out, cols, row, (double)row->p99_ns);
		break;
	case SUMMARY_MAX:
		add_duration(out, cols, row, (double)row->max_ns);
		break;
	case SUMMARY_STDDEV:
		if (timed(row))
			str_addf(out, "%*.2f", cols, error_percent(row));
		else
			str_addf(out, "%*s", cols, "?");
		break;
	case SUMMARY_ERRNOS:
		str_addc(out, ' ');
		add_errnos(out, row, layout->errno_cols ? layout->errno_cols - 1 : 0);
		break;
	case SUMMARY_COLUMNS:
		break;
	}
}

/* Return the number by which rows are sorted and columns measured. */
static uint64_t figure(const struct summary_syscall *row, enum summary_column column)
{
	switch (column) {
	case SUMMARY_CALLS:
		return row->calls;
	case SUMMARY_ERRORS:
	case SUMMARY_ERRNOS:
		return row->errors;
	case SUMMARY_BLOCKED:
		return row->blocked_ns;
	case SUMMARY_AVG:
		return (uint64_t)average_ns(row);
	case SUMMARY_MIN:
		return row->min_ns;
	case SUMMARY_P50:
		return row->p50_ns;
	case SUMMARY_P95:
		return row->p95_ns;
	case SUMMARY_P99:
		return row->p99_ns;
	case SUMMARY_MAX:
		return row->max_ns;
	case SUMMARY_STDDEV:
		return (uint64_t)(error_percent(row) * 1000);
	case SUMMARY_NAME:
	case SUMMARY_SHARE:
	case SUMMARY_TOTAL:
	case SUMMARY_COLUMNS:
		break;
	}
	return row->total_ns;
}

/* -- Layout ----------------------------------------------------------------------------- */

static int layout_cols(const struct summary_layout *layout)
{
	int cols = INDENT;

	for (size_t i = 0; i < layout->count; i++)
		cols += layout->cols[layout->columns[i]] + (i > 0);
	return cols;
}

static void drop_column(struct summary_layout *layout, size_t at)
{
	layout->count--;
	memmove(&layout->columns[at], &layout->columns[at + 1],
		(layout->count - at) * sizeof(*layout->columns));
}

/* Return the index of the column to drop first; 0: none, as the names stay. */
static size_t first_to_drop(const struct summary_layout *layout, enum summary_column sort)
{
	size_t at = 0;

	for (size_t i = 1; i < layout->count; i++)
		if (layout->columns[i] != sort && summary_columns[layout->columns[i]].drop >
							  summary_columns[layout->columns[at]].drop)
			at = i;
	return at;
}

/* Return a number that grows with the width of the cell: a leading > is as wide as a digit. */
static uint64_t width_of(const struct summary_syscall *row, enum summary_column column)
{
	uint64_t unknown = column == SUMMARY_TOTAL     ? row->untimed
			   : column == SUMMARY_BLOCKED ? row->waits_unknown + row->untimed
						       : 0;

	return column == SUMMARY_NAME ? strlen(row->name)
				      : figure(row, column) * (unknown ? 10 : 1);
}

/* Find the row with the widest cell, and its group: the longest name or the largest number. */
static const struct summary_syscall *widest(enum summary_column column,
					    const struct summary_group *groups, size_t count,
					    const struct summary_group **whose)
{
	const struct summary_syscall *found = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < groups[i].syscall_count; j++) {
			const struct summary_syscall *row = &groups[i].syscalls[j];
			uint64_t size = width_of(row, column);

			if (found && size <= most)
				continue;
			found = row;
			most = size;
			*whose = &groups[i];
		}
	}
	return found;
}

/* Return the width for at least the most frequent error of each row and the remaining sum. */
static size_t errnos_cols(const struct summary_group *groups, size_t count)
{
	size_t cols = strlen(summary_columns[SUMMARY_ERRNOS].title);
	struct str cell = STR_INIT;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < groups[i].syscall_count; j++) {
			if (!groups[i].syscalls[j].errno_count)
				continue;
			str_clear(&cell);
			add_errnos(&cell, &groups[i].syscalls[j], 1);
			cols = cell.len > cols ? cell.len : cols;
		}
	}
	str_release(&cell);
	return cols + 1; /* one more space than between numbers */
}

/* Fit each column to its contents, except for the last one, which gets the rest of the line. */
static void measure(struct summary_layout *layout, const struct summary_group *groups, size_t count)
{
	struct summary_layout narrow = { .count = 0 };
	struct str cell = STR_INIT;

	for (size_t i = 0; i < layout->count; i++) {
		enum summary_column column = layout->columns[i];
		size_t cols = strlen(summary_columns[column].title);
		const struct summary_group *group = NULL;
		const struct summary_syscall *row = NULL;

		if (column == SUMMARY_ERRNOS)
			cols = errnos_cols(groups, count);
		/* A share fits below its title. */
		if (column != SUMMARY_ERRNOS && column != SUMMARY_SHARE)
			row = widest(column, groups, count, &group);
		str_clear(&cell);
		if (row)
			add_cell(&cell, &narrow, group, row, column);
		layout->cols[column] = (int)(cell.len > cols ? cell.len : cols);
	}
	str_release(&cell);
}

/* Widen columns to their fixed widths, so that the columns of different runs align. */
static void widen(struct summary_layout *layout)
{
	for (int column = 0; column < SUMMARY_COLUMNS; column++)
		if (layout->cols[column] < summary_columns[column].cols)
			layout->cols[column] = summary_columns[column].cols;
}

void summary_layout_make(struct summary_layout *layout, const struct summary_form *form,
			 const struct summary_group *groups, size_t count)
{
	struct summary_layout wide;
	size_t at;

	memset(layout, 0, sizeof(*layout));
	layout->count = form->column_count;
	memcpy(layout->columns, form->columns, sizeof(layout->columns));
	measure(layout, groups, count);
	wide = *layout;
	widen(&wide);
	if (!form->width || layout_cols(&wide) <= form->width)
		*layout = wide;
	if (!form->width)
		return;
	while (!form->chosen && layout_cols(layout) > form->width &&
	       (at = first_to_drop(layout, form->sort)))
		drop_column(layout, at);
	layout->errno_cols = layout->cols[SUMMARY_ERRNOS];
	if (form->width > layout_cols(layout))
		layout->errno_cols += form->width - layout_cols(layout);
}

/* -- Tables ------------------------------------------------------------------------------- */

/* End a line without trailing spaces. */
static void end_line(struct str *out)
{
	while (out->len && out->data[out->len - 1] == ' ')
		str_cut(out, out->len - 1);
	str_addc(out, '\n');
}

static void add_head(struct str *out, const struct summary_layout *layout)
{
	str_repeat(out, ' ', INDENT);
	for (size_t i = 0; i < layout->count; i++) {
		enum summary_column column = layout->columns[i];
		bool left = column == SUMMARY_NAME || column == SUMMARY_ERRNOS;
		bool apart = column == SUMMARY_ERRNOS;

		str_addf(out, left ? "%s%-*s" : "%s%*s",
			 !i      ? ""
			 : apart ? "  "
				 : " ",
			 layout->cols[column] - apart, summary_columns[column].title);
	}
	end_line(out);
}

void summary_table_add(struct str *out, const struct summary_layout *layout,
		       const struct summary_group *group)
{
	add_head(out, layout);
	for (size_t i = 0; i < group->syscall_count; i++) {
		str_repeat(out, ' ', INDENT);
		for (size_t j = 0; j < layout->count; j++) {
			if (j)
				str_addc(out, ' ');
			add_cell(out, layout, group, &group->syscalls[i], layout->columns[j]);
		}
		end_line(out);
	}
}

/* -- Order -------------------------------------------------------------------------------- */

static int larger_first(uint64_t one, uint64_t other)
{
	return (one < other) - (one > other);
}

static int turned(const struct summary_form *form, int order)
{
	bool turn = form->ascending != (form->sort == SUMMARY_NAME);

	return turn ? -order : order;
}

/* Equal rows sort by time, calls, then number, so that equal runs give equal output. */
int summary_compare_syscalls(const struct summary_form *form, const struct summary_syscall *one,
			     const struct summary_syscall *other)
{
	int order = form->sort == SUMMARY_NAME
			    ? strcmp(one->name, other->name)
			    : larger_first(figure(one, form->sort), figure(other, form->sort));

	if (order)
		return turned(form, order);
	if (one->total_ns != other->total_ns)
		return larger_first(one->total_ns, other->total_ns);
	if (one->calls != other->calls)
		return larger_first(one->calls, other->calls);
	return (one->nr > other->nr) - (one->nr < other->nr);
}

/* Compare the groups' sums of the sort column; if the groups have no such sum, compare by time. */
int summary_compare_groups(const struct summary_form *form, const struct summary_group *one,
			   const struct summary_group *other)
{
	int order = 0;

	if (form->sort == SUMMARY_CALLS)
		order = larger_first(one->calls, other->calls);
	else if (form->sort == SUMMARY_ERRORS || form->sort == SUMMARY_ERRNOS)
		order = larger_first(one->errors, other->errors);
	else if (form->sort == SUMMARY_BLOCKED)
		order = larger_first(one->blocked_ns, other->blocked_ns);
	else if (form->sort == SUMMARY_TOTAL || form->sort == SUMMARY_SHARE)
		order = larger_first(one->total_ns, other->total_ns);
	if (order)
		return turned(form, order);
	if (one->total_ns != other->total_ns)
		return larger_first(one->total_ns, other->total_ns);
	if (one->calls != other->calls)
		return larger_first(one->calls, other->calls);
	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	return (one->tid > other->tid) - (one->tid < other->tid);
}
