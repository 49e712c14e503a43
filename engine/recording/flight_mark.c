#include "engine/recording/flight_mark.h"

#include "engine/recording/perfdata_encode_private.h"

#include <string.h>

#define IN_FLIGHT 1u
#define EVENT 2u

void flight_mark_encode(struct perfdata_encode *encode, const struct flight_mark *mark)
{
	const struct record record = { .time_ns = mark->time_ns,
				       .pid = mark->pid,
				       .tid = mark->tid };
	uint32_t flags = (mark->in_flight ? IN_FLIGHT : 0) | (mark->event ? EVENT : 0);
	struct perfdata_ext_flight fields = {
		.common = encode_common(&record, PERFDATA_EXT_FLIGHT, sizeof(fields), flags),
		.from_ns = mark->from_ns,
		.enter_ns = mark->enter_ns,
		.dur_ns = mark->dur_ns,
		.reason = mark->reason,
		.nr = mark->nr,
		.text_bytes = (uint32_t)strnlen(mark->expression, sizeof(mark->expression) - 1) + 1,
	};
	size_t start = encode->out.len;

	memcpy(fields.comm, mark->comm, strnlen(mark->comm, sizeof(fields.comm) - 1));
	encode_put(encode, &fields, sizeof(fields));
	encode_put(encode, mark->expression, fields.text_bytes - 1);
	str_addc(&encode->out, '\0');
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	encode_finish(encode, start);
}

bool flight_mark_read(const struct perf_event_header *header, struct flight_mark *mark)
{
	struct perfdata_ext_flight fields;
	const char *text = (const char *)header + sizeof(fields);
	size_t len;

	if (header->type != PERFDATA_EXT_TYPE || header->size < sizeof(fields))
		return false;
	memcpy(&fields, header, sizeof(fields));
	if (memcmp(fields.common.own.magic, PERFDATA_EXT_MAGIC, PERFDATA_EXT_MAGIC_BYTES) ||
	    fields.common.own.kind != PERFDATA_EXT_FLIGHT || !fields.text_bytes ||
	    fields.text_bytes > header->size - sizeof(fields) || fields.reason == FLIGHT_NONE ||
	    fields.reason >= FLIGHT_REASON_COUNT)
		return false;
	*mark = (struct flight_mark){
		.reason = (enum flight_reason)fields.reason,
		.time_ns = fields.common.time_ns,
		.from_ns = fields.from_ns,
		.pid = fields.common.pid,
		.tid = fields.common.tid,
		.nr = fields.nr,
		.enter_ns = fields.enter_ns,
		.dur_ns = fields.dur_ns,
		.in_flight = fields.common.flags & IN_FLIGHT,
		.event = fields.common.flags & EVENT,
	};
	memcpy(mark->comm, fields.comm, strnlen(fields.comm, sizeof(mark->comm) - 1));
	len = strnlen(text, fields.text_bytes);
	if (len >= sizeof(mark->expression))
		len = sizeof(mark->expression) - 1;
	memcpy(mark->expression, text, len);
	return true;
}
