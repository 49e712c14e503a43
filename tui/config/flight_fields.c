#include "tui/config/flight_fields.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"
#include "engine/recorder/flight_file.h"

#include <errno.h>
#include <string.h>

#define SPAN_MAX_NS (3600 * NS_PER_S)
#define AGAIN_MAX_NS (366 * 86400 * NS_PER_S)

static const struct {
	const char *title, *hint;
} fields[FLIGHT_FIELD_COUNT] = {
	[FLIGHT_FIELD_BEFORE] = { "Time before", "time saved before the trigger, as in 10s" },
	[FLIGHT_FIELD_AFTER] = { "Time after", "time saved after the trigger, as in 500ms" },
	[FLIGHT_FIELD_SIZE] = { "Memory", "for the time before the trigger, as in 64M" },
	[FLIGHT_FIELD_AGAIN] = { "Pause between saves", "time without another save, as in 30s; "
							"never: save one file only" },
	[FLIGHT_FIELD_KEEP] = { "Files kept", "number of files, the oldest is removed; or all" },
	[FLIGHT_FIELD_FILE] = { "Files", "%Y %m %d %H %M %S stand for the time, %N for a number" },
};

const char *flight_field_title(enum flight_field field)
{
	return fields[field].title;
}

const char *flight_field_hint(enum flight_field field)
{
	return fields[field].hint;
}

/* A number without a unit is in seconds. */
static int parse_time(const char *text, uint64_t most_ns, const char *most, uint64_t *ns,
		      struct err *err)
{
	uint64_t value;
	int rc = units_parse_duration(text, NS_PER_S, &value, err);

	if (rc)
		return rc;
	if (value > most_ns)
		return err_set(err, -ERANGE, "at most %s", most);
	*ns = value;
	return 0;
}

static int parse_size(struct flight_request *request, const char *text, struct err *err)
{
	uint64_t bytes;
	int rc = units_parse_size(text, &bytes, err);

	if (rc)
		return rc;
	if (bytes < FLIGHT_BYTES_MIN || bytes > FLIGHT_BYTES_MAX)
		return err_set(err, -ERANGE, "expected a size from 1M to 1024G");
	request->bytes = (size_t)bytes;
	return 0;
}

static int parse_again(struct flight_request *request, const char *text, struct err *err)
{
	bool once = !strcmp(text, "never");
	int rc = once ? 0 : parse_time(text, AGAIN_MAX_NS, "a year", &request->again_ns, err);

	if (!rc)
		request->once = once;
	return rc;
}

static int parse_keep(struct flight_request *request, const char *text, struct err *err)
{
	uint64_t keep = 0;
	int rc = strcmp(text, "all") ? units_parse_number(text, 1, FLIGHT_KEEP_MAX, &keep, err) : 0;

	if (!rc)
		request->keep = (uint32_t)keep;
	return rc;
}

static int parse_file(struct flight_request *request, const char *text, struct err *err)
{
	char path[FLIGHT_PATH_BYTES];
	int rc = flight_file_name(text, 0, 1, path, err);

	if (!rc)
		request->pattern = text;
	return rc;
}

int flight_field_parse(struct flight_request *request, enum flight_field field, const char *text,
		       struct err *err)
{
	switch (field) {
	case FLIGHT_FIELD_BEFORE:
		return parse_time(text, SPAN_MAX_NS, "an hour", &request->before_ns, err);
	case FLIGHT_FIELD_AFTER:
		return parse_time(text, SPAN_MAX_NS, "an hour", &request->after_ns, err);
	case FLIGHT_FIELD_SIZE:
		return parse_size(request, text, err);
	case FLIGHT_FIELD_AGAIN:
		return parse_again(request, text, err);
	case FLIGHT_FIELD_KEEP:
		return parse_keep(request, text, err);
	default:
		return parse_file(request, text, err);
	}
}

static void add_time(uint64_t ns, struct str *out)
{
	char text[UNITS_TEXT_BYTES];

	/* Be exact down to milliseconds; units_format_ns() rounds to three digits. */
	if (ns % NS_PER_S == 0)
		str_addf(out, "%llus", (unsigned long long)(ns / NS_PER_S));
	else if (ns % NS_PER_MS == 0)
		str_addf(out, "%llums", (unsigned long long)(ns / NS_PER_MS));
	else
		str_add(out, units_format_ns(text, ns));
}

void flight_field_format(const struct flight_request *request, enum flight_field field,
			 struct str *out)
{
	char text[UNITS_TEXT_BYTES];

	switch (field) {
	case FLIGHT_FIELD_BEFORE:
		add_time(request->before_ns, out);
		break;
	case FLIGHT_FIELD_AFTER:
		add_time(request->after_ns, out);
		break;
	case FLIGHT_FIELD_SIZE:
		str_add(out, units_format_bytes(text, request->bytes));
		break;
	case FLIGHT_FIELD_AGAIN:
		if (request->once)
			str_add(out, "never");
		else
			add_time(request->again_ns, out);
		break;
	case FLIGHT_FIELD_KEEP:
		if (request->keep)
			str_addf(out, "%u", request->keep);
		else
			str_add(out, "all");
		break;
	default:
		str_add(out, request->pattern ? request->pattern : FLIGHT_PATTERN);
		break;
	}
}
