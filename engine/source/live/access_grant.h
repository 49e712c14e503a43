/*
 * access_grant - the lines that would grant what does not work here, and why they are these.
 *
 * Knows what the kernel asks for; whether something works is not decided here. Any thread.
 */
#ifndef LIVE_ACCESS_GRANT_H
#define LIVE_ACCESS_GRANT_H

#include "engine/base/err.h"
#include "engine/source/live/access_place.h"
#include "engine/source/live/access_types.h"

/* Says why the row does not work, from what trying it told, and by what lines it would. */
void access_explain(struct access_row *row, const struct access_place *place, int code,
		    const struct err *err);

/* The lines for all rows that do not work. */
void access_explain_all(struct access *access, const struct access_place *place);

#endif
