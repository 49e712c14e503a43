/*
 * fields - a row of named values for other programs: a JSON object or a line of CSV.
 *
 * CSV follows RFC 4180: the first line has the names, and lines end with CR LF. A field with a
 * comma, a semicolon (a field separator of some spreadsheets), a tab, a quote or a line end is
 * quoted, with quotes doubled. A text that a spreadsheet would read as a formula, or that begins
 * with ', gets a leading ' (OWASP, "CSV Injection"). Numbers are written in full, and names include
 * their units ("total_ns", "read_bytes"). An unknown value is null, in CSV empty; an empty text is
 * "". Texts are already escaped for display (escape.h). Any thread.
 *
 *	struct fields fields = fields_begin(&out, FIELDS_CSV, "file");
 *	fields_text(&fields, "path", "/etc/hosts");
 *	fields_whole(&fields, "read_bytes", 42);
 *	fields_end(&fields);
 */
#ifndef EXPORT_FIELDS_H
#define EXPORT_FIELDS_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fields_format {
	FIELDS_JSON,
	FIELDS_CSV,
	FIELDS_CSV_NAMES, /* the first line: values are ignored */
};

struct fields {
	struct str *out; /* borrowed */
	enum fields_format format;
	bool any;
};

/* type: kind of the row, written in JSON only. */
struct fields fields_begin(struct str *out, enum fields_format format, const char *type);
void fields_end(struct fields *fields);

void fields_text(struct fields *fields, const char *name, const char *text); /* NULL: null */
void fields_whole(struct fields *fields, const char *name, uint64_t value);
void fields_signed(struct fields *fields, const char *name, int64_t value);
void fields_real(struct fields *fields, const char *name, double value);
void fields_bool(struct fields *fields, const char *name, bool value);
void fields_hex(struct fields *fields, const char *name, uint64_t value);
void fields_none(struct fields *fields, const char *name);
/* Add a list of numbers; in CSV, they are separated by spaces. */
void fields_counts(struct fields *fields, const char *name, const uint64_t *counts, size_t count);

#endif
