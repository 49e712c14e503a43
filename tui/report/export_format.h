/*
 * export_format - how a view can be written to a file: names, ends of file names.
 *
 * Constant tables; any thread.
 */
#ifndef REPORT_EXPORT_FORMAT_H
#define REPORT_EXPORT_FORMAT_H

enum export_format {
	EXPORT_TEXT,
	EXPORT_JSON,
	EXPORT_CSV,
	EXPORT_FOLDED,
	EXPORT_TRACE,
	EXPORT_SCREEN, /* and these: not the view, but what is on the screen */
	EXPORT_SCREEN_ANSI,
	EXPORT_FORMAT_COUNT
};

struct export_format_def {
	const char *name, *help;
	const char *suffix; /* of the file's name */
};

extern const struct export_format_def export_formats[EXPORT_FORMAT_COUNT];

#endif
