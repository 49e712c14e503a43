/*
 * json - calls and losses as JSON Lines: the contract is in stxtop(1).
 *
 * Each function adds one object, the ones for lines with their newline. Texts
 * that come in are escaped for people already (escape.h); here they are only
 * quoted for JSON. Any thread.
 */
#ifndef EXPORT_JSON_H
#define EXPORT_JSON_H

#include "engine/decode/call_text.h"
#include "engine/stack/symbols.h"

/* "text" with its quotes. */
void json_add_string(struct str *out, const char *text);

/* [FRAME,...], innermost first. */
void json_add_frames(struct str *out, const struct frame *frames, size_t count);

/*
 * ,"cgroup":"…","container":{"runtime":"…","id":"…","pod":"…"|null} of a path as it is in
 * /proc/PID/cgroup; without a container if it is none's, and nothing for NULL and "".
 */
void json_add_cgroup(struct str *out, const char *path);

/* What a call alone does not say. */
struct json_call {
	const char *comm;
	const char *cgroup; /* as json_add_cgroup() wrote it; NULL: not known */
	uint32_t ns_pid; /* of its process, in a pid namespace below ours; 0: none */
	const char *stack; /* as json_add_frames() wrote it; NULL: none */
	const char *waker_comm; /* for WAKER_THREAD */
	uint32_t waker_pid; /* 0: unknown */
	const char *waker_stack; /* NULL: none */
	const char *interrupt; /* for WAKER_INTERRUPT: the handler; NULL: not known */
	bool softirq; /* it is one */
	const struct call_text_options *text; /* how its arguments are shown; may be NULL */
};

/* A call, or for a CALL_GAP what was lost. */
void json_add_call(struct str *out, const struct syscalls *syscalls, const struct call *call,
		   const struct json_call *more);

#endif
