#include "engine/export/fields.h"

#include "engine/export/json.h"

#include <stdio.h>
#include <string.h>

/*
 * True if spreadsheets evaluate a field with this beginning as a formula, even in quotes. These are
 * = + - @, their full-width forms (U+FF1D, FF0B, FF0D, FF20), and characters that can hide them.
 */
static bool is_formula(const char *text)
{
	static const char *const wide[] = { "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
					    "\xef\xbc\xa0" };

	if (*text && strchr("=+-@\t\r\n", *text))
		return true;
	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		if (!strncmp(text, wide[i], strlen(wide[i])))
			return true;
	return false;
}

/* Write an empty text as "": it differs from a missing value, and the line is not empty. */
static void add_csv(struct str *out, const char *text)
{
	/* A text with a leading ' gets a second one, so that the first can always be removed. */
	const char *mark = is_formula(text) || *text == '\'' ? "'" : "";

	if (*text && !text[strcspn(text, ",;\t\"\r\n")]) {
		str_add(out, mark);
		str_add(out, text);
		return;
	}
	str_addc(out, '"');
	str_add(out, mark);
	for (; *text; text++) {
		if (*text == '"')
			str_addc(out, '"');
		str_addc(out, *text);
	}
	str_addc(out, '"');
}

struct fields fields_begin(struct str *out, enum fields_format format, const char *type)
{
	struct fields fields = { .out = out, .format = format };

	if (format != FIELDS_JSON)
		return fields;
	str_add(out, "{\"type\":");
	json_add_string(out, type);
	fields.any = true;
	return fields;
}

void fields_end(struct fields *fields)
{
	str_add(fields->out, fields->format == FIELDS_JSON ? "}\n" : "\r\n");
}

/* Add the name. Return true if its value must be added, too. */
static bool add_name(struct fields *fields, const char *name)
{
	if (fields->any)
		str_addc(fields->out, ',');
	fields->any = true;
	if (fields->format == FIELDS_CSV_NAMES)
		add_csv(fields->out, name);
	if (fields->format != FIELDS_JSON)
		return fields->format == FIELDS_CSV;
	json_add_string(fields->out, name);
	str_addc(fields->out, ':');
	return true;
}

void fields_none(struct fields *fields, const char *name)
{
	if (add_name(fields, name) && fields->format == FIELDS_JSON)
		str_add(fields->out, "null");
}

void fields_text(struct fields *fields, const char *name, const char *text)
{
	if (!text)
		fields_none(fields, name);
	else if (!add_name(fields, name))
		return;
	else if (fields->format == FIELDS_JSON)
		json_add_string(fields->out, text);
	else
		add_csv(fields->out, text);
}

void fields_whole(struct fields *fields, const char *name, uint64_t value)
{
	if (add_name(fields, name))
		str_addu(fields->out, value);
}

void fields_signed(struct fields *fields, const char *name, int64_t value)
{
	if (add_name(fields, name))
		str_addd(fields->out, value);
}

void fields_real(struct fields *fields, const char *name, double value)
{
	if (add_name(fields, name))
		str_addf(fields->out, "%.3f", value);
}

void fields_bool(struct fields *fields, const char *name, bool value)
{
	if (add_name(fields, name))
		str_add(fields->out, value ? "true" : "false");
}

void fields_hex(struct fields *fields, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
	fields_text(fields, name, text);
}

void fields_counts(struct fields *fields, const char *name, const uint64_t *counts, size_t count)
{
	bool json = fields->format == FIELDS_JSON;

	if (!add_name(fields, name))
		return;
	if (json)
		str_addc(fields->out, '[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			str_addc(fields->out, json ? ',' : ' ');
		str_addu(fields->out, counts[i]);
	}
	if (json)
		str_addc(fields->out, ']');
}
