/*
 * recording_report - the metadata of a recording: as lines, as one JSON object, as facts for a
 * page.
 *
 * All text from the file is escaped. Any thread.
 */
#ifndef REPORT_RECORDING_REPORT_H
#define REPORT_RECORDING_REPORT_H

#include "engine/recording_info.h"

/* Receive one fact: name such as "host", and its value. Both are valid until it returns. */
typedef void recording_fact_fn(void *ctx, const char *name, const char *value);
/* Report each fact that the file has. path: the file as the user named it. */
void recording_report_facts(const struct recording_info *about, const char *path,
			    recording_fact_fn *fact, void *ctx);

void recording_report_text(const struct recording_info *about, const char *path, struct str *out);
/* Append the object and a newline; missing facts are null. */
void recording_report_json(const struct recording_info *about, const char *path, struct str *out);

#endif
