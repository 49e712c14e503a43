#include "tui/report/trace_file.h"

int trace_file_open(struct trace_file *file, const char *path, struct err *err)
{
	int rc = output_open(&file->output, path, -1, path, err);

	file->open = rc >= 0;
	file->began = false;
	return rc;
}

void trace_file_begin(struct trace_file *file, struct engine *engine, const struct options *options)
{
	lines_init(&file->lines, engine, options, LINES_TRACE);
	lines_begin(&file->lines, &file->output.text);
	file->began = true;
}

void trace_file_add(struct trace_file *file, const struct call *calls, size_t count)
{
	if (!file->began || output_ended(&file->output))
		return;
	lines_add(&file->lines, &file->output.text, calls, count);
	output_push(&file->output);
}

int trace_file_close(struct trace_file *file, struct err *err)
{
	if (!file->open)
		return 0;
	if (file->began) {
		if (!output_ended(&file->output))
			lines_end(&file->lines, &file->output.text);
		lines_release(&file->lines);
	}
	file->open = file->began = false;
	return output_close(&file->output, err);
}
