/*
 * session_state - state that all parts of the interface share: engine, status, filter in force,
 * pause, message line.
 *
 * Any part may read the fields. Only the functions below and those of session.h change them, except
 * where a comment names another writer. UI thread only.
 */
#ifndef SESSION_SESSION_STATE_H
#define SESSION_SESSION_STATE_H

#include "engine/base/idmap.h"
#include "engine/collector/play.h"
#include "engine/engine.h"
#include "engine/process/command.h"
#include "tui/config/actions.h"
#include "tui/config/options.h"
#include "tui/session/deadlock_watch.h"
#include "tui/session/filter_stack.h"
#include "tui/session/row_set.h"
#include "tui/session/targets_types.h"
#include "widgets/status_line.h"
#include "widgets/toast.h"

struct bindings;

enum session_phase {
	SESSION_STARTING, /* another thread starts the engine: do not query it */
	SESSION_RUNNING,
	SESSION_REFUSED, /* tracing is not permitted: do not query the engine either */
};

/* Maximum number of stored calls in flight. If there are more, the oldest ones are stored. */
#define SESSION_IN_FLIGHT_MAX 4096

/* Which stack frames are shown. */
enum session_halves { HALVES_BOTH, HALVES_KERNEL, HALVES_USER, HALVES_COUNT };

/* Properties of the selected row, for filter terms, stacks and signals. */
struct selection {
	bool has_pid, has_tid, has_nr, has_comm, has_uid;
	bool has_descendants; /* with has_pid: the row includes the process's descendants */
	bool chosen; /* the user chose the row; false: it follows the end of a stream */
	uint32_t pid, tid, nr, uid;
	const char *cgroup; /* raw; valid until exit. NULL: none */
	const char *event; /* tracepoint of an event row; valid until exit. NULL: no event */
	char comm[ENGINE_NAME_BYTES]; /* escaped */
	bool has_seq;
	uint64_t seq; /* sequence number in the history of a call that returned */
};

struct background;
struct changes;
struct job_queue;
struct snapshot;

struct session {
	struct engine *engine;
	const struct options *options;
	const struct bindings *bindings; /* for messages that name keys; borrowed, NULL: none */
	struct command *command; /* NULL: none */
	enum session_phase phase;
	char refusal[ERR_TEXT_BYTES]; /* why tracing is not permitted */
	struct background *background; /* borrowed, freed before this; NULL: none */
	struct job_queue *job_queue; /* borrowed; NULL: jobs run on the calling thread */
	bool command_ended;
	int command_status; /* exit status as in a shell */
	struct targets targets;
	bool targets_gone; /* all named targets have ended */

	uint64_t now_ns; /* the displayed time; constant while paused */
	uint64_t clock_ns; /* clock_now_ns() of this loop iteration */
	bool paused;
	bool hides_idle; /* tables omit calls that seem to wait for work */
	bool moving; /* with paused: a recording is moving to another time */
	bool arrives; /* the move is complete; its data is being queried */
	bool tick; /* this refresh is for new data, not for a key: it may read much */
	bool work; /* long work may continue for a few ms; false in a refresh for a key */
	bool busy; /* a pane or the session has more slow work: shell_work() continues it soon */
	bool hurry; /* with busy: the user waits, so work gets most of the thread's time */

	struct engine_status status; /* zero while starting */
	struct play_status play; /* status of the recording */
	uint32_t play_version; /* play.version of the data on the screen */
	uint32_t restarts; /* incremented with play_version, which voids cached facts about calls */
	struct row_set *rows; /* totals of processes, calls in flight included; NULL: none yet */
	struct call *in_flight; /* oldest first; constant while paused, like rows */
	size_t in_flight_count;
	bool in_flight_known; /* false: no calls in flight were read since the filter changed */
	struct snapshot *snapshot; /* queries rows and in_flight; owned */
	struct changes *changes; /* comparison with a recording; borrowed, set by the shell */
	uint64_t rows_version; /* changes with rows */
	uint64_t rows_read_ns, rows_every_ns;
	uint64_t names_version, names_ns; /* version of symbols and bytes; time of its change */
	uint64_t drawn_status_ns; /* time of the last redraw because of status */
	uint64_t rows_made_ns; /* time at which rows were read */
	uint64_t shown_from_ns; /* when the oldest table on the screen was made; 0: none */
	uint64_t live_ns; /* time of the last refresh of a view while not paused */
	uint64_t late_ns; /* view.late_ns of the refreshed view, see session_is_late(); 0: none */
	struct idmap p99_by_pid; /* p99_ns + 1 as a pointer, for processes with enough calls */

	struct deadlock_watch deadlocks;

	struct filter_stack filter_stack;
	uint64_t filter_version; /* changes with the filter */
	uint64_t zero_version; /* changes with session_zero() */
	uint64_t rows_filter_version; /* filter_version for which rows are complete */

	uint64_t refresh_ns; /* interval between reads of new calls */
	uint32_t string_bytes; /* bytes shown of each string and buffer */
	enum session_halves halves;
	bool addresses;
	struct selection selection; /* selected row, on which keys act */
	struct selection subject; /* chosen row whose stacks are shown */
	bool has_subject_call;
	struct call subject_call; /* with has_subject_call: show only this call's stacks */

	struct str search; /* last search text */
	struct status_line message;
	struct toast toast; /* errors, and a log of all messages */
	bool note_said; /* the note about the recording was shown */
	bool error_said; /* status.error was shown */
	/*
	 * A pane requests this span of the recording; the shell takes the request. from == until:
	 * no request.
	 */
	uint64_t span_from_ns, span_until_ns;
	bool to_calls; /* a pane requests the calls view; the shell takes the request */
	bool dirty; /* the screen needs a redraw */
};

/* Call when the data of the new position has arrived: voids all data of earlier positions. */
void session_arrived(struct session *session);

/* Put the filter of the filter stack in force. */
void session_apply_filter(struct session *session);

/*
 * True if data read at read_ns, with this model generation, must be read again because every_ns has
 * passed. If the model is unchanged, at least a second must have passed: only ages changed, which
 * are shown in seconds.
 */
bool session_is_due(const struct session *session, uint64_t read_ns, uint64_t every_ns,
		    uint64_t generation);

/*
 * True if a pane of a paused display must read its data again. This is so if its view was opened
 * during the pause, after the pane's last read (read_ns).
 */
bool session_is_late(const struct session *session, uint64_t read_ns);

/* Note that a pane shows totals made at `made_ns`. Call in every refresh. */
void session_shows_from(struct session *session, uint64_t made_ns);

/*
 * True while the filter is not in force yet or calls of the history are being counted for it.
 * Totals are unknown then. *percent: counted share of these calls; NULL: not wanted.
 */
bool session_is_counting(const struct session *session, unsigned *percent);

/* Append "counting…" or "counting 43 %". */
void session_add_counting(const struct session *session, struct str *out);

/* Return the kind of source, which decides which part of a filter the kernel can test. */
enum filter_kernel session_filter_kernel(const struct session *session);

/* True if the screen does not change by itself: paused, or a recording is stopped or at its end. */
bool session_stands(const struct session *session);

/*
 * True if the call took longer than the p99 of its process, and at least 100 us. False if too few
 * calls of the process are known.
 */
bool session_is_slow(const struct session *session, const struct call *call);

/* Show a message for a few seconds on the bottom line, or an error (ROLE_ERROR) in a box on top. */
void session_say(struct session *session, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
