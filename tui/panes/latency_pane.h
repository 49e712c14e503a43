/*
 * latency_pane - latency heatmap: calls by end time and duration, brighter where there are more. A
 * selected rectangle becomes a filter. UI thread only.
 */
#ifndef PANES_LATENCY_PANE_H
#define PANES_LATENCY_PANE_H

#include "tui/view/view.h"

/* Create a view that consists of this pane. */
void latency_view_init(struct view *view);

#endif
