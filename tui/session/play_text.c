#include "tui/session/play_text.h"

#include "engine/base/clock.h"
#include "tui/session/time_text.h"

#include <stdio.h>

static const double speeds[] = {
	PLAY_SPEED_MIN, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500,
	PLAY_SPEED_MAX
};

#define SPEED_COUNT (sizeof(speeds) / sizeof(*speeds))

static bool is_unlimited(double speed)
{
	return speed <= PLAY_UNLIMITED;
}

char *play_text_speed(char out[PLAY_SPEED_TEXT_BYTES], double speed)
{
	if (is_unlimited(speed))
		snprintf(out, PLAY_SPEED_TEXT_BYTES, "full speed");
	else
		snprintf(out, PLAY_SPEED_TEXT_BYTES, "%g×", speed);
	return out;
}

void play_text_beyond(const struct play_status *play, struct str *out)
{
	char from[TIME_TEXT_BYTES], last[TIME_TEXT_BYTES];

	str_addf(out, "no records at %s or later: the recording is from 0s to %s",
		 time_text_format(from, play->beyond_ns - play->first_ns, NS_PER_S / 1000),
		 time_text_format(last, play->last_ns - play->first_ns, NS_PER_S / 1000));
}

double play_speed_next(double speed, int step)
{
	if (is_unlimited(speed))
		return step < 0 ? speeds[SPEED_COUNT - 1] : PLAY_UNLIMITED;
	for (size_t i = 0; step > 0 && i < SPEED_COUNT; i++)
		if (speeds[i] > speed * 1.001)
			return speeds[i];
	for (size_t i = SPEED_COUNT; step < 0 && i-- > 0;)
		if (speeds[i] < speed * 0.999)
			return speeds[i];
	return step > 0 ? PLAY_UNLIMITED : speeds[0];
}

static int percent(double part)
{
	return part <= 0 ? 0 : part >= 1 ? 100 : (int)(part * 100);
}

/* Return the share of the span that was read. */
static double read_so_far(const struct play_status *play)
{
	if (play->whole && play->bytes)
		return (double)play->bytes_read / (double)play->bytes;
	if (play->until_ns <= play->from_ns || play->at_ns <= play->from_ns)
		return 0;
	return (double)(play->at_ns - play->from_ns) / (double)(play->until_ns - play->from_ns);
}

/* False if the length is unknown, as for a pipe. */
static bool knows_how_far(const struct play_status *play)
{
	return play->possible && (play->whole ? play->bytes != 0 : play->last_known);
}

enum role play_text_state(const struct play_status *play, struct str *out)
{
	char speed[PLAY_SPEED_TEXT_BYTES];

	if (play->moving == PLAY_GOING) {
		str_addf(out, "moving %d%%", percent(play->progress));
		return ROLE_WARN;
	}
	if (play->moving == PLAY_FILTERING) {
		str_addf(out, "re-reading %d%%", percent(play->progress));
		return ROLE_WARN;
	}
	if (play->at_end) {
		str_add(out, "at the end");
		return ROLE_TEXT;
	}
	if (play->paused) {
		str_add(out, "stopped");
		return ROLE_WARN;
	}
	if (is_unlimited(play->speed) && knows_how_far(play))
		str_addf(out, "reading %d%%", percent(read_so_far(play)));
	else if (is_unlimited(play->speed))
		str_add(out, "reading");
	else
		str_addf(out, "playing %s", play_text_speed(speed, play->speed));
	return ROLE_GOOD;
}

void play_text_brief(const struct play_status *play, struct str *out)
{
	char speed[PLAY_SPEED_TEXT_BYTES];

	if (play->moving != PLAY_STILL)
		str_addf(out, "%d%%", percent(play->progress));
	else if (play->at_end)
		str_add(out, "E");
	else if (play->paused)
		str_add(out, "S");
	else if (is_unlimited(play->speed) && knows_how_far(play))
		str_addf(out, "%d%%", percent(read_so_far(play)));
	else if (is_unlimited(play->speed))
		str_add(out, "▶");
	else
		str_add(out, play_text_speed(speed, play->speed));
}
