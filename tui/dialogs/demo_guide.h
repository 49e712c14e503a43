/*
 * demo_guide - what there is to see in the recording of --demo, view by view.
 */
#ifndef DIALOGS_DEMO_GUIDE_H
#define DIALOGS_DEMO_GUIDE_H

#include "tui/config/bindings.h"

/* Appends a line for this view, with the key of the next one to look at. */
void demo_guide_text(const struct bindings *bindings, enum action view, struct str *out);

#endif
