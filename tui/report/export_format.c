#include "tui/report/export_format.h"

const struct export_format_def export_formats[EXPORT_FORMAT_COUNT] = {
	[EXPORT_TEXT] = { "Text", "all rows, visible columns", ".txt" },
	[EXPORT_JSON] = { "JSON Lines", "one object per row, raw values", ".jsonl" },
	[EXPORT_CSV] = { "CSV", "for spreadsheets and databases", ".csv" },
	[EXPORT_FOLDED] = { "Folded stacks", "blocked time, for flame graphs", ".folded" },
	[EXPORT_TRACE] = { "Trace", "for ui.perfetto.dev and chrome://tracing", ".json" },
	[EXPORT_SCREEN] = { "Screen", "its contents as plain text", ".txt" },
	[EXPORT_SCREEN_ANSI] = { "Screen in colour", "its contents with ANSI colours, for cat",
				 ".ansi" },
};
