/*
 * flight_fields - formats and parses each setting of the flight recorder as text.
 *
 * Options and the panel of the interface accept the same values. Any thread.
 */
#ifndef CONFIG_FLIGHT_FIELDS_H
#define CONFIG_FLIGHT_FIELDS_H

#include "engine/base/str.h"
#include "engine/recorder/flight.h"

enum flight_field {
	FLIGHT_FIELD_BEFORE,
	FLIGHT_FIELD_AFTER,
	FLIGHT_FIELD_SIZE,
	FLIGHT_FIELD_AGAIN, /* a time, or "never" */
	FLIGHT_FIELD_KEEP, /* a number, or "all" */
	FLIGHT_FIELD_FILE, /* the request borrows the text */
	FLIGHT_FIELD_COUNT
};

const char *flight_field_title(enum flight_field field);
const char *flight_field_hint(enum flight_field field); /* accepted values */

/* Set one field. -errno with a message; the request is then unchanged. */
int flight_field_parse(struct flight_request *request, enum flight_field field, const char *text,
		       struct err *err);
/* Append the value as text for flight_field_parse(); sizes and fractional ms are rounded. */
void flight_field_format(const struct flight_request *request, enum flight_field field,
			 struct str *out);

#endif
