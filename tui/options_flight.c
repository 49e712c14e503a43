/*
 * options_flight - the options of the flight recorder.
 */
#include "tui/options_private.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"
#include "engine/flight_file.h"

#include <string.h>

#define SPAN_MAX_NS (3600 * NS_PER_S)
#define AGAIN_MAX_NS (366 * 86400 * NS_PER_S)

static bool take_expression(struct parse *parse, const char *text)
{
	struct flight_request *flight = &parse->options->flight;
	struct filter_error error = { .err.text = "" };

	filter_free(flight->filter);
	flight->filter = NULL;
	if (filter_parse(&flight->filter, text, parse->names, &error))
		return options_refuse_filter(parse, "--flight", text, &error);
	parse->options->engine.flight = flight;
	return true;
}

static bool take_file(struct parse *parse, const char *pattern)
{
	char path[FLIGHT_PATH_BYTES];
	struct err err;

	if (flight_file_name(pattern, 0, 1, path, &err))
		return options_refuse(parse, "--flight-file: %s", err.text);
	parse->options->flight.pattern = pattern;
	return true;
}

/* BEFORE[,AFTER]; a number alone is of seconds. */
static bool take_span(struct parse *parse, const char *text)
{
	struct flight_request *flight = &parse->options->flight;
	const char *comma = strchr(text, ',');
	struct str before = STR_INIT;
	struct err err;
	int rc;

	str_addn(&before, text, comma ? (size_t)(comma - text) : strlen(text));
	rc = units_parse_duration(before.data, NS_PER_S, &flight->before_ns, &err);
	if (!rc && comma)
		rc = units_parse_duration(comma + 1, NS_PER_S, &flight->after_ns, &err);
	str_release(&before);
	if (rc)
		return options_refuse(parse, "--flight-span: %s", err.text);
	if (flight->before_ns > SPAN_MAX_NS || flight->after_ns > SPAN_MAX_NS)
		return options_refuse(parse, "--flight-span: an hour before and one after are the "
				      "most");
	return true;
}

static bool take_size(struct parse *parse, const char *text)
{
	struct err err;
	uint64_t bytes;

	if (units_parse_size(text, &bytes, &err) < 0)
		return options_refuse(parse, "--flight-size: %s", err.text);
	if (bytes < FLIGHT_BYTES_MIN || bytes > FLIGHT_BYTES_MAX)
		return options_refuse(parse, "--flight-size: from 1M to 1024G, as in 256M");
	parse->options->flight.bytes = (size_t)bytes;
	return true;
}

static bool take_again(struct parse *parse, const char *text)
{
	struct flight_request *flight = &parse->options->flight;
	struct err err;

	flight->once = !strcmp(text, "never");
	if (flight->once)
		return true;
	if (units_parse_duration(text, NS_PER_S, &flight->again_ns, &err) < 0)
		return options_refuse(parse, "--flight-again: %s; or never", err.text);
	if (flight->again_ns > AGAIN_MAX_NS)
		return options_refuse(parse, "--flight-again: a year is the most; or never");
	return true;
}

static bool take_keep(struct parse *parse, const char *text)
{
	struct err err;
	uint64_t keep = 0;

	if (strcmp(text, "all") && units_parse_number(text, 1, FLIGHT_KEEP_MAX, &keep, &err) < 0)
		return options_refuse(parse, "--flight-keep: %s; or all", err.text);
	parse->options->flight.keep = (uint32_t)keep;
	return true;
}

bool options_take_flight(struct parse *parse, int key, const char *text)
{
	parse->flight_tuned = parse->flight_tuned || key != OPT_FLIGHT;
	switch (key) {
	case OPT_FLIGHT:
		return take_expression(parse, text);
	case OPT_FLIGHT_FILE:
		return take_file(parse, text);
	case OPT_FLIGHT_SPAN:
		return take_span(parse, text);
	case OPT_FLIGHT_SIZE:
		return take_size(parse, text);
	case OPT_FLIGHT_AGAIN:
		return take_again(parse, text);
	default:
		return take_keep(parse, text);
	}
}

bool options_check_flight(struct parse *parse)
{
	const struct options *options = parse->options;

	if (options->engine.flight && (options->engine.recording || options->demo))
		return options_refuse(parse, "--flight: nothing happens in a recording any more "
				      "that could be kept; leave it out");
	if (options->engine.flight && options->engine.stacks == STACKS_OFF &&
	    filter_asks_waits(options->flight.filter))
		return options_refuse(parse, "--flight: with -g off nothing is known of what calls "
				      "wait for; leave that out, or ask for dur");
	/* In the interface they are what ! begins with. */
	if (parse->flight_tuned && !options->engine.flight && options->batch)
		return options_refuse(parse, "--flight-...: these are for the flight recorder; arm "
				      "it with --flight EXPR");
	return true;
}
