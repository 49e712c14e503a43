/*
 * trace_file - writes calls to a separate file as a trace for Perfetto (chrome_trace.h).
 *
 * Calls are written as they arrive. Memory is therefore bounded, and a killed run leaves a file
 * that Perfetto can open. Main thread.
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

/* Create the file. -errno with a message. */
int trace_file_open(struct trace_file *file, const char *path, struct err *err);
/* Call after engine_start(). */
void trace_file_begin(struct trace_file *file, struct engine *engine,
		      const struct options *options);
/* No-op if trace_file_begin() was not called. */
void trace_file_add(struct trace_file *file, const struct call *calls, size_t count);
/* Close the file. -errno with a message if a write failed. */
int trace_file_close(struct trace_file *file, struct err *err);

/* True if no further writes are possible; trace_file_close() returns the reason. */
static inline bool trace_file_ended(const struct trace_file *file)
{
	return file->open && output_ended(&file->output);
}

#endif
