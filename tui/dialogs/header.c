#include "tui/dialogs/header.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "tui/dialogs/user_stack_focus.h"
#include "tui/session/play_text.h"
#include "widgets/sparkline.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#define SPARK_COLS 16
/* Minimum number of screen rows for two header rows: three rows of panes remain above the keys. */
#define TWO_ROWS_FROM 7

struct part {
	struct str text;
	enum role role;
	int drop; /* the part with the greatest value is removed first; 0: never removed */
};

enum part_id {
	PART_PROGRAM,
	PART_DEADLOCK,
	PART_RECORDING,
	PART_FLIGHT,
	PART_CATCHES,
	PART_MACHINE,
	PART_WHEN,
	PART_TARGET,
	PART_SOURCE,
	PART_STACKS,
	PART_RATE,
	PART_SPARK,
	PART_BUSY,
	PART_LOST,
	PART_USE,
	PART_KERNEL_FILTER,
	PART_NOTE, /* why a cheaper way to trace is not available */
	PART_COUNT
};

static void add_numbers(struct str *out, const char *one, const char *many, const uint32_t *numbers,
			size_t count)
{
	if (!count)
		return;
	str_addf(out, "%s%s ", out->len ? ", " : "", count == 1 ? one : many);
	for (size_t i = 0; i < count; i++) {
		if (i == 4) {
			str_add(out, ",…");
			break;
		}
		str_addf(out, "%s%u", i ? "," : "", numbers[i]);
	}
}

static void add_machine(struct str *out, const char *host, const char *release)
{
	int major = 0, minor = 0;

	sscanf(release, "%d.%d", &major, &minor);
	str_add_escaped(out, host, strcspn(host, "."), ESCAPE_PLAIN);
	str_addf(out, " %d.%d", major, minor);
}

/* Append the start of the recording, in local time. */
static void add_when(struct str *out, uint64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char text[32];
	struct tm tm;

	if (!wall_ns || !localtime_r(&seconds, &tm))
		return;
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	str_add(out, text);
}

static void add_file_name(struct str *out, const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	str_add_escaped(out, name, strlen(name), ESCAPE_PLAIN);
}

void header_init(struct header *header)
{
	struct str text = STR_INIT;
	struct utsname names;

	memset(header, 0, sizeof(*header));
	if (!uname(&names))
		add_machine(&text, names.nodename, names.release);
	snprintf(header->machine, sizeof(header->machine), "%s", text.data);
	str_release(&text);
}

int header_rows(const struct session *session, int screen_rows)
{
	return filter_stack_terms(&session->filter_stack)->count && screen_rows >= TWO_ROWS_FROM
		       ? 2
		       : 1;
}

static const char *recording_state(const struct play_status *play, enum role *role)
{
	if (play->moving == PLAY_FILTERING)
		return "READING";
	if (play->at_end)
		return "ENDED";
	if (play->paused)
		return "STOPPED";
	*role = ROLE_GOOD;
	return play->speed <= PLAY_UNLIMITED ? "READING" : "PLAYING";
}

static const char *state_text(const struct session *session, enum role *role)
{
	*role = ROLE_WARN;
	if (session->phase == SESSION_STARTING)
		return "STARTING";
	if (session->phase == SESSION_REFUSED)
		return "REFUSED";
	if (session->moving)
		return "MOVING";
	if (session->paused)
		return "PAUSED";
	if (session->play.recorded && session->play.possible)
		return recording_state(&session->play, role);
	if (session->status.finished || (session->targets_gone && !session->status.model.in_flight))
		return "ENDED";
	if (!session->status.running)
		return "STOPPED";
	*role = ROLE_GOOD;
	return "LIVE";
}

static void add_named(struct str *out, const struct session *session)
{
	const struct target *target = &session->targets.now;
	const struct options *options = session->options;

	if (target->command && options->command)
		str_add_escaped(out, options->command[0], strlen(options->command[0]),
				ESCAPE_PLAIN);
	add_numbers(out, "pid", "pids", target->pids, target->pid_count);
	add_numbers(out, "tid", "tids", target->tids, target->tid_count);
	add_numbers(out, "CPU", "CPUs", target->cpus, target->cpu_count);
	if (options->engine.recording)
		add_file_name(out, options->engine.recording);
	else if (!out->len)
		str_add(out, session->status.source.own_alone ? "your processes" : "all CPUs");
}

static void add_target(struct str *out, const struct session *session)
{
	add_named(out, session);
	if (session->command_ended)
		str_addf(out, " (exited, status %d)", session->command_status);
	else if (session->targets_gone)
		str_add(out, " (exited)");
	else if (session->targets.stopped && session->targets.now.pid_count > 1)
		str_addf(out, " (%zu stopped)", session->targets.stopped);
	else if (session->targets.stopped)
		str_add(out, " (stopped)");
}

static void add_spark(struct str *out, const struct engine_status *status)
{
	uint64_t values[ENGINE_SPARK_CELLS];

	for (int i = 0; i < ENGINE_SPARK_CELLS; i++)
		values[i] = status->spark[i];
	sparkline_format(out, values, ENGINE_SPARK_CELLS, SPARK_COLS, 0);
}

/* For a recording: append the calls and time read so far, and the replay speed. */
static void add_span(struct str *out, const struct session *session)
{
	const struct play_status *play = &session->play;
	uint64_t calls = session->status.model.calls_seen;
	uint64_t whole_ns = play->last_ns - play->first_ns;
	uint64_t read_ns = play->at_ns > play->from_ns ? play->at_ns - play->from_ns : 0;
	char text[UNITS_TEXT_BYTES], span[UNITS_TEXT_BYTES], speed[PLAY_SPEED_TEXT_BYTES];

	str_addf(out, "%s calls in %s", units_format_count(text, calls),
		 units_format_ns(span, read_ns < whole_ns ? read_ns : whole_ns));
	if (play->possible && play->last_known && read_ns < whole_ns)
		str_addf(out, " of %s", units_format_ns(span, whole_ns));
	if (play->possible && play->speed > PLAY_UNLIMITED && !play->at_end)
		str_addf(out, " at %s", play_text_speed(speed, play->speed));
}

static void add_rate(struct part *parts, const struct engine_status *status, bool moving)
{
	char text[UNITS_TEXT_BYTES];

	str_addf(&parts[PART_RATE].text, "%s calls/s",
		 units_format_count(text, (uint64_t)(status->calls_per_s + 0.5)));
	if (moving)
		add_spark(&parts[PART_SPARK].text, status);
	parts[PART_SPARK].drop = 4;
	str_addf(&parts[PART_BUSY].text, "%.0f%% busy", status->cpu_busy * 100);
	parts[PART_BUSY].drop = 4;
}

static void fill_parts(struct part *parts, const struct header *header,
		       const struct session *session)
{
	const struct engine_status *status = &session->status;
	uint64_t lost = model_status_losses(&status->model);
	char text[UNITS_TEXT_BYTES];

	for (int i = 0; i < PART_COUNT; i++)
		parts[i] = (struct part){ STR_INIT, ROLE_TOP, 0 };
	str_add(&parts[PART_PROGRAM].text, "stxtop");
	parts[PART_PROGRAM].role = ROLE_TOP_VALUE;
	if (status->source.host[0])
		add_machine(&parts[PART_MACHINE].text, status->source.host, status->source.release);
	else
		str_add(&parts[PART_MACHINE].text, header->machine);
	parts[PART_MACHINE].drop = 6;
	add_when(&parts[PART_WHEN].text, status->source.wall_ns);
	parts[PART_WHEN].drop = 6;
	add_target(&parts[PART_TARGET].text, session);
	parts[PART_TARGET].role = ROLE_TOP_VALUE;
	parts[PART_TARGET].drop = session->targets_gone ? 1 : 3;
	if (session->phase != SESSION_RUNNING)
		return;
	if (session->deadlocks.count) {
		str_add(&parts[PART_DEADLOCK].text, "DEADLOCK ");
		deadlock_text(&session->deadlocks.found[0], 3, &parts[PART_DEADLOCK].text);
		parts[PART_DEADLOCK].role = ROLE_ERROR;
	}
	str_add(&parts[PART_RECORDING].text, header->recording);
	parts[PART_RECORDING].role = header->recording_lost ? ROLE_GAP : ROLE_TOP_VALUE;
	parts[PART_RECORDING].drop = 1;
	str_add(&parts[PART_FLIGHT].text, header->flight);
	parts[PART_FLIGHT].role = header->flight_saving ? ROLE_WARN : ROLE_TOP_VALUE;
	parts[PART_FLIGHT].drop = 2;
	str_add(&parts[PART_CATCHES].text, header->catches);
	parts[PART_CATCHES].role = header->has_stopped ? ROLE_WARN : ROLE_TOP_VALUE;
	parts[PART_CATCHES].drop = header->has_stopped ? 0 : 4;
	if (status->source.name)
		str_add(&parts[PART_SOURCE].text, status->source.name);
	if (status->source.plan_calls[0])
		str_addf(&parts[PART_SOURCE].text, ": %s", status->source.plan_calls);
	if (status->source.calls_note[0] && !parts[PART_KERNEL_FILTER].text.len)
		str_add(&parts[PART_NOTE].text, status->source.calls_note);
	parts[PART_NOTE].drop = 8;
	parts[PART_SOURCE].drop = 5;
	if (user_stack_focus_text(status, &parts[PART_STACKS].text))
		parts[PART_STACKS].role = ROLE_WARN;
	parts[PART_STACKS].drop = 5;
	parts[PART_RATE].role = ROLE_TOP_VALUE;
	if (status->source.until_ns)
		add_span(&parts[PART_RATE].text, session);
	else
		add_rate(parts, status, !session->options->accessible);
	str_addf(&parts[PART_LOST].text, "lost %s", units_format_count(text, lost));
	parts[PART_LOST].role = lost ? ROLE_GAP : ROLE_TOP;
	parts[PART_LOST].drop = lost ? 1 : 2;
	str_add(&parts[PART_USE].text, header->use);
	parts[PART_USE].drop = 3;
	if (filter_stack_filter(&session->filter_stack) && status->source.kernel_filter[0])
		str_addf(&parts[PART_KERNEL_FILTER].text, "kernel filter: %s",
			 status->source.kernel_filter);
	parts[PART_KERNEL_FILTER].drop = 7;
}

static int part_cols(const struct part *part)
{
	return part->text.len ? utf8_text_width(part->text.data, part->text.len) + 2 : 0;
}

/* Remove parts until the remaining ones fit. */
static void fit_parts(struct part *parts, int cols)
{
	for (;;) {
		int wanted = 1, worst = -1;

		for (int i = 0; i < PART_COUNT; i++) {
			wanted += part_cols(&parts[i]);
			if (parts[i].drop && parts[i].text.len &&
			    (worst < 0 || parts[i].drop >= parts[worst].drop))
				worst = i;
		}
		if (wanted <= cols || worst < 0)
			return;
		/* A long filter is truncated, so that its presence stays visible. */
		if (worst == PART_KERNEL_FILTER && cols - (wanted - part_cols(&parts[worst])) >= 24)
			return;
		str_clear(&parts[worst].text);
	}
}

/* Show the age of the tables instead of LIVE or PLAYING: stale tables must not look current. */
static void say_age(const struct session *session, const char **state, enum role *role,
		    char text[UNITS_TEXT_BYTES])
{
	unsigned age_s = session_age_s(session);

	if (!age_s || *role != ROLE_GOOD)
		return;
	snprintf(text, UNITS_TEXT_BYTES, "%u s old", age_s);
	*state = text;
	*role = ROLE_WARN;
}

static void draw_top(struct header *header, const struct session *session, struct canvas *canvas)
{
	struct part parts[PART_COUNT];
	enum role state_role;
	const char *state = state_text(session, &state_role);
	char age[UNITS_TEXT_BYTES];
	int state_cols, col = 1, limit;

	say_age(session, &state, &state_role, age);
	state_cols = (int)strlen(state);
	limit = canvas->cols - state_cols - 2;

	canvas_fill(canvas, (struct rect){ 0, 0, 1, canvas->cols }, ' ', ROLE_TOP);
	fill_parts(parts, header, session);
	fit_parts(parts, limit);
	for (int i = 0; i < PART_COUNT; i++) {
		int cols = part_cols(&parts[i]);

		if (cols && col < limit) {
			int shown = cols - 2 < limit - col ? cols - 2 : limit - col;

			canvas_field(canvas, 0, col, shown, ALIGN_LEFT, parts[i].role,
				     parts[i].text.data, parts[i].text.len);
			col += cols;
		}
		str_release(&parts[i].text);
	}
	header->state_col = -1;
	if (canvas->cols > state_cols + 8) {
		header->state_col = canvas->cols - state_cols - 1;
		canvas_text(canvas, 0, header->state_col, state_role, state);
	}
}

/* Insert the filter's own note before the text of `where`. */
static void add_note(const struct filter *filter, struct str *where)
{
	struct str note = STR_INIT;

	filter_note(filter, &note);
	if (note.len && where->len)
		str_add(&note, " / ");
	if (note.len) {
		str_add(&note, where->data);
		str_clear(where);
		str_add(where, note.data);
	}
	str_release(&note);
}

/* Draw the filter stack, unless it only repeats the filter. Return the columns used. */
static int draw_path(struct header *header, const struct filter_stack *filter_stack,
		     const struct filter *filter, struct canvas *canvas, int col)
{
	size_t first = filter_stack_path(filter_stack);

	crumbs_start(&header->path, col, 0);
	if (first == filter_stack->count || !filter ||
	    (first + 1 == filter_stack->count &&
	     !strcmp(filter_stack->steps[first].label, filter_text(filter))))
		return 0;
	for (size_t i = first; i < filter_stack->count; i++)
		if ((i > first && !crumbs_add(&header->path, canvas, 1, -1, ROLE_STRONG, " › ")) ||
		    !crumbs_add(&header->path, canvas, 1, (int)i, ROLE_STRONG,
				filter_stack->steps[i].label))
			break;
	return header->path.col - col + canvas_text(canvas, 1, header->path.col, ROLE_DIM, " │ ");
}

static void draw_filter(struct header *header, const struct session *session, struct canvas *canvas)
{
	struct filter *filter = filter_stack_filter(&session->filter_stack);
	enum filter_kernel by = session_filter_kernel(session);
	size_t off = filter_terms_off_count(filter_stack_terms(&session->filter_stack));
	struct str where = STR_INIT;
	int col = 1;

	canvas_fill(canvas, (struct rect){ 1, 0, 1, canvas->cols }, ' ', ROLE_TEXT);
	col += canvas_text(canvas, 1, col, ROLE_PROMPT, "Filter ");
	col += draw_path(header, &session->filter_stack, filter, canvas, col);
	col += canvas_text(canvas, 1, col, ROLE_INPUT, filter ? filter_text(filter) : "none");
	if (off) {
		str_addf(&where, " (%zu off)", off);
		col += canvas_text(canvas, 1, col, ROLE_WARN, where.data);
		str_clear(&where);
	}
	/* The kernel does not filter a recording. */
	if (filter && by != FILTER_BY_NOTHING)
		filter_explain(filter, by, &where);
	col += 2;
	add_note(filter, &where);
	if (session->status.filter_pending)
		canvas_text(canvas, 1, col, ROLE_WARN, "applying…");
	else if (col < canvas->cols - 10)
		canvas_field(canvas, 1, col, canvas->cols - col - 1, ALIGN_LEFT, ROLE_DIM,
			     where.data, where.len);
	str_release(&where);
}

void header_draw(struct header *header, const struct session *session, struct canvas *canvas)
{
	draw_top(header, session, canvas);
	header->has_filter = canvas->rows > 1;
	if (header->has_filter)
		draw_filter(header, session, canvas);
}

enum header_part header_at(const struct header *header, int row, int col, size_t *step)
{
	int id;

	if (row == 0 && header->state_col >= 0 && col >= header->state_col)
		return HEADER_STATE;
	if (row != 1 || !header->has_filter)
		return HEADER_NOTHING;
	id = crumbs_at(&header->path, col);
	if (id < 0)
		return HEADER_FILTER;
	*step = (size_t)id;
	return HEADER_STEP;
}
