/*
 * demo_guide - what to see in the recording of --demo, one hint per view.
 */
#ifndef DIALOGS_DEMO_GUIDE_H
#define DIALOGS_DEMO_GUIDE_H

#include "tui/config/bindings.h"

/* Append the hint for this view, with the key of the next view. */
void demo_guide_text(const struct bindings *bindings, enum action view, struct str *out);

#endif
