/*
 * filter_callchain - tests of the functions on a stack. Private to engine/filter/.
 *
 * Results are cached by stack id. A result that depends on pending symbols holds for one version of
 * the symbols only. Any thread.
 */
#ifndef FILTER_FILTER_CALLCHAIN_H
#define FILTER_FILTER_CALLCHAIN_H

#include "engine/filter/filter_tree.h"

/* Evaluate a step on FIELD_STACK or FIELD_WAKER_STACK, including its inversion. */
enum filter_answer filter_callchain_ask(const struct filter_step *step, const struct call *call,
					const struct filter_reader *reader);

#endif
