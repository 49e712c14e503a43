#include "tui/dialogs/time_line.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "tui/session/play_text.h"
#include "tui/session/time_text.h"

#include <string.h>

#define ONE_ROW_FROM 8 /* on a smaller screen, rows are used for panes */
#define TWO_ROWS_FROM 36
/* Time to show a requested position; after it, the seek is in progress or has finished. */
#define GOAL_NS (NS_PER_S / 2)
#define LEAST_NS 1000 /* minimum visible range */
#define BRIEF_COLS 4
/* Minimum size to report indexing: with less, it ends before the user could read the progress. */
#define INDEX_REPORTED_BYTES (16u << 20)

/* Texts that a time_bar borrows. */
struct texts {
	struct str state, brief, note, at;
	char first[TIME_TEXT_BYTES], last[TIME_TEXT_BYTES];
};

void time_line_init(struct time_line *line)
{
	memset(line, 0, sizeof(*line));
}

int time_line_rows(const struct time_line *line, const struct session *session, int screen_rows)
{
	if (line->hidden || session->phase != SESSION_RUNNING || !session->play.recorded ||
	    screen_rows < ONE_ROW_FROM)
		return 0;
	return screen_rows < TWO_ROWS_FROM ? 1 : 2;
}

/* ---- position ---- */

uint64_t time_line_at(const struct time_line *line, const struct play_status *play)
{
	if (line->has_goal)
		return line->goal_ns;
	return play->moving == PLAY_GOING ? play->target_ns : play->at_ns;
}

void time_line_set_goal(struct time_line *line, const struct session *session, uint64_t at_ns)
{
	line->has_goal = true;
	line->goal_ns = at_ns;
	line->asked_ns = session->clock_ns;
}

void time_line_window(const struct time_line *line, const struct play_status *play,
		      uint64_t *from_ns, uint64_t *until_ns)
{
	*from_ns = line->zoomed ? line->from_ns : play->first_ns;
	*until_ns = line->zoomed ? line->until_ns : play->last_ns;
}

void time_line_zoom(struct time_line *line, const struct play_status *play, uint64_t from_ns,
		    uint64_t until_ns)
{
	line->from_ns = from_ns > play->first_ns ? from_ns : play->first_ns;
	line->until_ns = until_ns < play->last_ns ? until_ns : play->last_ns;
	line->zoomed = line->from_ns > play->first_ns || line->until_ns < play->last_ns;
}

/* Make the span of `ns` that begins at from_ns visible; the recording's ends limit it. */
static void draw_from(struct time_line *line, const struct play_status *play, uint64_t from_ns,
		      uint64_t ns)
{
	if (ns > play->last_ns - play->first_ns)
		ns = play->last_ns - play->first_ns;
	if (from_ns > play->last_ns - ns)
		from_ns = play->last_ns - ns;
	if (from_ns < play->first_ns)
		from_ns = play->first_ns;
	time_line_zoom(line, play, from_ns, from_ns + ns);
}

void time_line_zoom_at(struct time_line *line, const struct play_status *play, uint64_t at_ns,
		       double times)
{
	uint64_t from_ns, until_ns, before_ns, ns;

	time_line_window(line, play, &from_ns, &until_ns);
	at_ns = at_ns < from_ns ? from_ns : at_ns > until_ns ? until_ns : at_ns;
	ns = (uint64_t)((double)(until_ns - from_ns) * times);
	if (ns < LEAST_NS && times < 1)
		return;
	before_ns = (uint64_t)((double)(at_ns - from_ns) * times);
	draw_from(line, play, at_ns > before_ns ? at_ns - before_ns : 0, ns);
}

/* Scroll the visible range with the position, one page at a time. */
static void keep_in_sight(struct time_line *line, const struct play_status *play)
{
	uint64_t at_ns = time_line_at(line, play), ns = line->until_ns - line->from_ns;
	uint64_t was_ns = line->shown_ns;

	line->shown_ns = at_ns;
	if (!line->zoomed || at_ns == was_ns || line->drags ||
	    (at_ns >= line->from_ns && at_ns <= line->until_ns))
		return;
	draw_from(line, play, at_ns > ns / 4 ? at_ns - ns / 4 : 0, ns);
}

/* ---- density ---- */

/* Report an empty span once by a message, because the time bar and its note can be hidden. */
static void report_beyond(struct time_line *line, struct session *session)
{
	struct str text = STR_INIT;

	if (session->play.beyond_ns && !line->reported_beyond) {
		play_text_beyond(&session->play, &text);
		session_say(session, ROLE_WARN, "The span is empty: %s", text.data);
		str_release(&text);
	}
	line->reported_beyond = session->play.beyond_ns;
}

static void read_counts(struct time_line *line, struct session *session)
{
	const struct play_status *play = &session->play;
	uint64_t from_ns, until_ns;

	time_line_window(line, play, &from_ns, &until_ns);
	/* Read again while parts are unknown: they can become known at any time. */
	if (line->counts_from_ns == from_ns && line->counts_until_ns == until_ns &&
	    line->counts_bytes == play->bytes_indexed && line->known == TIME_LINE_PARTS)
		return;
	line->counts_from_ns = from_ns;
	line->counts_until_ns = until_ns;
	line->counts_bytes = play->bytes_indexed;
	line->known = 0;
	if (until_ns > from_ns)
		line->known = engine_play_density(session->engine, from_ns, until_ns, line->counts,
						  TIME_LINE_PARTS);
	session->dirty = true;
}

void time_line_look(struct time_line *line, struct session *session)
{
	const struct play_status *play = &session->play;

	if (!play->recorded)
		return;
	if (line->has_goal && play->moving == PLAY_STILL &&
	    (play->at_ns == line->goal_ns || session->clock_ns - line->asked_ns > GOAL_NS))
		line->has_goal = false;
	keep_in_sight(line, play);
	report_beyond(line, session);
	if (time_line_rows(line, session, TWO_ROWS_FROM))
		read_counts(line, session);
}

/* ---- drawing ---- */

static void say_span(const struct play_status *play, uint64_t step_ns, struct str *out)
{
	char from[TIME_TEXT_BYTES], until[TIME_TEXT_BYTES], length[UNITS_TEXT_BYTES];

	if (play->whole)
		return;
	if (play->beyond_ns) {
		play_text_beyond(play, out);
		return;
	}
	str_addf(out, "span %s to %s, %s",
		 time_text_format(from, play->from_ns - play->first_ns, step_ns),
		 time_text_format(until, play->until_ns - play->first_ns, step_ns),
		 units_format_ns(length, play->until_ns - play->from_ns));
}

static void say_note(const struct time_line *line, const struct play_status *play, uint64_t step_ns,
		     struct str *out)
{
	if (!play->possible) {
		str_add(out, play->why_not);
		return;
	}
	say_span(play, step_ns, out);
	if (play->incomplete)
		str_addf(out, "%scalls begun long before may be missing", out->len ? "; " : "");
	if (line->has_mark)
		str_addf(out, "%sa span begins at (", out->len ? "; " : "");
	if (play->bytes >= INDEX_REPORTED_BYTES && play->bytes_indexed < play->bytes)
		str_addf(out, "%sindex %d%%", out->len ? "; " : "",
			 (int)((double)play->bytes_indexed * 100 / (double)play->bytes));
}

/* Pad to a fixed width, so that the bar does not move when the text changes. */
static void pad(struct str *text, int cols)
{
	int width = utf8_text_width(text->data, text->len);

	if (width < cols)
		str_repeat(text, ' ', (size_t)(cols - width));
}

static void say(const struct time_line *line, const struct session *session, struct time_bar *bar,
		struct texts *texts)
{
	const struct play_status *play = &session->play;
	uint64_t step_ns = (bar->until_ns - bar->from_ns) / 1000;
	char at[TIME_TEXT_BYTES], last[TIME_TEXT_BYTES];

	bar->state_role = play_text_state(play, &texts->state);
	pad(&texts->state, PLAY_STATE_COLS);
	play_text_brief(play, &texts->brief);
	pad(&texts->brief, BRIEF_COLS);
	say_note(line, play, step_ns, &texts->note);
	bar->state = texts->state.data;
	bar->short_state = texts->brief.data;
	bar->note = texts->note.data;
	time_text_format(at, bar->at_ns > play->first_ns ? bar->at_ns - play->first_ns : 0,
			 step_ns);
	time_text_format(last, bar->until_ns - play->first_ns, step_ns);
	str_repeat(&texts->at, ' ', strlen(last) > strlen(at) ? strlen(last) - strlen(at) : 0);
	str_add(&texts->at, at);
	bar->at = texts->at.data;
	bar->first = time_text_format(texts->first, bar->from_ns - play->first_ns, step_ns * 10);
	bar->last = time_text_format(texts->last, bar->until_ns - play->first_ns, step_ns * 10);
}

static void fill(const struct time_line *line, const struct session *session, struct time_bar *bar,
		 struct texts *texts)
{
	const struct play_status *play = &session->play;

	memset(bar, 0, sizeof(*bar));
	memset(texts, 0, sizeof(*texts));
	str_init(&texts->state);
	str_init(&texts->brief);
	str_init(&texts->note);
	str_init(&texts->at);
	time_line_window(line, play, &bar->from_ns, &bar->until_ns);
	bar->at_ns = time_line_at(line, play);
	bar->has_span = !play->whole;
	bar->span_from_ns = play->from_ns;
	bar->span_until_ns = play->until_ns;
	if (line->drags && line->drag_from_ns != line->drag_until_ns) {
		bool turned = line->drag_until_ns < line->drag_from_ns;

		bar->has_span = true;
		bar->span_from_ns = turned ? line->drag_until_ns : line->drag_from_ns;
		bar->span_until_ns = turned ? line->drag_from_ns : line->drag_until_ns;
	}
	bar->has_mark = line->has_mark;
	bar->mark_ns = line->mark_ns;
	bar->counts = line->counts;
	bar->count = TIME_LINE_PARTS;
	bar->counts_from_ns = line->counts_from_ns;
	bar->counts_until_ns = line->counts_until_ns;
	bar->known_ns = UINT64_MAX;
	if (line->known < TIME_LINE_PARTS)
		bar->known_ns = bar->counts_from_ns + (bar->counts_until_ns - bar->counts_from_ns) /
							      TIME_LINE_PARTS * line->known;
	say(line, session, bar, texts);
}

static void texts_release(struct texts *texts)
{
	str_release(&texts->state);
	str_release(&texts->brief);
	str_release(&texts->note);
	str_release(&texts->at);
}

void time_line_draw(struct time_line *line, const struct session *session, struct canvas *canvas,
		    struct rect rect)
{
	struct canvas area = canvas_sub(canvas, rect);
	struct time_bar bar;
	struct texts texts;

	line->rect = rect;
	if (rect_is_empty(rect))
		return;
	fill(line, session, &bar, &texts);
	time_bar_draw(&bar, &area);
	texts_release(&texts);
}

/* ---- pointer ---- */

bool time_line_pointed(const struct time_line *line, const struct session *session, int row,
		       int col, uint64_t *time_ns)
{
	struct time_bar bar;
	struct texts texts;
	bool found;

	if (!rect_contains(line->rect, row, col))
		return false;
	fill(line, session, &bar, &texts);
	found = time_bar_at(&bar, line->rect.rows, line->rect.cols, row - line->rect.row,
			    col - line->rect.col, time_ns);
	texts_release(&texts);
	return found;
}

uint64_t time_line_nearest(const struct time_line *line, const struct session *session, int col)
{
	struct time_bar bar;
	struct texts texts;
	uint64_t time_ns;

	fill(line, session, &bar, &texts);
	time_ns = time_bar_nearest(&bar, line->rect.rows, line->rect.cols, col - line->rect.col);
	texts_release(&texts);
	return time_ns;
}
