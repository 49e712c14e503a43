/* access_report - the report of --access: a text table or one JSON object. Any thread. */
#ifndef REPORT_ACCESS_REPORT_H
#define REPORT_ACCESS_REPORT_H

#include "engine/base/str.h"
#include "engine/source/live/access.h"

void access_report_text(const struct access *access, struct str *out);
/* Append the object and a newline. */
void access_report_json(const struct access *access, struct str *out);

#endif
