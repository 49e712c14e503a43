/*
 * trace_file - calls written to a file of its own as a trace for Perfetto (chrome_trace.h).
 *
 * Written as calls come, so that memory is bounded and a run that is killed leaves what can be
 * opened. Main thread.
 */
#ifndef REPORT_TRACE_FILE_H
#define REPORT_TRACE_FILE_H

#include "tui/config/lines.h"
#include "tui/config/output.h"

struct trace_file {
	struct lines lines;
	struct output output;
	bool open, began;
};

/* Makes the file. -errno with a sentence. */
int trace_file_open(struct trace_file *file, const char *path, struct err *err);
/* After engine_start(). */
void trace_file_begin(struct trace_file *file, struct engine *engine,
		      const struct options *options);
/* Nothing where none was begun. */
void trace_file_add(struct trace_file *file, const struct call *calls, size_t count);
/* -errno with a sentence if not all could be written. */
int trace_file_close(struct trace_file *file, struct err *err);

/* Nothing can be written any more: trace_file_close() says why. */
static inline bool trace_file_ended(const struct trace_file *file)
{
	return file->open && output_ended(&file->output);
}

#endif
