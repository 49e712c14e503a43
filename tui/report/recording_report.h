/*
 * recording_report - what is known of a recording, for people and for programs: as lines, as one
 * JSON object, as facts for a page. Everything of the file is escaped. Any thread.
 */
#ifndef REPORT_RECORDING_REPORT_H
#define REPORT_RECORDING_REPORT_H

#include "engine/recording_info.h"

/* name: "host"; value: what it is; both until it returns. */
typedef void recording_fact_fn(void *ctx, const char *name, const char *value);
/* What is not told is left out. path: of the file, as it was given. */
void recording_report_facts(const struct recording_info *about, const char *path,
			    recording_fact_fn *fact, void *ctx);

void recording_report_text(const struct recording_info *about, const char *path, struct str *out);
/* With a newline at its end; what is not told is null. */
void recording_report_json(const struct recording_info *about, const char *path, struct str *out);

#endif
