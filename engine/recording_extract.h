/*
 * recording_extract - a recording of what a filter, or a span, lets through of another one.
 *
 * Whether a call does is known when it is over, and what is told of it stands among the records
 * of others. So the recording is read twice: first as always, and each call that matches is noted
 * here; then its records alone are written, with those of tasks and mappings. Calls that changed
 * descriptors may be missing then, so what the descriptors of noted calls were is written too.
 */
#ifndef ENGINE_RECORDING_EXTRACT_H
#define ENGINE_RECORDING_EXTRACT_H

#include "engine/base/err.h"
#include "engine/fds/referenced_objects.h"
#include "engine/record/call.h"
#include "engine/record/observations.h"
#include "engine/recorder/recorder.h"
#include "engine/recording/read/recording.h"

struct recording_extract;

struct recording_extract *recording_extract_new(void);
void recording_extract_free(struct recording_extract *cut);

/* One matches. touched: borrowed for the call; its descriptors' names, if they are known. */
void recording_extract_note(struct recording_extract *cut, const struct call *call,
			    const struct referenced *referenced);

struct recording_extract_options {
	/* as it was read first; nothing is added to observations */
	struct recording_options recording;
	struct observations *observations; /* of it */
	struct recorder *recorder; /* opened; nobody else gives it anything */
	uint64_t from_ns, until_ns; /* a span; 0: the beginning, UINT64_MAX: the end */
	bool filtered; /* of that, not every call matched */
	int cancel_fd; /* once it is readable, what was written by then is all; 0: none */
};

/* 0, or -errno with a sentence. The recorder is ended, but not waited for. */
int recording_extract_write(struct recording_extract *cut,
			    const struct recording_extract_options *options, struct err *err);

#endif
