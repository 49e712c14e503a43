#include "engine/recording/read/perfdata_ext_decode.h"

#include "engine/base/mem.h"
#include "engine/recording/read/perfdata_ext_decode_private.h"

#include <stdlib.h>
#include <string.h>

#define ENTERED_MAX (1u << 20)

struct perfdata_ext_decode *perfdata_ext_decode_new(struct event_formats *formats)
{
	struct perfdata_ext_decode *decode = mem_zalloc(1, sizeof(*decode));

	decode->formats = formats;
	idmap_init(&decode->entered);
	str_init(&decode->pointed);
	for (size_t i = 0; i < OWN_EVENTS_MAX; i++)
		decode->numbers[i] = -1;
	return decode;
}

void perfdata_ext_decode_free(struct perfdata_ext_decode *decode)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!decode)
		return;
	while ((slot = idmap_next(&decode->entered, &cursor)))
		free(slot->value);
	idmap_release(&decode->entered);
	str_release(&decode->pointed);
	free(decode);
}

void perfdata_ext_decode_begin_within(struct perfdata_ext_decode *decode)
{
	decode->within = true;
}

uint64_t perfdata_ext_decode_lost(const struct perfdata_ext_decode *decode)
{
	return decode->lost;
}

unsigned int perfdata_ext_decode_tracepoints(const struct perfdata_ext_decode *decode)
{
	return decode->tracepoints;
}

bool perfdata_ext_decode_switches(const struct perfdata_ext_decode *decode)
{
	return decode->reported & 1u << RECORD_SWITCH_OUT;
}

bool perfdata_ext_decode_wakings(const struct perfdata_ext_decode *decode)
{
	return decode->reported & 1u << RECORD_WAKING;
}

uint64_t perfdata_ext_decode_malformed(const struct perfdata_ext_decode *decode)
{
	return decode->malformed;
}

/* -- Record types ------------------------------------------------------------------ */

static bool is_own(const struct perf_event_header *header, struct perfdata_ext *own)
{
	if (header->type != PERFDATA_EXT_TYPE || header->size < sizeof(*own))
		return false;
	memcpy(own, header, sizeof(*own));
	return !memcmp(own->magic, PERFDATA_EXT_MAGIC, sizeof(own->magic));
}

bool perfdata_ext_is(const struct perf_event_header *header)
{
	struct perfdata_ext own;

	return is_own(header, &own);
}

bool perfdata_ext_read_begin(const struct perf_event_header *header,
			     struct perfdata_file_own *about)
{
	struct perfdata_ext_begin begin;
	struct perfdata_ext own;

	if (!is_own(header, &own) || own.kind != PERFDATA_EXT_BEGIN || header->size < sizeof(begin))
		return false;
	memcpy(&begin, header, sizeof(begin));
	if (begin.common.time_ns >= PERFDATA_FILE_TIME_MAX)
		return false;
	about->copies = begin.common.flags & PERFDATA_EXT_COPIES;
	about->no_waits = begin.common.flags & PERFDATA_EXT_NO_WAITS;
	about->no_ins = begin.common.flags & PERFDATA_EXT_NO_INS;
	about->began_ns = begin.common.time_ns;
	return true;
}

static bool is_stack_event(uint64_t event)
{
	return event == PERFDATA_EXT_EVENT_SWITCH || event == PERFDATA_EXT_EVENT_WAKING;
}

uint64_t perfdata_ext_time(const struct perf_event_header *header)
{
	const unsigned char *at = (const unsigned char *)header;
	size_t where = header->size - sizeof(struct perfdata_ext_trailer) +
		       offsetof(struct perfdata_ext_trailer, time_ns);
	uint64_t time_ns = 0, id;
	struct perfdata_ext own;

	if (header->type == PERF_RECORD_SAMPLE &&
	    header->size >= sizeof(struct perfdata_ext_stack_sample)) {
		memcpy(&id, at + offsetof(struct perfdata_ext_sample, id), sizeof(id));
		where = is_stack_event(id / PERFDATA_EXT_VARIANTS - 1)
				? offsetof(struct perfdata_ext_stack_sample, time_ns)
				: offsetof(struct perfdata_ext_sample, time_ns);
	} else if (is_own(header, &own) && own.kind == PERFDATA_EXT_DRAINED &&
		   header->size >= sizeof(struct perfdata_ext_common)) {
		where = offsetof(struct perfdata_ext_common, time_ns);
	} else if (header->type == PERF_RECORD_SAMPLE || header->type >= PERFDATA_EXT_TYPE - 1 ||
		   header->size < sizeof(*header) + sizeof(struct perfdata_ext_trailer)) {
		return 0;
	}
	memcpy(&time_ns, at + where, sizeof(time_ns));
	return time_ns < PERFDATA_FILE_TIME_MAX ? time_ns : 0;
}

/* -- Calls -------------------------------------------------------------------------- */

static void remember(struct perfdata_ext_decode *decode, const struct record *record,
		     uint64_t time_ns)
{
	struct entered *entered = idmap_get(&decode->entered, record->tid);

	if (!entered) {
		/* Only an invalid file has more than ENTERED_MAX threads at once. */
		if (decode->entered.count >= ENTERED_MAX)
			return;
		entered = mem_alloc(sizeof(*entered));
		idmap_put(&decode->entered, record->tid, entered);
	}
	entered->time_ns = time_ns;
	entered->nr = record->enter.nr;
	entered->cpu = record->cpu;
	memcpy(entered->args, record->enter.args, sizeof(entered->args));
}

static void decode_enter(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
			 struct record *record, unsigned int flags, record_fn *take, void *ctx)
{
	struct perfdata_ext_enter enter;

	if (header->size < sizeof(enter)) {
		decode->malformed++;
		return;
	}
	memcpy(&enter, header, sizeof(enter));
	if (flags & PERFDATA_EXT_WHOLE) {
		decode->whole = true;
		decode->call = *record;
		decode->call.call.entered_ns = record->time_ns;
		decode->call.call.enter_cpu = record->cpu;
		decode->call.call.nr = (uint32_t)enter.nr;
		memcpy(decode->call.call.args, enter.args, sizeof(enter.args));
		return;
	}
	record->kind = RECORD_ENTER;
	record->enter.nr = (uint32_t)enter.nr;
	memcpy(record->enter.args, enter.args, sizeof(enter.args));
	record->enter.entered_ns = flags & PERFDATA_EXT_LATE ? record->time_ns : 0;
	record->enter.bytes = decode->bytes;
	record->enter.resumes = own_resumes(enter.sample.more);
	remember(decode, record, record->time_ns);
	own_pass(decode, record, take, ctx);
}

/* Build a RECORD_CALL from its exit and its enter, which is directly before it or earlier. */
static bool make_whole(struct perfdata_ext_decode *decode, struct record *record,
		       unsigned int flags, const struct perfdata_ext_exit *leave)
{
	const struct entered *entered = idmap_get(&decode->entered, record->tid);
	uint64_t left_ns = record->time_ns;

	if (flags & PERFDATA_EXT_ENTERED) {
		if (!entered)
			return false;
		record->call.entered_ns = entered->time_ns;
		record->call.enter_cpu = entered->cpu;
		record->call.nr = entered->nr;
		memcpy(record->call.args, entered->args, sizeof(record->call.args));
	} else {
		if (!decode->whole || decode->call.tid != record->tid)
			return false;
		record->call = decode->call.call;
	}
	record->kind = RECORD_CALL;
	record->call.ret = leave->ret;
	record->call.dur_ns = left_ns > record->call.entered_ns ? left_ns - record->call.entered_ns
								: 0;
	record->call.bytes = decode->bytes;
	record->call.switches = (uint16_t)leave->sample.more;
	record->call.resumes = own_resumes(leave->sample.more >> PERFDATA_EXT_RESUMES_SHIFT);
	return true;
}

static void decode_exit(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
			struct record *record, unsigned int flags, record_fn *take, void *ctx)
{
	struct perfdata_ext_exit leave;

	if (header->size < sizeof(leave)) {
		decode->malformed++;
		return;
	}
	memcpy(&leave, header, sizeof(leave));
	if (!(flags & PERFDATA_EXT_WHOLE)) {
		record->kind = RECORD_EXIT;
		record->exit.left_ns = flags & PERFDATA_EXT_LATE ? record->time_ns : 0;
		record->exit.nr = (uint32_t)leave.nr;
		record->exit.ret = leave.ret;
		record->exit.silent = leave.sample.more & 1;
	} else if (!make_whole(decode, record, flags, &leave)) {
		decode->malformed += !decode->within || !(flags & PERFDATA_EXT_ENTERED);
		return;
	}
	own_pass(decode, record, take, ctx);
}

static bool decode_event(const struct perfdata_ext_decode *decode,
			 const struct perf_event_header *header, uint64_t event,
			 struct record *record)
{
	struct perf_cursor rest = own_behind(header, sizeof(struct perfdata_ext_sample));
	uint32_t len;
	const void *at = perf_cursor_take(&rest, sizeof(len));

	if (!at || event >= OWN_EVENTS_MAX || decode->numbers[event] < 0)
		return false;
	memcpy(&len, at, sizeof(len));
	record->kind = RECORD_EVENT;
	record->event.number = (uint32_t)decode->numbers[event];
	record->event.bytes.chunks = perf_cursor_take(&rest, len);
	record->event.bytes.len = len;
	record->event.bytes.more = false;
	return record->event.bytes.chunks;
}

static void decode_sample(struct perfdata_ext_decode *decode,
			  const struct perf_event_header *header, record_fn *take, void *ctx)
{
	struct perfdata_ext_sample sample;
	struct record record;
	unsigned int flags;
	uint64_t event;

	if (header->size < sizeof(sample)) {
		decode->malformed++;
		return;
	}
	memcpy(&sample, header, sizeof(sample));
	event = sample.id / PERFDATA_EXT_VARIANTS - 1;
	flags = sample.id % PERFDATA_EXT_VARIANTS;
	if (is_stack_event(event)) {
		own_stack_sample(decode, header, event, flags, take, ctx);
		return;
	}
	record.time_ns = sample.time_ns;
	record.pid = sample.pid;
	record.tid = sample.tid;
	record.cpu = sample.cpu;
	if (event == PERFDATA_EXT_EVENT_ENTER)
		decode_enter(decode, header, &record, flags, take, ctx);
	else if (event == PERFDATA_EXT_EVENT_EXIT)
		decode_exit(decode, header, &record, flags, take, ctx);
	else if (decode_event(decode, header, event, &record))
		own_pass(decode, &record, take, ctx);
	else
		decode->malformed++;
}

/* -- Extension records -------------------------------------------------------------- */

static bool decode_counted(struct perfdata_ext_decode *decode,
			   const struct perf_event_header *header, struct record *record)
{
	struct perfdata_ext_aggregate counted;

	if (header->size < sizeof(counted))
		return false;
	memcpy(&counted, header, sizeof(counted));
	memcpy(decode->steps, counted.steps, sizeof(decode->steps));
	record->kind = RECORD_AGGREGATE;
	record->aggregate.nr = counted.nr;
	record->aggregate.calls = counted.calls;
	record->aggregate.errors = counted.errors;
	record->aggregate.total_ns = counted.total_ns;
	record->aggregate.min_ns = counted.min_ns;
	record->aggregate.max_ns = counted.max_ns;
	record->aggregate.steps = decode->steps;
	record->aggregate.group = counted.group;
	record->aggregate.all_match = counted.common.flags & 1;
	return counted.group < HISTOGRAM_GROUPS;
}

static bool decode_blind(const struct perf_event_header *header, struct record *record)
{
	struct perfdata_ext_switches_lost blind;

	if (header->size < sizeof(blind))
		return false;
	memcpy(&blind, header, sizeof(blind));
	record->kind = RECORD_SWITCHES_LOST;
	record->switches_lost.until_ns = blind.until_ns;
	return true;
}

static void decode_bytes(struct perfdata_ext_decode *decode, const struct perf_event_header *header)
{
	struct perfdata_ext_bytes bytes;

	if (header->size < sizeof(bytes)) {
		decode->malformed++;
		return;
	}
	memcpy(&bytes, header, sizeof(bytes));
	if (bytes.len > header->size - sizeof(bytes)) {
		decode->malformed++;
		return;
	}
	str_clear(&decode->pointed);
	str_addn(&decode->pointed, (const char *)header + sizeof(bytes), bytes.len);
	decode->bytes.chunks = decode->pointed.data;
	decode->bytes.len = bytes.len;
	decode->bytes.more = bytes.flags & PERFDATA_EXT_MORE;
}

static void decode_format(struct perfdata_ext_decode *decode,
			  const struct perf_event_header *header)
{
	struct perf_cursor rest;
	struct perfdata_ext_format format;
	char system[EVENT_NAME_BYTES];
	const char *name, *text, *colon;

	if (header->size < sizeof(format) || !decode->formats)
		return;
	memcpy(&format, header, sizeof(format));
	rest = own_behind(header, sizeof(format));
	name = perf_cursor_take(&rest, format.name_bytes);
	text = perf_cursor_take(&rest, format.text_bytes);
	if (!name || !text || !format.name_bytes || name[format.name_bytes - 1] ||
	    format.event >= OWN_EVENTS_MAX || format.event < PERFDATA_EXT_EVENT_OTHERS) {
		decode->malformed++;
		return;
	}
	colon = strchr(name, ':');
	if (!colon || (size_t)(colon - name) >= sizeof(system)) {
		decode->malformed++;
		return;
	}
	memcpy(system, name, (size_t)(colon - name));
	system[colon - name] = '\0';
	decode->tracepoints++;
	decode->numbers[format.event] = event_formats_add(decode->formats, system, colon + 1, text,
							  format.text_bytes, true, NULL, NULL);
}

static void forget_pending(struct perfdata_ext_decode *decode)
{
	decode->bytes.len = 0;
	decode->chain_count = 0;
	decode->chain_cut = 0;
	decode->whole = false;
}

static bool decode_own(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
		       const struct perfdata_ext *own, record_fn *take, void *ctx,
		       uint64_t *time_ns)
{
	struct perfdata_ext_common common;
	struct record_stack stack;
	struct record record;
	bool made;

	if (own->kind == PERFDATA_EXT_BYTES)
		decode_bytes(decode, header);
	else if (own->kind == PERFDATA_EXT_CHAIN)
		own_chain(decode, header);
	else if (own->kind == PERFDATA_EXT_EVENT)
		decode_format(decode, header);
	if (own->kind == PERFDATA_EXT_BYTES || own->kind == PERFDATA_EXT_CHAIN ||
	    own->kind == PERFDATA_EXT_EVENT || own->kind == PERFDATA_EXT_TABLE ||
	    own->kind == PERFDATA_EXT_OBSERVATIONS || own->kind == PERFDATA_EXT_OBSERVATIONS_AT ||
	    own->kind == PERFDATA_EXT_INDEX || own->kind == PERFDATA_EXT_INDEX_AT)
		return false;
	if (header->size < sizeof(common)) {
		decode->malformed++;
		return false;
	}
	memcpy(&common, header, sizeof(common));
	record.time_ns = common.time_ns;
	record.pid = common.pid;
	record.tid = common.tid;
	record.cpu = common.cpu;
	switch (own->kind) {
	case PERFDATA_EXT_BEGIN:
		if (header->size < sizeof(struct perfdata_ext_begin))
			return false;
		memcpy(&decode->regs_mask,
		       (const unsigned char *)header +
			       offsetof(struct perfdata_ext_begin, regs_mask),
		       sizeof(decode->regs_mask));
		decode->max_stack = common.flags & PERFDATA_EXT_CUTS ? 0 : PERF_MAX_STACK_DEPTH;
		return false;
	case PERFDATA_EXT_DRAINED:
		if (common.time_ns < PERFDATA_FILE_TIME_MAX)
			*time_ns = common.time_ns;
		return true;
	case PERFDATA_EXT_OWNER:
		made = own_owner(header, &record, common.flags);
		break;
	case PERFDATA_EXT_INFLIGHT:
		made = own_seed(decode, header, &record, &stack);
		break;
	case PERFDATA_EXT_RUNNING:
		made = own_seed(decode, header, &record, &stack);
		record.kind = RECORD_RUNNING;
		if (made && record.inflight.stack)
			record.running.stack = stack;
		else
			made = false;
		break;
	case PERFDATA_EXT_SWITCHES_LOST:
		made = decode_blind(header, &record);
		break;
	case PERFDATA_EXT_AGGREGATE:
		made = decode_counted(decode, header, &record);
		break;
	case PERFDATA_EXT_GAP:
		record.kind = RECORD_GAP;
		made = true;
		break;
	case PERFDATA_EXT_FORGET:
		record.kind = RECORD_FORGET;
		made = true;
		break;
	default: /* written by a later version */
		return false;
	}
	if (made)
		own_pass(decode, &record, take, ctx);
	else
		decode->malformed++;
	return false;
}

bool perfdata_ext_decode(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
			 record_fn *take, void *ctx, uint64_t *time_ns)
{
	struct perfdata_ext own;
	bool pending = decode->whole && header->type == PERF_RECORD_SAMPLE;

	if (is_own(header, &own))
		return decode_own(decode, header, &own, take, ctx, time_ns);
	if (header->type == PERF_RECORD_SAMPLE) {
		decode_sample(decode, header, take, ctx);
		/*
		 * Argument memory precedes the enter of a RECORD_CALL, but belongs to the record
		 * built at its exit: retain it until then.
		 */
		if (!decode->whole || pending)
			forget_pending(decode);
	} else if (header->type < PERFDATA_EXT_TYPE - 1) {
		own_side(decode, header, take, ctx);
	}
	return false;
}
