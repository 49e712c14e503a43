/*
 * access_grant - the reasons of denied access and the commands that grant it.
 *
 * Knows the requirements of the kernel; access_try decides whether a row works. Any thread.
 */
#ifndef LIVE_ACCESS_GRANT_H
#define LIVE_ACCESS_GRANT_H

#include "engine/base/err.h"
#include "engine/source/live/access_place.h"
#include "engine/source/live/access_types.h"

/*
 * Fill in the reason why the row does not work, from the result of access_try(), and the commands
 * that grant access.
 */
void access_explain(struct access_row *row, const struct access_place *place, int code,
		    const struct err *err);

/* Fill in the commands for all rows that do not work. */
void access_explain_all(struct access *access, const struct access_place *place);

#endif
