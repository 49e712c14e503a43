/*
 * call_texts - formatted calls, including the memory that they point to; cached for visible calls.
 *
 * call_texts_prepare() copies the memory of a screenful of calls from the engine in one query. A
 * query per call would wait for the collector once per call.
 *
 * The cache holds the latest texts. A row therefore keeps its text after the history has evicted
 * the bytes. A text is formatted again when more is known, for example after late reads for the
 * visible processes. UI thread only.
 */
#ifndef CALLS_CALL_TEXTS_H
#define CALLS_CALL_TEXTS_H

#include "engine/base/idmap.h"
#include "tui/session/session.h"

struct call_line {
	struct str text; /* as formatted by call_text(), without the result */
	struct call_text_spans spans;
};

struct call_text;

struct call_texts {
	struct call_text *slots; /* ring of CALL_TEXTS_MAX, allocated on first use */
	size_t head, count;
	size_t bytes; /* allocated for all texts */
	struct idmap by_call; /* hash of the call -> its slot */
	uint64_t version; /* engine_bytes_version() of the last prepare */
	uint32_t string_bytes; /* string limit of all cached texts */
	struct engine_bytes pointed;
	struct call *wanted; /* calls that the last prepare copied */
	size_t wanted_room;
};

/* Maximum number of cached texts: twice the rows of the tallest screen. */
#define CALL_TEXTS_MAX 1024

void call_texts_init(struct call_texts *texts);
void call_texts_release(struct call_texts *texts);

/* Prepare the texts of these calls, at most CALL_TEXTS_MAX / 2 of them. */
void call_texts_prepare(struct call_texts *texts, struct session *session,
			const struct call *const *calls, size_t count);
/* Return the text of a call. Borrowed until the next call of a function of this module. */
const struct call_line *call_texts_line(struct call_texts *texts, struct session *session,
					const struct call *call);

/*
 * Format a call that points to `bytes`, of which `known` bytes are available. A cached text made
 * from more bytes is retained. Borrowed like the text of call_texts_line().
 */
const struct call_line *call_texts_add(struct call_texts *texts, const struct session *session,
				       const struct call *call, const struct call_bytes *bytes,
				       size_t known);

/*
 * Append the text of a row in a list: a call with its arguments, or the fields of an event. `spans`
 * may be NULL.
 */
void call_texts_write(struct str *out, const struct session *session, const struct call *call,
		      const struct call_text_options *options, struct call_text_spans *spans);

/* Return the text options of the interface; `bytes` may be NULL. */
struct call_text_options call_texts_options(const struct session *session,
					    const struct call_bytes *bytes);

#endif
