#include "tui/view/files_pane.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/session/empty_reason.h"
#include "tui/session/key_name.h"
#include "tui/session/path_fit.h"
#include "tui/view/file_totals.h"
#include "tui/view/table_pane.h"

#include <stdlib.h>
#include <string.h>

#define LABEL_COLS 32

enum file_column {
	COLUMN_FILE,
	COLUMN_FD,
	COLUMN_WHO,
	COLUMN_CALLS,
	COLUMN_ERRORS,
	COLUMN_READ,
	COLUMN_WRITTEN,
	COLUMN_TOTAL,
	COLUMN_BLOCKED,
	COLUMN_MAX,
	COLUMN_COUNT
};

/* clang-format off */
static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_FILE] = { .id = COLUMN_FILE, .name = "file", .title = "FILE",
			  .help = "path, or what the descriptor refers to",
			  .min_cols = 20, .flex = 1 },
	[COLUMN_FD] = { .id = COLUMN_FD, .name = "fd", .title = "FD",
			.help = "file descriptor; many: more than one", .min_cols = 5,
			.align = ALIGN_RIGHT, .drop = 6 },
	[COLUMN_WHO] = { .id = COLUMN_WHO, .name = "who", .title = "COMM/PID",
			 .help = "the process; many: more than one", .min_cols = 16, .drop = 5 },
	[COLUMN_CALLS] = { .id = COLUMN_CALLS, .name = "calls", .title = "CALLS",
			   .help = "calls on it in the history", .min_cols = 6,
			   .align = ALIGN_RIGHT, .descending = true },
	[COLUMN_ERRORS] = { .id = COLUMN_ERRORS, .name = "err%", .title = "ERR%",
			    .help = "percentage of failed calls", .min_cols = 5,
			    .align = ALIGN_RIGHT, .descending = true, .drop = 2 },
	[COLUMN_READ] = { .id = COLUMN_READ, .name = "read", .title = "READ",
			  .help = "bytes read from it", .min_cols = 6,
			  .align = ALIGN_RIGHT, .descending = true, .drop = 1 },
	[COLUMN_WRITTEN] = { .id = COLUMN_WRITTEN, .name = "written", .title = "WRITTEN",
			     .help = "bytes written to it", .min_cols = 8,
			     .align = ALIGN_RIGHT, .descending = true, .drop = 1 },
	[COLUMN_TOTAL] = { .id = COLUMN_TOTAL, .name = "time", .title = "TIME",
			   .help = "time in calls on it", .min_cols = 7,
			   .align = ALIGN_RIGHT, .descending = true },
	[COLUMN_BLOCKED] = { .id = COLUMN_BLOCKED, .name = "blocked", .title = "BLOCKED",
			     .help = "time asleep in these calls", .min_cols = 8,
			     .align = ALIGN_RIGHT, .descending = true, .drop = 3 },
	[COLUMN_MAX] = { .id = COLUMN_MAX, .name = "max", .title = "MAX",
			 .help = "longest call",
			 .min_cols = 7, .align = ALIGN_RIGHT, .descending = true, .drop = 4 },
};
/* clang-format on */

struct files_pane {
	struct table_pane base; /* rows: struct file_sum */
	struct file_totals totals;
	uint64_t filter_version, zero_version;
	bool begun;
};

static uint64_t row_id(const struct table_pane *base, const void *row)
{
	const struct files_pane *pane = (const struct files_pane *)base;

	return (uint64_t)((const struct file_sum *)row - pane->totals.files) + 1;
}

static void name_cell(const struct file_sum *file, struct table_cell *out)
{
	switch (file->kind) {
	case FILE_NAMED:
		str_add_escaped(&out->text, file->name, strlen(file->name), ESCAPE_PLAIN);
		out->role = ROLE_STRING;
		break;
	case FILE_UNKNOWN:
		str_add(&out->text, "(unknown)");
		out->role = ROLE_DIM;
		break;
	case FILE_OTHERS:
		str_addf(&out->text, "(more than %d files)", FILE_TOTALS_MAX);
		out->role = ROLE_DIM;
		break;
	}
}

static void caller_cell(const struct table_pane *base, const struct file_sum *file,
			struct table_cell *out)
{
	char name[ENGINE_NAME_BYTES];
	uint32_t pid;

	out->role = ROLE_NAME;
	if (file->many_pids) {
		str_add(&out->text, "many");
		out->role = ROLE_DIM;
		return;
	}
	if (engine_thread(base->session->engine, file->tid, &pid, name))
		str_addf(&out->text, "%s/", name);
	str_addu(&out->text, file->pid);
}

static void fd_cell(const struct file_sum *file, struct table_cell *out)
{
	if (file->many_fds)
		str_add(&out->text, "many");
	else if (file->fd >= 0)
		str_addu(&out->text, (uint64_t)file->fd);
	else
		str_add(&out->text, "-");
	out->role = file->many_fds || file->fd < 0 ? ROLE_DIM : ROLE_NUMBER;
}

static void bytes_cell(uint64_t bytes, struct table_cell *out)
{
	char text[UNITS_TEXT_BYTES];

	str_add(&out->text, bytes ? units_format_bytes(text, bytes) : "-");
	out->role = bytes ? ROLE_NUMBER : ROLE_DIM;
}

static void time_cell(uint64_t ns, struct table_cell *out)
{
	char text[UNITS_TEXT_BYTES];

	str_add(&out->text, ns ? units_format_ns(text, ns) : "-");
	out->role = ns ? ROLE_NUMBER : ROLE_DIM;
}

/* lacks: the sum lacks some calls, so it is a lower bound. */
static void sum_cell(uint64_t ns, bool lacks, struct table_cell *out)
{
	char text[UNITS_TEXT_BYTES];

	if (lacks)
		str_add(&out->text, units_format_at_least_ns(text, ns));
	else
		time_cell(ns, out);
}

static void cell(struct table_pane *base, const void *row, int column_id, struct table_cell *out)
{
	const struct file_sum *file = row;
	char text[UNITS_TEXT_BYTES];

	out->role = ROLE_NUMBER;
	switch ((enum file_column)column_id) {
	case COLUMN_FILE:
		name_cell(file, out);
		break;
	case COLUMN_FD:
		fd_cell(file, out);
		break;
	case COLUMN_WHO:
		caller_cell(base, file, out);
		break;
	case COLUMN_CALLS:
		str_add(&out->text, units_format_count(text, file->calls));
		break;
	case COLUMN_ERRORS:
		str_add(&out->text, units_format_percent(text, file->errors, file->calls));
		out->role = file->errors ? ROLE_ERROR : ROLE_DIM;
		break;
	case COLUMN_READ:
		bytes_cell(file->read_bytes, out);
		break;
	case COLUMN_WRITTEN:
		bytes_cell(file->written_bytes, out);
		break;
	case COLUMN_TOTAL:
		sum_cell(file->total_ns, file->timed < file->calls, out);
		break;
	case COLUMN_BLOCKED:
		sum_cell(file->blocked_ns, file->waits_unknown, out);
		break;
	case COLUMN_MAX:
		if (file->timed)
			time_cell(file->max_ns, out);
		else
			str_addc(&out->text, '?');
		break;
	case COLUMN_COUNT:
		break;
	}
}

static const char *name_of(const struct file_sum *file)
{
	return file->name ? file->name : "";
}

static int compare(const struct table_pane *base, const void *left, const void *right,
		   int column_id)
{
	const struct file_sum *a = left, *b = right;

	(void)base;
	switch ((enum file_column)column_id) {
	case COLUMN_FILE:
		return strcmp(name_of(a), name_of(b));
	case COLUMN_FD:
		return (a->fd > b->fd) - (a->fd < b->fd);
	case COLUMN_WHO:
		return compare_u64(a->pid, b->pid);
	case COLUMN_CALLS:
		return compare_u64(a->calls, b->calls);
	case COLUMN_ERRORS:
		return compare_u64(a->errors * b->calls, b->errors * a->calls);
	case COLUMN_READ:
		return compare_u64(a->read_bytes, b->read_bytes);
	case COLUMN_WRITTEN:
		return compare_u64(a->written_bytes, b->written_bytes);
	case COLUMN_TOTAL:
		return compare_u64(a->total_ns, b->total_ns);
	case COLUMN_BLOCKED:
		return compare_u64(a->blocked_ns, b->blocked_ns);
	case COLUMN_MAX:
		return compare_u64(a->max_ns, b->max_ns);
	case COLUMN_COUNT:
		break;
	}
	return 0;
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	const struct files_pane *pane = (const struct files_pane *)base;

	str_addf(title, "Files %zu", base->count);
	history_scan_add_sample(&pane->totals.scan, title);
	if (pane->begun && !pane->totals.scan.complete)
		str_addf(right, "%u%% of the history, ", file_totals_percent(&pane->totals));
	table_pane_say_order(base, NULL, right);
}

static void add_number(struct fields *fields, const char *name, int64_t number, bool many)
{
	if (many || number < 0)
		fields_none(fields, name);
	else
		fields_signed(fields, name, number);
}

static void add_fields(const struct table_pane *base, const void *row, struct fields *fields)
{
	static const char *const kinds[] = {
		[FILE_NAMED] = "named",
		[FILE_UNKNOWN] = "unknown",
		[FILE_OTHERS] = "others",
	};
	const struct history_scan *scan = &((const struct files_pane *)base)->totals.scan;
	const struct file_sum *file = row;
	struct str name = STR_INIT;

	if (file->kind == FILE_NAMED)
		str_add_escaped(&name, file->name, strlen(file->name), ESCAPE_PLAIN);
	fields_text(fields, "file", file->kind == FILE_NAMED ? name.data : NULL);
	fields_text(fields, "kind", kinds[file->kind]);
	add_number(fields, "pid", file->pid, file->many_pids);
	fields_bool(fields, "many_pids", file->many_pids);
	add_number(fields, "fd", file->fd, file->many_fds);
	fields_bool(fields, "many_fds", file->many_fds);
	fields_whole(fields, "calls", file->calls);
	fields_whole(fields, "errors", file->errors);
	fields_whole(fields, "read_bytes", file->read_bytes);
	fields_whole(fields, "written_bytes", file->written_bytes);
	fields_whole(fields, "total_ns", file->total_ns);
	fields_whole(fields, "blocked_ns", file->blocked_ns);
	fields_whole(fields, "waits_unknown", file->waits_unknown);
	if (file->timed)
		fields_whole(fields, "max_ns", file->max_ns);
	else
		fields_none(fields, "max_ns");
	fields_real(fields, "sampled_share", history_scan_share(scan));
	fields_whole(fields, "timed", file->timed);
	str_release(&name);
}

static const struct table_pane_ops table_ops = {
	.name = "files",
	.row_type = "file",
	.fields = add_fields,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.compare = compare,
};

static void say_why_empty(const struct files_pane *pane, const struct session *session,
			  struct str *out)
{
	if (session->phase == SESSION_RUNNING && !pane->totals.scan.complete)
		str_add(out, "searching the history…");
	else
		empty_reason_say(session, EMPTY_FILES, out);
}

/* The two unnamed rows are shown only if they have calls. */
static void take_rows(struct files_pane *pane)
{
	struct table_pane *base = &pane->base;
	size_t count = 0;

	table_pane_resize(base, pane->totals.count);
	for (size_t i = 0; i < pane->totals.count; i++)
		if (pane->totals.files[i].calls)
			base->rows[count++] = &pane->totals.files[i];
	table_pane_resize(base, count);
	table_pane_sort(base);
}

static bool has_more(const struct files_pane *pane, const struct session *session)
{
	const struct history_scan *scan = &pane->totals.scan;

	return !scan->complete || session_is_late(session, scan->caught_ns);
}

static void refresh(void *self, struct session *session)
{
	struct files_pane *pane = self;
	bool stale = !pane->begun || pane->filter_version != session->filter_version ||
		     pane->zero_version != session->zero_version;

	table_pane_refresh(&pane->base, session);
	if (session->phase == SESSION_RUNNING) {
		if (stale)
			file_totals_begin(&pane->totals, session);
		pane->begun = true;
		pane->filter_version = session->filter_version;
		pane->zero_version = session->zero_version;
		if (session->work && (!session->paused || has_more(pane, session)))
			stale |= file_totals_step(&pane->totals);
		session->busy = session->busy || has_more(pane, session);
		/* The array moves when it grows, so all row pointers are taken again. */
		if (stale)
			take_rows(pane);
	}
	say_why_empty(pane, session, &pane->base.empty_text);
}

static void narrow(struct session *session, const struct file_sum *file)
{
	struct filter_error error;
	struct str term = STR_INIT, label = STR_INIT;
	char key[KEY_NAME_TEXT_BYTES];

	if (file->kind != FILE_NAMED || *file->name != '/') {
		session_say(session, ROLE_WARN,
			    "Cannot narrow to it: not a path; %s narrows by another field",
			    key_name(key, session, ACTION_ONLY_CELL));
		return;
	}
	str_add(&term, "path == ");
	filter_quote(&term, file->name, strlen(file->name));
	path_fit(&label, file->name, LABEL_COLS);
	if (filter_stack_add(&session->filter_stack, term.data, label.data, &error)) {
		session_say(session, ROLE_ERROR, "%s", error.err.text);
	} else {
		session_apply_filter(session);
		session->to_calls = true;
	}
	str_release(&term);
	str_release(&label);
}

static bool act(void *self, struct session *session, enum action action)
{
	struct files_pane *pane = self;
	const struct file_sum *file = table_pane_selected_row(&pane->base);

	if (action != ACTION_DRILL_IN || !file)
		return table_pane_act(&pane->base, session, action);
	narrow(session, file);
	return true;
}

static bool selection(void *self, struct session *session, struct selection *out, struct call *call,
		      bool *has_call)
{
	struct files_pane *pane = self;
	const struct file_sum *file = table_pane_selected_row(&pane->base);
	uint32_t pid;

	(void)call;
	*has_call = false;
	if (!file || file->many_pids)
		return false;
	out->has_pid = true;
	out->pid = file->pid;
	out->has_comm = engine_thread(session->engine, file->tid, &pid, out->comm);
	return true;
}

static void terms(void *self, struct session *session, struct row_terms *out)
{
	struct files_pane *pane = self;
	const struct file_sum *file = table_pane_selected_row(&pane->base);

	(void)session;
	if (file && file->kind == FILE_NAMED)
		row_terms_add_text(out, "path", file->name);
}

static void pane_free(void *self)
{
	struct files_pane *pane = self;

	table_pane_release(&pane->base);
	file_totals_release(&pane->totals);
	free(pane);
}

static const struct pane_ops ops = {
	TABLE_PANE_VERBS,
	.act = act,
	.sort_by = table_pane_sort_by,
	.refresh = refresh,
	.selection = selection,
	.terms = terms,
	.free = pane_free,
};

static const struct layout_node layout[] = {
	{ .kind = LAYOUT_PANE, .pane = 0, .min_rows = 3, .min_cols = 1, .weight = 1 },
};

static const enum action keys[] = {
	ACTION_DRILL_IN, ACTION_SORT_NEXT, ACTION_SORT_INVERT, ACTION_SEARCH, ACTION_COPY_ROW,
};

static const struct view_def view_def = {
	.action = ACTION_VIEW_FILES,
	.title = "Files",
	.help = "Calls in the history that match the filter, by file, socket and pipe: counts, "
		"times and bytes. Enter narrows to a path and shows its calls.",
	VIEW_KEYS(keys),
	.wide = layout,
	.wide_count = 1,
};

void files_view_init(struct view *view)
{
	struct files_pane *pane = mem_zalloc(1, sizeof(*pane));
	struct pane panes[] = { { &ops, pane } };

	table_pane_init(&pane->base, &table_ops, columns, COLUMN_COUNT);
	pane->base.table.sort_column = COLUMN_TOTAL;
	pane->base.table.sort_descending = true;
	file_totals_init(&pane->totals);
	view_init(view, &view_def, panes, 1);
}
