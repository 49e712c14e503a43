/*
 * call_cells - columns of a call table: text and role of each cell.
 *
 * Caches the comms that it looked up and the texts of the visible calls. UI thread only.
 */
#ifndef CALLS_CALL_CELLS_H
#define CALLS_CALL_CELLS_H

#include "engine/base/idmap.h"
#include "tui/calls/call_texts.h"
#include "tui/session/session.h"
#include "widgets/table.h"

enum call_column {
	CALL_COLUMN_TIME,
	CALL_COLUMN_DURATION,
	CALL_COLUMN_WHO,
	CALL_COLUMN_CALL,
	CALL_COLUMN_RESULT,
	CALL_COLUMN_COUNT
};

extern const struct table_column call_columns[CALL_COLUMN_COUNT];

struct call_cells {
	struct idmap comms; /* comm_id + 1 -> escaped text, owned */
	struct call_texts texts;
};

void call_cells_init(struct call_cells *cells);
void call_cells_release(struct call_cells *cells);

/* Prepare the texts of these calls before their cells are requested. */
void call_cells_prepare(struct call_cells *cells, struct session *session,
			const struct call *const *calls, size_t count);
void call_cells_cell(struct call_cells *cells, struct session *session, const struct call *call,
		     enum call_column column, struct table_cell *out);

/* First CALL grows to 80 columns, enough for most calls. Then all flexible columns grow. */
#define CALL_WHO_ROOM .min_cols = 16, .flex = 1, .flex_cols = 23 /* comm/tid: 15 + 1 + 7 */
#define CALL_TEXT_ROOM .min_cols = 16, .flex = 1, .first_cols = 80
/* Most results are short. A longer result takes columns from CALL in its row. */
#define CALL_RESULT_ROOM .min_cols = 11, .flex = 1, .flex_cols = 20
#define CALL_LENDS .lend_cols = 16

/* Write "COMM/NUMBER" into .cols columns. Truncates the comm: the number identifies the thread. */
void call_cells_caller(const char *comm, uint32_t number, struct table_cell *out);

/* Write the blocked time of the call; "-" if it never blocked, "?" if its waits are unknown. */
void call_cells_blocked(const struct call *call, struct table_cell *out);

/* Fill a cleared *selection with the thread and the syscall (or event) of the call. */
void call_cells_selection(struct call_cells *cells, struct session *session,
			  const struct call *call, struct selection *selection);

/* Append the waker that ended the call's wait; appends nothing if it is unknown. */
void call_add_waker(const struct session *session, const struct call *call, struct str *out);

/* Return the age of a call in flight, or the duration of a finished call. */
uint64_t call_age_ns(const struct session *session, const struct call *call);

#endif
