/*
 * capture_rules - what a source has to copy so that the decoder can show it.
 *
 * Made from the forms of the calls: paths, strings, structs and numbers that arguments point
 * to say it themselves; of what a form's own function reads, a table here says how much there
 * is. What the call fills in is copied at its exit, all else at its enter.
 */
#ifndef DECODE_CAPTURE_RULES_H
#define DECODE_CAPTURE_RULES_H

#include "engine/decode/syscalls.h"
#include "engine/record/capture.h"

/*
 * string_bytes: of strings and buffers, as call_text_options has it; 0: its default.
 * descriptors: also what those are that a call returns, where it does not say so itself.
 */
void capture_rules_make(struct capture_rules *rules, const struct syscalls *syscalls,
			uint32_t string_bytes, bool descriptors);

#endif
