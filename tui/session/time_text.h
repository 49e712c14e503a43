/*
 * time_text - formats times of a recording and parses those that the user types.
 *
 * Times are in ns since the first record. They are shown in seconds, as in the rows of calls.
 * Accepted input: "12.345", "1:30.5" (minutes and seconds), "1:00:00", "850ms", "+3s" and "-500ms"
 * relative to the current time, "50%" of the length. Any thread.
 */
#ifndef SESSION_TIME_TEXT_H
#define SESSION_TIME_TEXT_H

#include "engine/base/err.h"

#include <stdint.h>

#define TIME_TEXT_BYTES 40

/* Write "12.345s", precise enough to distinguish times step_ns apart; returns out. */
char *time_text_format(char out[TIME_TEXT_BYTES], uint64_t ns, uint64_t step_ns);

/*
 * Parse a time. at_ns: current time; length_ns: length of the recording, the upper bound. 0, or
 * -EINVAL or -ERANGE with a message.
 */
int time_text_parse(const char *text, uint64_t at_ns, uint64_t length_ns, uint64_t *ns,
		    struct err *err);

#endif
