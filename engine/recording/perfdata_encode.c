#include "engine/recording/perfdata_encode.h"

#include "engine/base/histogram.h"
#include "engine/recording/perfdata_encode_private.h"
#include "engine/source/perf/perf_open.h"

_Static_assert(HISTOGRAM_STEPS == PERFDATA_EXT_STEPS, "histograms are stored without conversion");

void perfdata_encode_init(struct perfdata_encode *encode)
{
	memset(encode, 0, sizeof(*encode));
	str_init(&encode->out);
	idmap_init(&encode->entered);
	idmap_init(&encode->build_ids);
	str_init(&encode->build_id_records);
}

void perfdata_encode_release(struct perfdata_encode *encode)
{
	str_release(&encode->out);
	idmap_release(&encode->entered);
	idmap_release(&encode->build_ids);
	str_release(&encode->build_id_records);
}

void perfdata_encode_forget(struct perfdata_encode *encode)
{
	idmap_clear(&encode->entered);
	idmap_clear(&encode->build_ids);
	str_clear(&encode->build_id_records);
	encode->first_ns = encode->last_ns = 0;
}

/* -- Calls ------------------------------------------------------------------------- */

static void put_bytes(struct perfdata_encode *encode, const struct record_bytes *bytes)
{
	struct perfdata_ext_bytes head = {
		.own = encode_own(PERFDATA_EXT_BYTES, 0),
		.len = (uint32_t)bytes->len,
		.flags = bytes->more ? PERFDATA_EXT_MORE : 0,
	};
	size_t start = encode->out.len;

	if (!bytes->len)
		return;
	encode_put(encode, &head, sizeof(head));
	encode_put_padded(encode, bytes->chunks, bytes->len);
	encode_finish(encode, start);
}

/* Sizes of the raw bytes with padding; with the 4-byte size field, each is a multiple of 8. */
#define ENTER_RAW_BYTES \
	(sizeof(struct perfdata_ext_enter) - offsetof(struct perfdata_ext_enter, entry))
#define EXIT_RAW_BYTES \
	(sizeof(struct perfdata_ext_exit) - offsetof(struct perfdata_ext_exit, entry))

static struct perfdata_ext_sample sample_of(const struct record *record, uint64_t time_ns,
					    uint32_t cpu, uint64_t id, size_t bytes)
{
	return (struct perfdata_ext_sample){
		.header = { .type = PERF_RECORD_SAMPLE,
			    .misc = PERF_RECORD_MISC_KERNEL,
			    .size = (uint16_t)bytes },
		.id = id,
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = time_ns,
		.cpu = cpu,
	};
}

static void put_enter(struct perfdata_encode *encode, const struct record *record, uint64_t time_ns,
		      uint32_t cpu, uint32_t nr, const uint64_t *args, unsigned int flags,
		      uint32_t more)
{
	struct perfdata_ext_enter enter;

	enter.sample = sample_of(record, time_ns, cpu,
				 PERFDATA_EXT_ID(PERFDATA_EXT_EVENT_ENTER, flags), sizeof(enter));
	enter.raw_bytes = ENTER_RAW_BYTES;
	enter.entry = (struct perfdata_ext_entry){ .type = encode->enter_type,
						   .pid = (int32_t)record->tid };
	enter.sample.more = more;
	enter.nr = nr;
	memcpy(enter.args, args, sizeof(enter.args));
	enter.padding = 0;
	encode_put(encode, &enter, sizeof(enter));
	encode_note_time(encode, time_ns);
}

static void put_exit(struct perfdata_encode *encode, const struct record *record, uint64_t time_ns,
		     uint32_t nr, int64_t ret, unsigned int flags, uint32_t more)
{
	struct perfdata_ext_exit leave;

	leave.sample = sample_of(record, time_ns, record->cpu,
				 PERFDATA_EXT_ID(PERFDATA_EXT_EVENT_EXIT, flags), sizeof(leave));
	leave.raw_bytes = EXIT_RAW_BYTES;
	leave.entry = (struct perfdata_ext_entry){ .type = encode->exit_type,
						   .pid = (int32_t)record->tid };
	leave.sample.more = more;
	leave.nr = nr;
	leave.ret = ret;
	leave.padding = 0;
	encode_put(encode, &leave, sizeof(leave));
	encode_note_time(encode, time_ns);
}

static void encode_enter(struct perfdata_encode *encode, const struct record *record)
{
	bool late = record->enter.entered_ns;
	uint64_t time_ns = late ? record->enter.entered_ns : record->time_ns;

	put_bytes(encode, &record->enter.bytes);
	put_enter(encode, record, time_ns, record->cpu, record->enter.nr, record->enter.args,
		  late ? PERFDATA_EXT_LATE : 0, record->enter.resumes);
	encode_remember(encode, record->tid, time_ns);
}

static void encode_exit(struct perfdata_encode *encode, const struct record *record)
{
	uint64_t left_ns = record->exit.left_ns;

	put_exit(encode, record, left_ns ? left_ns : record->time_ns, record->exit.nr,
		 record->exit.ret, left_ns ? PERFDATA_EXT_LATE : 0, record->exit.silent);
}

static void encode_call(struct perfdata_encode *encode, const struct record *record)
{
	uint64_t entered_ns = record->call.entered_ns;
	unsigned int flags = PERFDATA_EXT_WHOLE;

	put_bytes(encode, &record->call.bytes);
	if (entered_ns && encode_remembered(encode, record->tid) == entered_ns)
		flags |= PERFDATA_EXT_ENTERED;
	else
		put_enter(encode, record, entered_ns, record->call.enter_cpu, record->call.nr,
			  record->call.args, PERFDATA_EXT_WHOLE, 0);
	put_exit(encode, record, entered_ns + record->call.dur_ns, record->call.nr,
		 record->call.ret, flags,
		 record->call.switches | (uint32_t)record->call.resumes
						 << PERFDATA_EXT_RESUMES_SHIFT);
}

/* -- Other records ------------------------------------------------------------------- */

static void encode_lost(struct perfdata_encode *encode, const struct record *record)
{
	struct {
		struct perf_event_header header;
		uint64_t id, count;
	} fields = {
		.header = { .type = PERF_RECORD_LOST,
			    .size = sizeof(fields) + sizeof(struct perfdata_ext_trailer) },
		.id = PERFDATA_EXT_ID(record->lost.kind == LOSS_OTHER ? PERFDATA_EXT_EVENT_SIDE
								      : PERFDATA_EXT_EVENT_ENTER,
				      0),
		.count = record->lost.count,
	};

	encode_put(encode, &fields, sizeof(fields));
	encode_put_trailer(encode, record, record->time_ns, (unsigned int)record->lost.kind);
}

static void encode_counted(struct perfdata_encode *encode, const struct record *record)
{
	struct perfdata_ext_aggregate counted = {
		.common = encode_common(record, PERFDATA_EXT_AGGREGATE, sizeof(counted),
					record->aggregate.all_match),
		.calls = record->aggregate.calls,
		.errors = record->aggregate.errors,
		.total_ns = record->aggregate.total_ns,
		.min_ns = record->aggregate.min_ns,
		.max_ns = record->aggregate.max_ns,
		.nr = record->aggregate.nr,
		.group = record->aggregate.group,
	};

	if (record->aggregate.steps)
		memcpy(counted.steps, record->aggregate.steps, sizeof(counted.steps));
	encode_put(encode, &counted, sizeof(counted));
}

static void encode_event(struct perfdata_encode *encode, const struct record *record)
{
	int event = encode->event ? encode->event(encode->event_ctx, record->event.number) : -1;
	uint32_t raw_bytes = (uint32_t)(encode_padded(record->event.bytes.len + sizeof(raw_bytes)) -
					sizeof(raw_bytes));
	struct perfdata_ext_sample sample;
	size_t start = encode->out.len;

	if (event < 0) {
		encode->left_out++;
		return;
	}
	sample = sample_of(record, record->time_ns, record->cpu, PERFDATA_EXT_ID(event, 0),
			   sizeof(sample));
	encode_put(encode, &sample, sizeof(sample));
	encode_put(encode, &raw_bytes, sizeof(raw_bytes));
	encode_put(encode, record->event.bytes.chunks, record->event.bytes.len);
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	if (encode_finish(encode, start))
		encode_note_time(encode, record->time_ns);
}

static void encode_blind(struct perfdata_encode *encode, const struct record *record)
{
	struct perfdata_ext_switches_lost blind = {
		.common = encode_common(record, PERFDATA_EXT_SWITCHES_LOST, sizeof(blind), 0),
		.until_ns = record->switches_lost.until_ns,
	};

	encode_put(encode, &blind, sizeof(blind));
}

static void put_common(struct perfdata_encode *encode, const struct record *record,
		       enum perfdata_ext_kind kind)
{
	struct perfdata_ext_common fields = encode_common(record, kind, sizeof(fields), 0);

	encode_put(encode, &fields, sizeof(fields));
}

void perfdata_encode_record(struct perfdata_encode *encode, const struct record *record)
{
	switch (record->kind) {
	case RECORD_ENTER:
		encode_enter(encode, record);
		break;
	case RECORD_EXIT:
		encode_exit(encode, record);
		break;
	case RECORD_CALL:
		encode_call(encode, record);
		break;
	case RECORD_AGGREGATE:
		encode_counted(encode, record);
		break;
	case RECORD_INFLIGHT:
		encode_seed(encode, record);
		break;
	case RECORD_RUNNING:
		encode_running(encode, record);
		break;
	case RECORD_SWITCHES_LOST:
		encode_blind(encode, record);
		break;
	case RECORD_SWITCH_OUT:
	case RECORD_SWITCH_IN:
		encode_switch(encode, record);
		break;
	case RECORD_WAKING:
		encode_waking(encode, record);
		break;
	case RECORD_TASK:
		encode_task(encode, record);
		break;
	case RECORD_OWNER:
		encode_owner(encode, record);
		break;
	case RECORD_COMM:
		encode_comm(encode, record);
		break;
	case RECORD_MAP:
		encode_map(encode, record);
		break;
	case RECORD_FORK:
		encode_fork(encode, record);
		break;
	case RECORD_TASK_EXIT:
		encode_task_exit(encode, record);
		break;
	case RECORD_EVENT:
		encode_event(encode, record);
		break;
	case RECORD_LOST:
		encode_lost(encode, record);
		break;
	case RECORD_GAP:
		put_common(encode, record, PERFDATA_EXT_GAP);
		break;
	case RECORD_FORGET:
		put_common(encode, record, PERFDATA_EXT_FORGET);
		break;
	case RECORD_KIND_COUNT:
		break;
	}
}

void perfdata_encode_begin(struct perfdata_encode *encode, bool copies, uint64_t began_ns)
{
	struct record unknown = { .time_ns = began_ns };
	struct perfdata_ext_begin begin = {
		.common = encode_common(&unknown, PERFDATA_EXT_BEGIN, sizeof(begin),
					(copies ? PERFDATA_EXT_COPIES : 0) |
						(encode->no_waits ? PERFDATA_EXT_NO_WAITS : 0) |
						(encode->no_ins ? PERFDATA_EXT_NO_INS : 0) |
						PERFDATA_EXT_CUTS),
		.version = PERFDATA_EXT_VERSION,
		.regs_mask = PERF_USER_REGS,
	};

	encode_put(encode, &begin, sizeof(begin));
}

void perfdata_encode_drained(struct perfdata_encode *encode, uint64_t time_ns)
{
	struct record drained = { .time_ns = time_ns };

	put_common(encode, &drained, PERFDATA_EXT_DRAINED);
}

void perfdata_encode_round(struct perfdata_encode *encode)
{
	struct perf_event_header header = { .type = PERFDATA_EXT_ROUND_TYPE,
					    .size = sizeof(header) };

	encode_put(encode, &header, sizeof(header));
}

void perfdata_encode_format(struct perfdata_encode *encode, int event, const char *name,
			    const char *text, size_t len)
{
	struct perfdata_ext_format format = {
		.own = encode_own(PERFDATA_EXT_EVENT, 0),
		.event = (uint32_t)event,
		.name_bytes = (uint32_t)strlen(name) + 1,
		.text_bytes = (uint32_t)len,
	};
	size_t start = encode->out.len;

	encode_put(encode, &format, sizeof(format));
	encode_put(encode, name, format.name_bytes);
	encode_put(encode, text, len);
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	encode_finish(encode, start);
}
