/*
 * session_state - what every part of the interface shares: the engine, what it said last, the
 * filter in force, the pause, the message line.
 *
 * All parts read the fields; what is not said here to be a part's own is changed through the
 * functions below and those of session.h. UI thread only.
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
	SESSION_STARTING, /* the engine is being started on another thread: do not ask it */
	SESSION_RUNNING,
	SESSION_REFUSED, /* it may not watch: do not ask it either */
};

/* More threads than that in calls at once: the oldest calls are known. */
#define SESSION_IN_FLIGHT_MAX 4096

/* What stack frames are shown. */
enum session_halves { HALVES_BOTH, HALVES_KERNEL, HALVES_USER, HALVES_COUNT };

/* What the selected row speaks of: for narrowing, stacks, signals. */
struct selection {
	bool has_pid, has_tid, has_nr, has_comm, has_uid;
	bool has_descendants; /* of the process: the row is theirs too */
	bool chosen; /* the row stays until somebody moves: not the end of a stream */
	uint32_t pid, tid, nr, uid;
	const char *cgroup; /* raw; good until the end. NULL */
	const char *event; /* another tracepoint's name, of no call; good until the end. NULL */
	char comm[ENGINE_NAME_BYTES]; /* escaped */
	bool has_seq;
	uint64_t seq; /* a call that returned: its number in the history */
};

struct background;
struct changes;
struct job_queue;
struct snapshot;

struct session {
	struct engine *engine;
	const struct options *options;
	const struct bindings *bindings; /* for sentences that name keys; borrowed, NULL: none */
	struct command *command; /* NULL: none */
	enum session_phase phase;
	char refusal[ERR_TEXT_BYTES]; /* why it may not watch */
	struct background *background; /* borrowed, ends before this; NULL: none */
	struct job_queue *job_queue; /* borrowed; NULL: who has jobs waits for them */
	bool command_ended;
	int command_status; /* an exit status as a shell's */
	struct targets targets;
	bool targets_gone; /* of what was named nothing lives */

	uint64_t now_ns; /* the time that is shown: stands still while paused */
	uint64_t clock_ns; /* the real one, of this turn of the loop */
	bool paused;
	bool hides_idle; /* waits that seem to be for work are left out of tables */
	bool moving; /* with paused: a recording is on its way to another time */
	bool arrives; /* it is there; what is shown of it is being asked for */
	bool tick; /* this refresh is for new data, not for a key: it may look at much */
	bool work; /* it may go on with long work, for some milliseconds: for no key either */
	bool busy; /* somebody has more of that: the next one comes soon */
	bool hurry; /* with busy: a person waits for it, so it has nearly all of the thread */

	struct engine_status status; /* zero while starting */
	struct play_status play; /* the same, of a recording */
	uint32_t play_version; /* of the recording, as it is shown */
	uint32_t restarts; /* changes with it: what is known of calls is void */
	struct row_set *rows; /* totals of processes, waits in flight included; NULL: none yet */
	struct call *in_flight; /* oldest first; these and rows stand still while paused */
	size_t in_flight_count;
	bool in_flight_known; /* false: none are known yet, since the filter changed */
	struct snapshot *snapshot; /* what makes these; owned */
	struct changes *changes; /* against another recording; borrowed, set by the shell */
	uint64_t rows_version; /* changes with rows */
	uint64_t rows_read_ns, rows_every_ns;
	uint64_t names_version, names_ns; /* of names and bytes, and when that changed last */
	uint64_t drawn_status_ns; /* when status last gave reason to draw */
	uint64_t rows_made_ns; /* what they show is of then, at the latest */
	uint64_t shown_from_ns; /* the oldest of the tables on the screen is of then; 0: none is */
	uint64_t live_ns; /* when a view was refreshed last while not paused */
	uint64_t late_ns; /* see session_is_late(); of the view that is being refreshed; 0: no */
	struct idmap p99_by_pid; /* p99_ns + 1 as a pointer, of processes with enough calls */

	struct deadlock_watch deadlocks;

	struct filter_stack filter_stack;
	uint64_t filter_version; /* changes with the filter */
	uint64_t zero_version; /* changes with session_zero() */
	uint64_t rows_filter_version; /* of the filter that rows are complete for */

	uint64_t refresh_ns; /* from one look at new calls to the next */
	uint32_t string_bytes; /* shown of strings and buffers */
	enum session_halves halves;
	bool addresses;
	struct selection selection; /* of the pane that had the focus last: what keys act on */
	struct selection subject; /* what stacks are shown of: a chosen row */
	bool has_subject_call;
	struct call subject_call; /* with has_subject_call: of this call alone */

	struct str search; /* what was searched for last */
	struct status_line message;
	struct toast toast; /* errors, and all messages to be read again */
	bool note_said; /* what is wrong with the recording was shown */
	bool error_said; /* status.error was shown */
	/* A pane asks for this span of the recording; taken by the shell. Equal: it does not. */
	uint64_t span_from_ns, span_until_ns;
	bool to_calls; /* a pane asks for the calls to be shown; taken by the shell */
	bool dirty; /* something changed that is on the screen */
};

/* What is there now was got: everything that was made of what was before is made anew. */
void session_arrived(struct session *session);

/* Makes the filter stack's filter the one in force. */
void session_apply_filter(struct session *session);

/*
 * Whether what was read at read_ns, when the model had that generation, is to be read again: after
 * every_ns, but where nothing happened since only its ages change, which are shown in seconds.
 */
bool session_is_due(const struct session *session, uint64_t read_ns, uint64_t every_ns,
		    uint64_t generation);

/*
 * Whether a pane of a paused display has to read its data again: the view was opened after the
 * pause began, and the pane read last (at read_ns) before that.
 */
bool session_is_late(const struct session *session, uint64_t read_ns);

/* A pane shows sums that were made then. In every refresh. */
void session_shows_from(struct session *session, uint64_t made_ns);

/*
 * The filter is not in force yet, or calls of the history are still being counted for it: sums are
 * not known. *percent: of those calls, how many are counted. NULL: not wanted.
 */
bool session_is_counting(const struct session *session, unsigned *percent);

/* "counting…" or "counting 43 %", appended. */
void session_add_counting(const struct session *session, struct str *out);

/* By what calls are told, which decides what of a filter the kernel can test. */
enum filter_kernel session_filter_kernel(const struct session *session);

/* Nothing moves on the screen by itself: paused, or a recording that stands. */
bool session_stands(const struct session *session);

/* Whether a call took longer than nearly all of its process's others. */
bool session_is_slow(const struct session *session, const struct call *call);

/* A message for some seconds: on the bottom line, an error (ROLE_ERROR) in a box on top. */
void session_say(struct session *session, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
