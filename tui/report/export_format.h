/*
 * export_format - formats in which a view can be exported: names and file suffixes.
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
	EXPORT_SCREEN, /* this and the next: the screen instead of the view */
	EXPORT_SCREEN_ANSI,
	EXPORT_FORMAT_COUNT
};

struct export_format_def {
	const char *name, *help;
	const char *suffix; /* of the file name */
};

extern const struct export_format_def export_formats[EXPORT_FORMAT_COUNT];

#endif
