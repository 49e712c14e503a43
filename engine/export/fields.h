/*
 * fields - a row of named values for other programs: a JSON object or a line of CSV.
 *
 * CSV is that of RFC 4180: a first line of names, lines end with CR LF, a field with a comma, a
 * semicolon (which some spreadsheets part fields by), a quote or a line's end in it stands in
 * quotes, in which quotes are doubled. A text that a spreadsheet would take for a formula, and one
 * that begins with ', has a ' in front (OWASP, "CSV Injection"). Numbers are written
 * in full, and names tell their units ("total_ns", "read_bytes"). What is not known is null, in CSV
 * nothing; an empty text is "". Texts are escaped for people already (escape.h). Any thread.
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
	FIELDS_CSV_NAMES, /* the first line: values are not looked at */
};

struct fields {
	struct str *out; /* borrowed */
	enum fields_format format;
	bool any;
};

/* type: what a row is, which JSON alone tells. */
struct fields fields_begin(struct str *out, enum fields_format format, const char *type);
void fields_end(struct fields *fields);

void fields_text(struct fields *fields, const char *name, const char *text); /* NULL: null */
void fields_whole(struct fields *fields, const char *name, uint64_t value);
void fields_signed(struct fields *fields, const char *name, int64_t value);
void fields_real(struct fields *fields, const char *name, double value);
void fields_bool(struct fields *fields, const char *name, bool value);
void fields_hex(struct fields *fields, const char *name, uint64_t value);
void fields_none(struct fields *fields, const char *name);
/* A list; in CSV with blanks between them. */
void fields_counts(struct fields *fields, const char *name, const uint64_t *counts, size_t count);

#endif
