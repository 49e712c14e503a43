/*
 * recording_extract - writes the calls of a recording that match a filter or a span to another
 * recording.
 *
 * The filter result of a call is known only at its exit, while its records are interleaved with
 * those of other calls. So the recording is read twice. The first pass notes each matching call
 * here. The second pass writes only the records of those calls, plus records of tasks and mappings.
 * Calls that changed descriptors can be missing in the output, so the descriptor names of noted
 * calls are written too.
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

/*
 * Note a matching call and the known names of its descriptors. Arguments are not used afterwards.
 */
void recording_extract_note(struct recording_extract *cut, const struct call *call,
			    const struct referenced *referenced);

struct recording_extract_options {
	/* as in the first pass, whose observations are reused */
	struct recording_options recording;
	struct observations *observations; /* of the recording */
	struct recorder *recorder; /* opened; no other writer */
	uint64_t from_ns, until_ns; /* the span; 0: from the beginning, UINT64_MAX: to the end */
	bool filtered; /* a filter applies too: calls within the span can be missing */
	int cancel_fd; /* readable: stop, the output ends here; 0: none */
};

/* Return 0, or -errno with a message. Ends the recorder without waiting for it. */
int recording_extract_write(struct recording_extract *cut,
			    const struct recording_extract_options *options, struct err *err);

#endif
