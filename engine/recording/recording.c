#include "engine/recording/recording.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/recording/perf_findings.h"
#include "engine/source/print_format.h"
#include "engine/recording/recorded_events.h"
#include "engine/recording/recorded_parts.h"
#include "engine/recording/recorded_singles.h"
#include "engine/recording/recording_private.h"
#include "engine/source/tracepoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records of a drain: a slice that leaves room for readers in between. */
#define SLICE_RECORDS (1u << 12)
/* One of ours ends where it ended when it was collected, if it says so. */
#define OWN_SLICE_RECORDS (1u << 20)

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

static void recording_forget(struct recording *recording)
{
	perf_decode_release(&recording->decode);
	perf_layouts_release(&recording->layouts);
	perf_own_decode_free(recording->own);
	free(recording->parts);
	recording->own = NULL;
	recording->parts = NULL;
}

static void recording_close(struct source *source)
{
	struct recording *recording = recording_of(source);

	read_ahead_free(recording->ahead);
	perf_scan_free(recording->scan);
	recording_forget(recording);
	pthread_mutex_destroy(&recording->mutex);
	perf_file_close(recording->file);
	free(recording->relaid);
	free(recording);
}

/* -- Reading, on its thread --------------------------------------------------------------- */

/* Where records go, with the build-ids that stand apart from them. */
struct forward {
	struct perf_header *header; /* of the build-ids, more of which may come with the records */
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
	told.map.build_id = perf_build_ids_find(perf_header_build_ids(forward->header),
						record->map.path, &told.map.build_id_bytes);
	forward->take(forward->ctx, &told);
}

/* Nearly all are these. False: it is none, or contradicts itself. */
static bool decode_plain(struct recording *recording, const struct perf_event_header *header,
			 struct forward *forward)
{
	const struct perf_layout *layout = perf_layouts_find(&recording->layouts, header);
	const unsigned char *raw;
	struct record record;
	uint32_t raw_bytes;

	raw = layout ? perf_layout_take(layout, header, &record, &raw_bytes) : NULL;
	if (!raw)
		return false;
	perf_decode_sampled(&recording->decode, &layout->event, &record, raw, raw_bytes,
			    forward->take, forward->ctx);
	return true;
}

static void decode_record(struct recording *recording, const struct perf_event_header *record,
			  struct forward *forward)
{
	struct perf_header *header = perf_file_header(recording->file);
	const struct perf_event_attr *attr = &perf_header_event(header, 0)->attr;
	uint64_t id;
	int event;

	if (decode_plain(recording, record, forward))
		return;
	id = perf_relayout_id(record, attr);
	event = perf_header_event_of_id(header, id);
	if (event >= (int)recording->event_count)
		event = -1;
	if (event >= 0)
		attr = &perf_header_event(header, (size_t)event)->attr;
	else if (record->type == PERF_RECORD_SAMPLE) {
		recording->unknown++;
		return;
	}
	/* An id of 0 is that of a file with one event, which recorded none. */
	record = perf_relayout(recording->relaid, record, attr, id ? id : 1,
			       event >= 0 ? recording->parts[event] : 0);
	if (record)
		perf_decode(&recording->decode, record, perf_relayout_cpu(record),
			    forward_record, forward);
}

static void add_finding(void *ctx, const struct finding *finding)
{
	findings_add(ctx, finding);
}

/* True: this was all that was handed over at once when it was collected. */
static bool decode_own(struct recording *recording, const struct perf_event_header *record,
		       struct forward *forward, uint64_t *told_ns)
{
	uint64_t before;

	if (recording->findings &&
	    perf_findings_read(record, add_finding, recording->findings, &before))
		return false;
	return perf_own_decode(recording->own, record, forward_record, forward, told_ns);
}

static uint64_t malformed(const struct recording *recording)
{
	return recording->own ? perf_own_decode_malformed(recording->own)
			      : recording->decode.malformed + recording->unknown;
}

/* What is wrong with it, and with single records. */
static void note_trouble(const struct recording *recording, struct recording_progress *progress)
{
	const char *trouble = perf_file_trouble(recording->file, &progress->damaged);
	uint64_t count = malformed(recording);
	size_t len = 0;

	progress->note[0] = '\0';
	if (trouble)
		len = (size_t)snprintf(progress->note, sizeof(progress->note), "%s", trouble);
	if (!count || len >= sizeof(progress->note))
		return;
	snprintf(progress->note + len, sizeof(progress->note) - len, "%s%" PRIu64 " record%s made "
		 "no sense and %s left out, the first in front of byte %" PRIu64,
		 len ? "; " : "", count, count > 1 ? "s" : "", count > 1 ? "were" : "was",
		 recording->malformed_at);
	progress->damaged = true;
}

/* The time of day at a time of the recording; 0: not told. */
static uint64_t wall_of(const struct perf_header *header, uint64_t time_ns)
{
	uint64_t clock_ns, wall_ns;

	if (!time_ns || !perf_header_clocks(header, &clock_ns, &wall_ns))
		return 0;
	/* It may be before that moment or behind it: what wraps around comes back. */
	return wall_ns + (time_ns - clock_ns);
}

static void note_progress(struct recording *recording)
{
	const struct perf_header *header = perf_file_header(recording->file);
	struct recording_progress progress = {
		.told = perf_file_told(recording->file),
		.first_ns = perf_file_first_ns(recording->file),
		.newest_ns = perf_file_newest_ns(recording->file),
		.last_ns = perf_header_last_ns(header),
		.events = (unsigned int)perf_header_event_count(header),
		.lost = recording->decode.lost,
		.tracepoints = recording->tracepoints,
		.waits = recording->has_switches,
		.wakings = recording->has_wakings,
	};

	progress.bytes_read = perf_file_progress(recording->file, &progress.bytes);
	if (!recording->malformed_at && malformed(recording))
		recording->malformed_at = progress.bytes_read;
	if (recording->own) {
		progress.lost = perf_own_decode_lost(recording->own);
		progress.tracepoints = perf_own_decode_tracepoints(recording->own);
		progress.waits = perf_own_decode_switches(recording->own);
		progress.wakings = perf_own_decode_wakings(recording->own);
	}
	progress.wall_ns = wall_of(header, progress.first_ns);
	note_trouble(recording, &progress);
	snprintf(progress.host, sizeof(progress.host), "%s", perf_header_hostname(header));
	snprintf(progress.release, sizeof(progress.release), "%s", perf_header_release(header));
	pthread_mutex_lock(&recording->mutex);
	recording->progress = progress;
	pthread_mutex_unlock(&recording->mutex);
}

static void read_slice(void *ctx, record_fn *take, void *take_ctx, struct read_ahead_slice *slice)
{
	struct recording *recording = ctx;
	struct forward forward = { perf_file_header(recording->file), take, take_ctx };
	size_t records = recording->own ? OWN_SLICE_RECORDS : SLICE_RECORDS;
	enum perf_file_state state = PERF_FILE_READY;

	/* Of ours, what was settled between two drains is settled there again. */
	for (size_t i = 0; i < records && !read_ahead_stops(recording->ahead); i++) {
		const struct perf_event_header *record;

		state = perf_file_next(recording->file, &record);
		if (state != PERF_FILE_READY)
			break;
		if (perf_file_time(recording->file) > slice->at_ns)
			slice->at_ns = perf_file_time(recording->file);
		if (!recording->own)
			decode_record(recording, record, &forward);
		else if (decode_own(recording, record, &forward, &slice->told_ns))
			break;
	}
	slice->end = state == PERF_FILE_END ? READ_AHEAD_OVER :
		     state == PERF_FILE_WAIT ? READ_AHEAD_WAITS : READ_AHEAD_MORE;
	note_progress(recording);
}

static void wait_for_file(void *ctx, int wake_fd)
{
	struct recording *recording = ctx;

	perf_file_wait(recording->file, wake_fd, -1);
}

static const struct read_ahead_ops read_ahead_ops = {
	.read = read_slice,
	.wait = wait_for_file,
};

/* -- Taking -------------------------------------------------------------------------------- */

void recording_halt(struct recording *recording)
{
	read_ahead_stop(recording->ahead);
	recording->slice = (struct read_ahead_slice){ .end = READ_AHEAD_MORE };
	recording->stands = false;
	recording->at_ns = 0;
}

static int read_on(struct recording *recording, struct err *err)
{
	if (read_ahead_runs(recording->ahead) || recording->slice.end == READ_AHEAD_OVER)
		return 0;
	return read_ahead_start(recording->ahead, err);
}

static int recording_start(struct source *source, struct err *err)
{
	return read_on(recording_of(source), err);
}

static int recording_wait(struct source *source, int timeout_ms)
{
	struct recording *recording = recording_of(source);

	/* Reading begins with the next drain. */
	if (!read_ahead_runs(recording->ahead) && recording->slice.end != READ_AHEAD_OVER)
		return 1;
	return read_ahead_wait(recording->ahead, recording->wake_fd, timeout_ms);
}

static int recording_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	struct recording *recording = recording_of(source);
	const struct record *record;
	int rc;

	if (recording->seeks) {
		recording_begin(recording);
		return 0;
	}
	rc = read_on(recording, err);
	/* What a pipe has not got is not waited for here. */
	if (rc < 0 || (recording->slice.end == READ_AHEAD_WAITS &&
		       read_ahead_wait(recording->ahead, -1, 0) <= 0))
		return rc;
	recording->stands = false;
	while ((record = read_ahead_next(recording->ahead, &recording->slice))) {
		/* One that cannot be would hold up all that come. */
		if (record->time_ns >= recording->limit_ns &&
		    record->time_ns < PERF_FILE_TIME_MAX) {
			recording->stands = true;
			return 0;
		}
		recording->at_ns = record->time_ns < PERF_FILE_TIME_MAX ? record->time_ns
								       : recording->at_ns;
		take(ctx, record);
		read_ahead_pass(recording->ahead);
		if (recording->single)
			return 0;
	}
	recording->was_at_end = recording->was_at_end || recording->slice.end == READ_AHEAD_OVER;
	/* What was read and means nothing takes its time too. */
	if (recording->slice.at_ns > recording->at_ns)
		recording->at_ns = recording->slice.at_ns < recording->limit_ns ?
				   recording->slice.at_ns : recording->limit_ns - 1;
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
	struct recording_progress progress;

	pthread_mutex_lock(&recording->mutex);
	progress = recording->progress;
	pthread_mutex_unlock(&recording->mutex);
	memset(status, 0, sizeof(*status));
	status->name = source->ops->name;
	status->events = progress.events;
	status->tracepoints = progress.tracepoints;
	snprintf(status->plan, sizeof(status->plan), "recording of %" PRIu64 " records",
		 progress.told);
	snprintf(status->note, sizeof(status->note), "%s", progress.note);
	status->damaged = progress.damaged;
	status->has_waits = progress.waits;
	status->has_wakers = progress.wakings;
	status->has_user_stacks = recording->own ? progress.waits : recording->has_user_stacks;
	status->lost = progress.lost;
	status->finished = recording->slice.end == READ_AHEAD_OVER;
	snprintf(status->host, sizeof(status->host), "%s", progress.host);
	snprintf(status->release, sizeof(status->release), "%s", progress.release);
	status->from_ns = progress.first_ns;
	status->wall_ns = progress.wall_ns;
	status->until_ns = recording->at_ns ? recording->at_ns : status->from_ns;
}

static uint64_t recording_told_ns(const struct source *source)
{
	return ((const struct recording *)source)->slice.told_ns;
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
	.told_ns = recording_told_ns,
	.play = &recording_play_ops,
};

/* The recorded format of one tracepoint; NULL if the file has none. */
static struct tracepoint *find_format(const struct recording *recording, int which)
{
	const struct perf_header *header = perf_file_header(recording->file);

	for (size_t i = 0; i < perf_header_format_count(header); i++) {
		const struct perf_file_format *format = perf_header_format(header, i);
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
	const struct perf_header *header = perf_file_header(recording->file);

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct perf_file_event *event = perf_header_event(header, i);

		for (int j = 0; event->attr.type == PERF_TYPE_TRACEPOINT && j < FORMAT_COUNT; j++)
			if (found[j] && event->attr.config == tracepoint_id(found[j]))
				recording->parts[i] = recorded_parts_learn(&recording->decode,
									   formats[j].kind,
									   false, event);
	}
}

/* Those of all events that mean an enter or an exit and nothing else. */
static void learn_layouts(struct recording *recording)
{
	const struct perf_header *header = perf_file_header(recording->file);

	perf_layouts_init(&recording->layouts, &perf_header_event(header, 0)->attr);
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct perf_file_event *event = perf_header_event(header, i);

		for (size_t j = 0; recording->parts[i] == PERF_SAMPLE_RAW && j < event->id_count;
		     j++) {
			const struct perf_id *id = perf_ids_find(&recording->decode.ids,
								 event->ids[j]);

			if (id && !id->stacked &&
			    (id->kind == PERF_KIND_ENTER || id->kind == PERF_KIND_EXIT))
				perf_layouts_add(&recording->layouts, id, &event->attr);
		}
	}
}

/* How calls are told of: by two events for all of them, or by two for each; false: not at all. */
static bool learn_calls(struct recording *recording, syscall_event_fn *name,
			struct tracepoint *found[FORMAT_COUNT])
{
	if (found[FORMAT_ENTER] && found[FORMAT_EXIT])
		return true;
	for (int i = FORMAT_ENTER; i <= FORMAT_EXIT; i++) {
		tracepoint_free(found[i]);
		found[i] = NULL;
	}
	return recorded_singles_learn(perf_file_header(recording->file), name,
				      &recording->decode, recording->parts) > 0;
}

static int learn(struct recording *recording, const struct recording_options *options,
		 struct err *err)
{
	struct tracepoint *found[FORMAT_COUNT];
	bool calls;
	int result = 0;

	for (int i = 0; i < FORMAT_COUNT; i++)
		found[i] = find_format(recording, i);
	calls = learn_calls(recording, options->syscall_event, found);
	if (calls) {
		result = perf_decode_learn(&recording->decode, found[FORMAT_ENTER],
					   found[FORMAT_EXIT], found[FORMAT_SWITCH],
					   found[FORMAT_WAKING], err);
		if (result)
			goto out;
		learn_ids(recording, found);
		learn_layouts(recording);
		recording->has_user_stacks = (recording->decode.types[PERF_KIND_SWITCH] |
					      recording->decode.types[PERF_KIND_ENTER]) &
					     PERF_SAMPLE_STACK_USER;
		recording->has_switches = found[FORMAT_SWITCH];
		recording->has_wakings = found[FORMAT_WAKING];
		recording->decode.next_from_switch = found[FORMAT_SWITCH];
		recording->decode.switch_records = !found[FORMAT_SWITCH];
	}
	/* Without calls, whatever else was recorded is what it is about. */
	recording->tracepoints = recorded_events_learn(perf_file_header(recording->file),
						       options->formats, &recording->decode,
						       recording->parts);
	if (!recording->tracepoints && !calls) {
		const char *trouble = perf_file_trouble(recording->file, NULL);

		result = trouble ? err_set(err, -EINVAL, "this recording does not tell what its "
					   "events are: %s", trouble) : err_set(err, -EINVAL,
				 "this recording has no system calls; record with `perf record -e "
				 "raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch "
				 "-g -a` or `perf trace record`");
	}
out:
	for (int i = 0; i < FORMAT_COUNT; i++)
		tracepoint_free(found[i]);
	return result;
}

bool source_recording_points(struct source *source, bool *copies)
{
	const struct perf_file_own *own = source->ops == &recording_ops ?
					  perf_file_own(recording_of(source)->file) : NULL;

	*copies = own && own->copies;
	return own;
}

char *source_recording_own(struct source *source, unsigned feature, unsigned version,
			   size_t *len)
{
	if (source->ops != &recording_ops)
		return NULL;
	return perf_header_take_own(perf_file_header(recording_of(source)->file), feature,
				    version, len);
}

bool source_recording_flight(struct source *source, struct flight_mark *mark)
{
	const struct perf_file_own *own = source->ops == &recording_ops ?
					  perf_file_own(recording_of(source)->file) : NULL;

	if (!own || own->flight.reason == FLIGHT_NONE)
		return false;
	*mark = own->flight;
	return true;
}

bool source_recording_machine(struct source *source, struct perf_machine *machine)
{
	const struct perf_kernel_map *map;

	if (source->ops != &recording_ops)
		return false;
	map = perf_file_kernel(recording_of(source)->file);
	perf_machine_from_header(machine, perf_file_header(recording_of(source)->file));
	if (map) {
		machine->kernel_text = map->text;
		if (map->build_id_bytes) {
			machine->kernel_id_bytes = map->build_id_bytes;
			memcpy(machine->kernel_id, map->build_id, map->build_id_bytes);
		}
	}
	return true;
}

bool source_recording_kernel(struct source *source, struct recording_kernel *kernel)
{
	const struct perf_kernel_map *map;
	struct perf_header *header;
	struct perf_file *file;

	if (source->ops != &recording_ops)
		return false;
	file = recording_of(source)->file;
	header = perf_file_header(file);
	map = perf_file_kernel(file);
	memset(kernel, 0, sizeof(*kernel));
	kernel->release = perf_header_release(header);
	kernel->kallsyms = perf_header_kallsyms(header, &kernel->kallsyms_len);
	if (map) {
		kernel->text = map->text;
		kernel->build_id = map->build_id_bytes ? map->build_id : NULL;
		kernel->build_id_bytes = map->build_id_bytes;
	}
	if (!kernel->build_id)
		kernel->build_id = perf_build_ids_find(perf_header_build_ids(header),
						       PERF_BUILD_IDS_KERNEL,
						       &kernel->build_id_bytes);
	return true;
}

int recording_decode_anew(struct recording *recording, struct err *err)
{
	int result;

	recording_forget(recording);
	result = perf_decode_init(&recording->decode);
	if (result)
		return err_set(err, result, "no memory for the table of tasks");
	if (perf_file_own(recording->file)) {
		recording->own = perf_own_decode_new(recording->options.formats);
		return 0;
	}
	recording->event_count = perf_header_event_count(perf_file_header(recording->file));
	recording->parts = mem_zalloc(recording->event_count, sizeof(*recording->parts));
	return learn(recording, &recording->options, err);
}

static void read_findings(struct recording *recording, struct findings *findings)
{
	if (!findings || !recording->own)
		return;
	findings_set_began(findings, perf_file_own(recording->file)->began_ns);
	if (perf_file_findings(recording->file, add_finding, findings))
		findings_sort(findings);
	else
		recording->findings = findings;
}

#if defined(__aarch64__)
#define OWN_ARCH "aarch64"
#else
#define OWN_ARCH "x86_64"
#endif

/* Calls have other numbers elsewhere, registers other names, and longs another size. */
static int check_machine(const struct perf_header *header, struct err *err)
{
	const char *arch = perf_header_arch(header);
	char shown[65];

	if (*arch && strcmp(arch, OWN_ARCH) != 0)
		return err_set(err, -ENOTSUP,
			       "this recording was made on a machine of the kind %s, whose system "
			       "calls have other numbers than those of " OWN_ARCH "; open it with "
			       "stxtop on such a machine",
			       escape_name(shown, sizeof(shown), arch));
	if (perf_header_long_bytes(header) == 4)
		return err_set(err, -ENOTSUP,
			       "this recording was made on a machine of 32 bits, whose system "
			       "calls have other numbers than those of " OWN_ARCH "; open it with "
			       "stxtop on such a machine");
	return 0;
}

int source_open_recording(struct source **source, const struct recording_options *options,
			  struct err *err)
{
	struct recording *recording = mem_zalloc(1, sizeof(*recording));
	int result;

	recording->source.ops = &recording_ops;
	recording->options = *options;
	recording->limit_ns = UINT64_MAX;
	recording->wake_fd = options->wake_fd ? options->wake_fd : -1;
	recording->relaid = mem_alloc(sizeof(*recording->relaid));
	pthread_mutex_init(&recording->mutex, NULL);
	result = perf_file_open(&recording->file, &options->file, err);
	if (!result)
		result = check_machine(perf_file_header(recording->file), err);
	if (!result)
		result = recording_decode_anew(recording, err);
	if (!result)
		read_findings(recording, options->findings);
	if (!result)
		result = read_ahead_new(&recording->ahead, &read_ahead_ops, recording, err);
	if (result) {
		recording_close(&recording->source);
		return result;
	}
	note_progress(recording);
	if (perf_file_can_rewind(recording->file) && options->indexed)
		recording->scan = perf_scan_start(recording->file);
	*source = &recording->source;
	return 0;
}
