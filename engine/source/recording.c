#include "engine/source/recording.h"

#include "engine/base/mem.h"
#include "engine/source/perf_decode.h"
#include "engine/source/perf_file.h"
#include "engine/source/perf_relayout.h"
#include "engine/source/print_format.h"
#include "engine/source/recorded_events.h"
#include "engine/source/tracepoint.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records of a drain: a slice that leaves room for readers in between. */
#define DRAIN_RECORDS 16384

enum { FORMAT_ENTER, FORMAT_EXIT, FORMAT_SWITCH, FORMAT_WAKING, FORMAT_COUNT };

static const struct {
	const char *system, *name;
	enum perf_kind kind;
} formats[FORMAT_COUNT] = {
	[FORMAT_ENTER] = { "raw_syscalls", "sys_enter", PERF_KIND_ENTER },
	[FORMAT_EXIT] = { "raw_syscalls", "sys_exit", PERF_KIND_EXIT },
	[FORMAT_SWITCH] = { "sched", "sched_switch", PERF_KIND_SWITCH },
	[FORMAT_WAKING] = { "sched", "sched_waking", PERF_KIND_WAKING },
};

struct recording {
	struct source source;
	struct perf_file *file;
	struct perf_decode decode;
	struct perf_relaid *relaid;
	uint64_t *parts; /* of each event: which parts of its samples go on */
	size_t next;     /* record */
	uint64_t from_ns, until_ns;
	bool has_switches, has_wakings, has_user_stacks;
	unsigned int tracepoints; /* others */
};

static struct recording *recording_of(struct source *source)
{
	return (struct recording *)source;
}

static void recording_close(struct source *source)
{
	struct recording *recording = recording_of(source);

	perf_decode_release(&recording->decode);
	perf_file_close(recording->file);
	free(recording->relaid);
	free(recording->parts);
	free(recording);
}

static int recording_start(struct source *source, struct err *err)
{
	(void)source;
	(void)err;
	return 0;
}

static bool at_end(const struct recording *recording)
{
	return recording->next == perf_file_record_count(recording->file);
}

static int recording_wait(struct source *source, int timeout_ms)
{
	if (!at_end(recording_of(source)))
		return 1;
	poll(NULL, 0, timeout_ms);
	return 0;
}

/* Where records go, with the build-ids that stand apart from them. */
struct forward {
	const struct perf_build_ids *build_ids;
	record_fn *take;
	void *ctx;
};

static void forward_record(void *arg, const struct record *record)
{
	const struct forward *forward = arg;
	struct record told;

	if (record->kind != RECORD_MAP || record->map.build_id) {
		forward->take(forward->ctx, record);
		return;
	}
	told = *record;
	told.map.build_id = perf_build_ids_find(forward->build_ids, record->map.path,
						&told.map.build_id_bytes);
	forward->take(forward->ctx, &told);
}

static int recording_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	struct recording *recording = recording_of(source);
	struct forward forward = { perf_file_build_ids(recording->file), take, ctx };

	(void)err;
	for (int i = 0; i < DRAIN_RECORDS && !at_end(recording); i++) {
		const struct perf_event_header *header =
			perf_file_record(recording->file, recording->next++);
		const struct perf_event_attr *attr = &perf_file_event(recording->file, 0)->attr;
		uint64_t id = perf_relayout_id(header, attr);
		int event = perf_file_event_of_id(recording->file, id);

		if (event >= 0)
			attr = &perf_file_event(recording->file, (size_t)event)->attr;
		else if (header->type == PERF_RECORD_SAMPLE)
			continue;
		/* An id of 0 is that of a file with one event, which recorded none. */
		header = perf_relayout(recording->relaid, header, attr, id ? id : 1,
				       event >= 0 ? recording->parts[event] : 0);
		if (header)
			perf_decode(&recording->decode, header, perf_relayout_cpu(header),
				    forward_record, &forward);
	}
	return 0;
}

/* The user half of a filter decides alone: what was recorded is there already. */
static int recording_set_filter(struct source *source, const struct kernel_filter *filter,
				struct err *err)
{
	(void)source;
	(void)filter;
	(void)err;
	return 0;
}

static int recording_set_running(struct source *source, bool running, struct err *err)
{
	(void)source;
	(void)running;
	(void)err;
	return 0;
}

static void recording_status(struct source *source, struct source_status *status)
{
	struct recording *recording = recording_of(source);
	const char *note = perf_file_truncated(recording->file);

	memset(status, 0, sizeof(*status));
	status->name = source->ops->name;
	status->events = (unsigned)perf_file_event_count(recording->file);
	status->tracepoints = recording->tracepoints;
	snprintf(status->plan, sizeof(status->plan), "recording of %zu records",
		 perf_file_record_count(recording->file));
	if (note)
		snprintf(status->note, sizeof(status->note), "%s", note);
	status->has_waits = recording->has_switches;
	status->has_wakers = recording->has_wakings;
	status->has_user_stacks = recording->has_user_stacks;
	status->lost = recording->decode.lost;
	status->finished = at_end(recording);
	snprintf(status->host, sizeof(status->host), "%s", perf_file_hostname(recording->file));
	snprintf(status->release, sizeof(status->release), "%s",
		 perf_file_release(recording->file));
	status->from_ns = recording->from_ns;
	status->until_ns = recording->until_ns;
}

static const struct source_ops recording_ops = {
	.name = "recording",
	.close = recording_close,
	.start = recording_start,
	.wait = recording_wait,
	.drain = recording_drain,
	.set_filter = recording_set_filter,
	.set_running = recording_set_running,
	.status = recording_status,
};

/* The recorded format of one tracepoint; NULL if the file has none. */
static struct tracepoint *find_format(const struct recording *recording, int which)
{
	for (size_t i = 0; i < perf_file_format_count(recording->file); i++) {
		const struct perf_file_format *format = perf_file_format(recording->file, i);
		struct tracepoint *tracepoint;
		if (strcmp(format->system, formats[which].system) != 0 ||
		    !format_fields_are_plain(format->text, format->len) ||
		    tracepoint_parse(&tracepoint, format->system, format->text, format->len, NULL))
			continue;
		if (!strcmp(tracepoint_name(tracepoint), formats[which].name))
			return tracepoint;
		tracepoint_free(tracepoint);
	}
	return NULL;
}

/* Tells the decoder which sample ids are calls, switches and wakings. */
static void learn_ids(struct recording *recording, struct tracepoint *const found[FORMAT_COUNT])
{
	for (size_t i = 0; i < perf_file_event_count(recording->file); i++) {
		const struct perf_file_event *event = perf_file_event(recording->file, i);
		uint64_t type = event->attr.sample_type & PERF_RELAYOUT_PARTS;
		if (event->attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		for (int j = 0; j < FORMAT_COUNT; j++) {
			struct perf_id id = { .kind = formats[j].kind };
			if (!found[j] || event->attr.config != tracepoint_id(found[j]))
				continue;
			if (j == FORMAT_ENTER || j == FORMAT_EXIT)
				type &= PERF_SAMPLE_RAW;
			else if (j == FORMAT_WAKING)
				type &= PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN;
			recording->parts[i] = type;
			if (j == FORMAT_SWITCH) {
				recording->decode.types[PERF_KIND_SWITCH] = type;
				recording->decode.regs_mask = event->attr.sample_regs_user;
				recording->has_user_stacks = type & PERF_SAMPLE_STACK_USER;
			} else if (j == FORMAT_WAKING) {
				recording->decode.types[PERF_KIND_WAKING] = type;
			}
			for (size_t k = 0; k < event->id_count; k++) {
				id.id = event->ids[k];
				if (id.id)
					perf_ids_add(&recording->decode.ids, &id);
			}
			if (!event->id_count) {
				id.id = 1;
				perf_ids_add(&recording->decode.ids, &id);
			}
		}
	}
}

static int learn(struct recording *recording, struct event_formats *events,
		 struct err *err)
{
	struct tracepoint *found[FORMAT_COUNT];
	int result = 0;

	for (int i = 0; i < FORMAT_COUNT; i++)
		found[i] = find_format(recording, i);
	if (found[FORMAT_ENTER] && found[FORMAT_EXIT]) {
		result = perf_decode_learn(&recording->decode, found[FORMAT_ENTER],
					   found[FORMAT_EXIT], found[FORMAT_SWITCH],
					   found[FORMAT_WAKING], err);
		if (result)
			goto out;
		learn_ids(recording, found);
		recording->has_switches = found[FORMAT_SWITCH];
		recording->has_wakings = found[FORMAT_WAKING];
		recording->decode.next_from_switch = found[FORMAT_SWITCH];
		recording->decode.switch_records = !found[FORMAT_SWITCH];
	}
	/* Without calls, whatever else was recorded is what it is about. */
	recording->tracepoints = recorded_events_learn(recording->file, events,
						       &recording->decode, recording->parts);
	if (!recording->tracepoints && !(found[FORMAT_ENTER] && found[FORMAT_EXIT]))
		result = err_set(err, -EINVAL,
				 "this recording has no system calls; record with `perf record -e "
				 "raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch "
				 "-g -a` or `perf trace record`");
out:
	for (int i = 0; i < FORMAT_COUNT; i++)
		tracepoint_free(found[i]);
	return result;
}

/* The time of a record; 0 for one that is not of these events or contradicts itself. */
static uint64_t time_of(const struct recording *recording, const struct perf_event_header *header)
{
	const struct perf_file *file = recording->file;
	int event = perf_file_event_of_id(
		file, perf_relayout_id(header, &perf_file_event(file, 0)->attr));

	if (event < 0)
		return 0;
	header = perf_relayout(recording->relaid, header,
			       &perf_file_event(file, (size_t)event)->attr, 1, 0);
	return header ? perf_decode_time(&recording->decode, header) : 0;
}

/* Records of what existed before carry no time of their own: samples do. */
static uint64_t find_start(const struct recording *recording)
{
	for (size_t i = 0; i < perf_file_record_count(recording->file); i++) {
		const struct perf_event_header *header = perf_file_record(recording->file, i);
		uint64_t time_ns = header->type == PERF_RECORD_SAMPLE ? time_of(recording, header)
								      : 0;
		if (time_ns)
			return time_ns;
	}
	return 0;
}

/* "Now" for calls that were in flight at the end. */
static uint64_t find_end(const struct recording *recording)
{
	for (size_t i = perf_file_record_count(recording->file); i-- > 0;) {
		uint64_t time_ns = time_of(recording, perf_file_record(recording->file, i));
		if (time_ns)
			return time_ns;
	}
	return 0;
}

/*
 * As perf describes the kernel itself, once, before all else. An MMAP2 record has more
 * between this and the path, with a build-id in it where the recorder was told so.
 */
struct kernel_map {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, bytes;
	uint64_t text; /* the offset in its file, but of the kernel: where the symbol is */
};

#define MMAP2_ID_BYTES_AT sizeof(struct kernel_map)
#define MMAP2_ID_AT (MMAP2_ID_BYTES_AT + 4)
#define MMAP2_PATH_AT (sizeof(struct kernel_map) + 32)

static bool is_text(const char *path, size_t bytes)
{
	static const char *const paths[] = { PERF_BUILD_IDS_KERNEL "_text",
					     PERF_BUILD_IDS_KERNEL "_stext" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (strlen(paths[i]) < bytes && !strcmp(path, paths[i]))
			return true;
	return false;
}

/* False: it is not of the kernel. */
static bool read_kernel_map(const struct perf_event_header *header,
			    struct recording_kernel *kernel)
{
	const unsigned char *at = (const unsigned char *)header;
	size_t path_at = sizeof(struct kernel_map);

	if (header->type == PERF_RECORD_MMAP2)
		path_at = MMAP2_PATH_AT;
	else if (header->type != PERF_RECORD_MMAP)
		return false;
	if (header->size <= path_at || !memchr(at + path_at, '\0', header->size - path_at) ||
	    !is_text((const char *)at + path_at, header->size - path_at))
		return false;
	memcpy(&kernel->text, at + offsetof(struct kernel_map, text), sizeof(kernel->text));
	if (header->type == PERF_RECORD_MMAP2 &&
	    (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) &&
	    at[MMAP2_ID_BYTES_AT] <= PERF_BUILD_ID_BYTES) {
		kernel->build_id = at + MMAP2_ID_AT;
		kernel->build_id_bytes = at[MMAP2_ID_BYTES_AT];
	}
	return true;
}

bool source_recording_kernel(struct source *source, struct recording_kernel *kernel)
{
	const struct perf_file *file;

	if (source->ops != &recording_ops)
		return false;
	file = recording_of(source)->file;
	kernel->build_id = perf_build_ids_find(perf_file_build_ids(file), PERF_BUILD_IDS_KERNEL,
					       &kernel->build_id_bytes);
	for (size_t i = 0; i < perf_file_record_count(file); i++)
		if (read_kernel_map(perf_file_record(file, i), kernel))
			return kernel->build_id != NULL;
	return false;
}

int source_open_recording(struct source **source, const char *path,
			  struct event_formats *events, struct err *err)
{
	struct recording *recording = mem_zalloc(1, sizeof(*recording));
	int result;

	recording->source.ops = &recording_ops;
	recording->relaid = mem_alloc(sizeof(*recording->relaid));
	result = perf_decode_init(&recording->decode);
	if (result)
		err_set(err, result, "no memory for the table of tasks");
	if (!result)
		result = perf_file_open(&recording->file, path, err);
	if (!result) {
		recording->parts = mem_zalloc(perf_file_event_count(recording->file),
					      sizeof(*recording->parts));
		result = learn(recording, events, err);
	}
	if (result) {
		recording_close(&recording->source);
		return result;
	}
	recording->from_ns = find_start(recording);
	recording->until_ns = find_end(recording);
	*source = &recording->source;
	return 0;
}
