/*
 * call_texts - calls as text, with what they point to, made once for each that is shown.
 *
 * What a screenful of calls points to is copied from the engine at once: who asked for each alone
 * would wait for the collector as often. Texts are kept, the latest ones, so that a row
 * still shows what it showed when the history has dropped the bytes behind it; they are made
 * anew when more is known, as of what is read from processes because somebody looks.
 * UI thread only.
 */
#ifndef CALLS_CALL_TEXTS_H
#define CALLS_CALL_TEXTS_H

#include "engine/base/idmap.h"
#include "tui/session/session.h"

struct call_line {
	struct str text; /* without the result, as call_text() has it */
	struct call_text_spans spans;
};

struct call_text;

struct call_texts {
	struct call_text *slots; /* a ring of CALL_TEXTS_MAX, allocated when it is used */
	size_t head, count;
	size_t bytes; /* of all texts */
	struct idmap by_call; /* -> one of slots */
	uint64_t version; /* engine_bytes_version() of the last prepare */
	uint32_t string_bytes; /* that all were made with */
	struct engine_bytes pointed;
	struct call *wanted; /* of the last prepare */
	size_t wanted_room;
};

/* Twice the rows of the tallest screen. */
#define CALL_TEXTS_MAX 1024

void call_texts_init(struct call_texts *texts);
void call_texts_release(struct call_texts *texts);

/* These will be asked for, at most CALL_TEXTS_MAX / 2 of them. */
void call_texts_prepare(struct call_texts *texts, struct session *session,
			const struct call *const *calls, size_t count);
/* Borrowed until the next call of either. */
const struct call_line *call_texts_line(struct call_texts *texts, struct session *session,
					const struct call *call);

/*
 * Makes the text of a call that points to these bytes, of which so many are `known`. It keeps
 * the one made of more.
 */
const struct call_line *call_texts_add(struct call_texts *texts, const struct session *session,
				       const struct call *call, const struct call_bytes *bytes,
				       size_t known);

/*
 * A row's text as it is in a list: the call with its arguments, or what another tracepoint told.
 * spans may be NULL.
 */
void call_texts_write(struct str *out, const struct session *session, const struct call *call,
		      const struct call_text_options *options, struct call_text_spans *spans);

/* How the interface shows arguments; `bytes` may be NULL. */
struct call_text_options call_texts_options(const struct session *session,
					    const struct call_bytes *bytes);

#endif
