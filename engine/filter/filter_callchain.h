/*
 * filter_callchain - questions about the functions on a stack. Private to engine/filter/.
 *
 * Answers are remembered by the stack's number. One that may change when names come is good
 * for one version of them. Any thread.
 */
#ifndef FILTER_FILTER_CALLCHAIN_H
#define FILTER_FILTER_CALLCHAIN_H

#include "engine/filter/filter_tree.h"

/* The answer of a step whose field is a stack, inverted or not. */
enum filter_answer filter_callchain_ask(const struct filter_step *step, const struct call *call,
					const struct filter_reader *reader);

#endif
