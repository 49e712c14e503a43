/*
 * play_text - the playback state of a recording in words, for the header and the time bar. Any
 * thread.
 */
#ifndef SESSION_PLAY_TEXT_H
#define SESSION_PLAY_TEXT_H

#include "engine/base/str.h"
#include "engine/collector/play.h"
#include "widgets/canvas/role.h"

#define PLAY_SPEED_TEXT_BYTES 16
#define PLAY_STATE_COLS 15 /* width of the longest state */

/* Write "0.1×", "10×" or "full speed"; returns out. */
char *play_text_speed(char out[PLAY_SPEED_TEXT_BYTES], double speed);

/* Append "playing 10×", "reading 34%", "stopped" or "at the end". Recordings only. */
enum role play_text_state(const struct play_status *play, struct str *out);
/* Append a short state: a sign, the speed or, while reading or moving, a percentage. */
void play_text_brief(const struct play_status *play, struct str *out);

/* For a span that begins after the last record: append its start and the recording's length. */
void play_text_beyond(const struct play_status *play, struct str *out);

/*
 * Return the next faster speed, or the next slower one if step < 0. PLAY_UNLIMITED is the fastest.
 */
double play_speed_next(double speed, int step);

#endif
