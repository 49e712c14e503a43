/*
 * latency_pane - latency over time: calls by when they ended and how long they took, brighter
 * where there are more. A rectangle becomes a filter. UI thread only.
 */
#ifndef PANES_LATENCY_PANE_H
#define PANES_LATENCY_PANE_H

#include "tui/view/view.h"

/* A view of this pane alone. */
void latency_view_init(struct view *view);

#endif
