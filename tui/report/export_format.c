#include "tui/report/export_format.h"

const struct export_format_def export_formats[EXPORT_FORMAT_COUNT] = {
	[EXPORT_TEXT] = { "Text", "all rows, in the columns that are shown", ".txt" },
	[EXPORT_JSON] = { "JSON Lines", "an object for each row, with raw values", ".jsonl" },
	[EXPORT_CSV] = { "CSV", "for spreadsheets and databases", ".csv" },
	[EXPORT_FOLDED] = { "Folded stacks", "blocked time, for flame graphs", ".folded" },
	[EXPORT_TRACE] = { "Trace", "for ui.perfetto.dev and chrome://tracing", ".json" },
	[EXPORT_SCREEN] = { "Screen", "what is on it, as text", ".txt" },
	[EXPORT_SCREEN_ANSI] = { "Screen in colour", "for cat, as a terminal has it", ".ansi" },
};
