#include "engine/recording/read/recorded_tracepoints.h"

#include "engine/source/print_format.h"
#include "engine/source/tracepoint.h"

static bool is_wanted(const struct perfdata_header *header, const uint64_t *parts, size_t index,
		      uint64_t id)
{
	const struct perf_event_attr *attr = &perfdata_header_event(header, index)->attr;

	return !parts[index] && attr->type == PERF_TYPE_TRACEPOINT && attr->config == id &&
	       attr->sample_type & PERF_SAMPLE_RAW;
}

static void learn_ids(const struct perfdata_file_event *event, int number, bool alone,
		      struct perf_decode *decode)
{
	struct perf_id id = { .kind = PERF_KIND_EVENT, .period = PERF_PERIOD_EVENTS };

	id.event = (uint16_t)number;
	for (size_t i = 0; i < event->id_count; i++) {
		id.id = event->ids[i];
		if (id.id)
			perf_ids_add(&decode->ids, &id);
	}
	/*
	 * If a file has one event, its samples can lack ids: see recording_read.c, decode_record().
	 */
	if (!event->id_count || alone) {
		id.id = 1;
		perf_ids_add(&decode->ids, &id);
	}
}

/* -1: unsupported format, or too many tracepoints. */
static int add_format(struct event_formats *formats, const struct perfdata_file_format *format,
		      const struct tracepoint *tracepoint)
{
	return event_formats_add(formats, format->system, tracepoint_name(tracepoint), format->text,
				 format->len, true, NULL, NULL);
}

unsigned int recorded_events_learn(const struct perfdata_header *header,
				   struct event_formats *formats, struct perf_decode *decode,
				   uint64_t *parts)
{
	unsigned int count = 0;

	for (size_t i = 0; formats && i < perfdata_header_format_count(header); i++) {
		const struct perfdata_file_format *format = perfdata_header_format(header, i);
		struct tracepoint *tracepoint;
		int number = -1;

		if (!format_fields_are_plain(format->text, format->len) ||
		    tracepoint_parse(&tracepoint, format->system, format->text, format->len, NULL))
			continue;
		for (size_t j = 0; j < perfdata_header_event_count(header); j++) {
			if (!is_wanted(header, parts, j, tracepoint_id(tracepoint)))
				continue;
			if (number < 0)
				number = add_format(formats, format, tracepoint);
			if (number < 0)
				break;
			learn_ids(perfdata_header_event(header, j), number,
				  perfdata_header_event_count(header) == 1, decode);
			parts[j] = PERF_SAMPLE_RAW;
			count++;
		}
		tracepoint_free(tracepoint);
	}
	return count;
}
