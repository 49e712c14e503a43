/*
 * filter_eval - what tests of texts share. Private to engine/filter/.
 */
#ifndef FILTER_FILTER_EVAL_H
#define FILTER_FILTER_EVAL_H

#include "engine/filter/filter_tree.h"

/*
 * Whether a text is what the step asks for, inverted or not aside; FILTER_LATER where its
 * pattern gave up, so that nothing is known of it.
 */
enum filter_answer filter_text_is(const struct filter_step *step, const char *text, size_t len);

#endif
