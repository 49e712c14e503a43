/*
 * play_text - what a recording does just now, in words: for the header and the time bar.
 * Any thread.
 */
#ifndef SESSION_PLAY_TEXT_H
#define SESSION_PLAY_TEXT_H

#include "engine/base/str.h"
#include "engine/collector/play.h"
#include "widgets/canvas/role.h"

#define PLAY_SPEED_TEXT_BYTES 16
#define PLAY_STATE_COLS 15 /* of the longest state */

/* "0.1×" "10×" "full speed"; returns out. */
char *play_text_speed(char out[PLAY_SPEED_TEXT_BYTES], double speed);

/* "playing 10×", "reading 34%", "stopped", "at the end"; appended. Of a recording. */
enum role play_text_state(const struct play_status *play, struct str *out);
/* The same in a character or two, and per cent where something is under way. */
void play_text_brief(const struct play_status *play, struct str *out);

/* Of a span behind the last record: where it would begin, and how long the recording is. */
void play_text_beyond(const struct play_status *play, struct str *out);

/* The next speed that is faster, or slower with step < 0; PLAY_UNLIMITED is fastest. */
double play_speed_next(double speed, int step);

#endif
