/*
 * options_flight - the options of the flight recorder.
 */
#include "tui/config/flight_fields.h"
#include "tui/config/options_private.h"

#include <string.h>

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

static bool take_field(struct parse *parse, const char *option, enum flight_field field,
		       const char *text)
{
	struct err err;

	if (flight_field_parse(&parse->options->flight, field, text, &err))
		return options_refuse(parse, "%s: %s", option, err.text);
	return true;
}

/* Parse BEFORE[,AFTER]. */
static bool take_span(struct parse *parse, const char *text)
{
	const char *comma = strchr(text, ',');
	struct str before = STR_INIT;
	bool ok;

	str_addn(&before, text, comma ? (size_t)(comma - text) : strlen(text));
	ok = take_field(parse, "--flight-span", FLIGHT_FIELD_BEFORE, before.data);
	str_release(&before);
	return ok && (!comma || take_field(parse, "--flight-span", FLIGHT_FIELD_AFTER, comma + 1));
}

bool options_take_flight(struct parse *parse, int key, const char *text)
{
	parse->flight_tuned = parse->flight_tuned || key != OPT_FLIGHT;
	switch (key) {
	case OPT_FLIGHT:
		return take_expression(parse, text);
	case OPT_FLIGHT_FILE:
		return take_field(parse, "--flight-file", FLIGHT_FIELD_FILE, text);
	case OPT_FLIGHT_SPAN:
		return take_span(parse, text);
	case OPT_FLIGHT_SIZE:
		return take_field(parse, "--flight-size", FLIGHT_FIELD_SIZE, text);
	case OPT_FLIGHT_AGAIN:
		return take_field(parse, "--flight-again", FLIGHT_FIELD_AGAIN, text);
	default:
		return take_field(parse, "--flight-keep", FLIGHT_FIELD_KEEP, text);
	}
}

bool options_check_flight(struct parse *parse)
{
	const struct options *options = parse->options;

	if (options->engine.flight && (options->engine.recording || options->demo))
		return options_refuse(parse,
				      "--flight: needs live calls, not a recording; drop --flight");
	if (options->engine.flight && options->engine.stacks == STACKS_OFF &&
	    filter_asks_waits(options->flight.filter))
		return options_refuse(
			parse, "--flight: waits are unknown with -g off; drop -g off, or use dur");
	/* In the interface, --flight-... options are the initial values of the panel. */
	if (parse->flight_tuned && !options->engine.flight && options->batch)
		return options_refuse(parse, "--flight-...: these options need the flight "
					     "recorder; arm it with --flight EXPR");
	return true;
}
