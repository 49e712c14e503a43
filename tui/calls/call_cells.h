/*
 * call_cells - the columns of a table of calls: what stands in them and in which role.
 * UI thread only: keeps the names that it looked up, and the texts of the calls in sight.
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

/* Cells of these calls are asked for next. */
void call_cells_prepare(struct call_cells *cells, struct session *session,
			const struct call *const *calls, size_t count);
void call_cells_cell(struct call_cells *cells, struct session *session, const struct call *call,
		     enum call_column column, struct table_cell *out);

/* The room of a thread's name and of a call: when most calls are whole, names become so too. */
#define CALL_WHO_ROOM .min_cols = 16, .flex = 1, .flex_cols = 23 /* 15 + 1 + 7 */
#define CALL_TEXT_ROOM .min_cols = 16, .flex = 1, .first_cols = 80
/* Most results are short; a longer one takes of its own row what the call can do without. */
#define CALL_RESULT_ROOM .min_cols = 11, .flex = 1, .flex_cols = 20
#define CALL_LENDS .lend_cols = 16

/* "COMM/NUMBER" in .cols: the name is cut, as the number is what tells threads apart. */
void call_cells_caller(const char *comm, uint32_t number, struct table_cell *out);

/* How long it was blocked. */
void call_cells_blocked(const struct call *call, struct table_cell *out);

/* Who made which call, in a cleared *pick. */
void call_cells_selection(struct call_cells *cells, struct session *session,
			  const struct call *call, struct selection *selection);

/* Who ended the call's wait, appended; nothing where nobody knows. */
void call_add_waker(const struct session *session, const struct call *call, struct str *out);

/* How long a call has been in flight. */
uint64_t call_age_ns(const struct session *session, const struct call *call);

#endif
