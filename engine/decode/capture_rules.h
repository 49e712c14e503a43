/*
 * capture_rules - memory that a source copies so that the decoder can show it.
 *
 * The rules derive from the forms of calls, which describe paths, strings, structs and pointed-to
 * numbers. For show functions that read memory themselves, tables in capture_rules.c and
 * capture_specials.c list the sizes of that memory. Output arguments are copied at the exit, all
 * other arguments at the enter.
 */
#ifndef DECODE_CAPTURE_RULES_H
#define DECODE_CAPTURE_RULES_H

#include "engine/decode/syscalls.h"
#include "engine/record/capture.h"

/*
 * Fill *rules. string_bytes: limit for strings and buffers, as in call_text_options; 0: the
 * default. descriptors: also report what a returned descriptor refers to, for the calls of
 * capture_descriptors.h.
 */
void capture_rules_make(struct capture_rules *rules, const struct syscalls *syscalls,
			uint32_t string_bytes, bool descriptors);

#endif
