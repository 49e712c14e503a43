/*
 * time_text - times of a recording, to text and from what a person types.
 *
 * A time is shown in seconds since the first record, as in the rows of calls. Typed it may be
 * "12.345", "1:30.5" (minutes, hours), "850ms", "+3s" and "-500ms" from where one is, "50%" of
 * the whole. Times here are in ns since the first record too. Any thread.
 */
#ifndef SESSION_TIME_TEXT_H
#define SESSION_TIME_TEXT_H

#include "engine/base/err.h"

#include <stdint.h>

#define TIME_TEXT_BYTES 40

/* "12.345s", as exactly as times that are step_ns apart want it; returns out. */
char *time_text_format(char out[TIME_TEXT_BYTES], uint64_t ns, uint64_t step_ns);

/*
 * at_ns: where one is; length_ns: of the whole, which is as far as it goes. 0, or -EINVAL,
 * -ERANGE with a sentence.
 */
int time_text_parse(const char *text, uint64_t at_ns, uint64_t length_ns, uint64_t *ns,
		    struct err *err);

#endif
