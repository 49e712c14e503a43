/*
 * json - calls and losses as JSON Lines, as specified in stxtop(1).
 *
 * Each function adds one object; functions for lines add a newline. Input texts are already escaped
 * for display (escape.h) and are only quoted for JSON here. Any thread.
 */
#ifndef EXPORT_JSON_H
#define EXPORT_JSON_H

#include "engine/decode/call_text.h"
#include "engine/stack/symbols.h"

/* Add "text" with its quotes. */
void json_add_string(struct str *out, const char *text);

/* Add [FRAME,...], innermost first. */
void json_add_frames(struct str *out, const struct frame *frames, size_t count);

/*
 * Add ,"cgroup":"…","container":{"runtime":"…","id":"…","pod":"…"|null} for a path as in
 * /proc/PID/cgroup. If the cgroup is not that of a container, omit "container". NULL, "": add
 * nothing.
 */
void json_add_cgroup(struct str *out, const char *path);

/* Data that is not in struct call. */
struct json_call {
	const char *comm;
	const char *cgroup; /* as written by json_add_cgroup(); NULL: unknown */
	uint32_t ns_pid; /* pid in a pid namespace below that of stxtop; 0: none */
	const char *stack; /* as written by json_add_frames(); NULL: none */
	const char *waker_comm; /* for WAKER_THREAD */
	uint32_t waker_pid; /* 0: unknown */
	const char *waker_stack; /* NULL: none */
	const char *interrupt; /* for WAKER_INTERRUPT: the handler; NULL: unknown */
	bool softirq; /* the handler is that of a softirq */
	const struct call_text_options *text; /* format of the arguments; NULL is allowed */
};

/* Add a call, or the loss that a CALL_GAP stands for. */
void json_add_call(struct str *out, const struct syscalls *syscalls, const struct call *call,
		   const struct json_call *more);

#endif
