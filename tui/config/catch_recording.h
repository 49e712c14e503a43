/*
 * catch_recording - writes a caught call and all later calls to a file.
 *
 * The file is a recording if its name ends in .data, else JSON Lines. It is created when the catch
 * is set, so that an unusable name is reported then and not when a call matches. An existing file
 * is never overwritten. In batch mode, the caller adds the calls as it reads them. In the
 * interface, the background thread writes the calls of the history.
 */
#ifndef CONFIG_CATCH_RECORDING_H
#define CONFIG_CATCH_RECORDING_H

#include "tui/config/lines.h"
#include "tui/config/output.h"

#include <stdatomic.h>

struct catch_recording {
	struct output output;
	struct lines lines;
	struct engine *engine;
	struct call first; /* the caught call */
	uint64_t seq; /* next call to write */
	uint64_t written;
	char *data_path; /* recording that the engine writes; NULL: JSON Lines */
	bool open, began; /* open: file was created. began: a call was caught */
	bool reached; /* batch: the caught call has been read */
	bool waits; /* batch: catch_recording_close() waits until the recording is complete */
	atomic_bool busy; /* interface: the background thread is writing */
};

/* Create the file. -EEXIST or another -errno, with a message. */
int catch_recording_open(struct catch_recording *recording, const char *path, struct err *err);
/* Close the file. Not while `busy`. -errno with a message if a write failed. */
int catch_recording_close(struct catch_recording *recording, struct err *err);

/* Start writing at the caught call. -errno with a message on failure. */
int catch_recording_begin(struct catch_recording *recording, struct engine *engine,
			  const struct options *options, const struct catch_hit *hit,
			  struct err *err);

/* Batch: add calls as they are read; calls before the caught one are skipped. */
void catch_recording_add(struct catch_recording *recording, const struct call *calls, size_t count);

/*
 * Interface: write one block of new calls. False: more are pending. Background thread; the UI
 * thread only at exit.
 */
bool catch_recording_follow(struct catch_recording *recording);

#endif
