/*
 * recording_setup - derives the meaning of a recording's events from its tracepoint formats.
 */
#include "engine/base/mem.h"
#include "engine/recording/read/recorded_sample_fields.h"
#include "engine/recording/read/recorded_syscall_events.h"
#include "engine/recording/read/recorded_tracepoints.h"
#include "engine/recording/read/recording_private.h"
#include "engine/source/print_format.h"
#include "engine/source/tracepoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Return the recorded format of a tracepoint; NULL: the file has none. */
static struct tracepoint *find_format(const struct recording *recording, int which)
{
	const struct perfdata_header *header = perfdata_file_header(recording->file);

	for (size_t i = 0; i < perfdata_header_format_count(header); i++) {
		const struct perfdata_file_format *format = perfdata_header_format(header, i);
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

/* Register the sample ids of calls, switches and wakings with the decoder. */
static void learn_ids(struct recording *recording, struct tracepoint *const found[FORMAT_COUNT])
{
	const struct perfdata_header *header = perfdata_file_header(recording->file);

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct perfdata_file_event *event = perfdata_header_event(header, i);

		for (int j = 0; event->attr.type == PERF_TYPE_TRACEPOINT && j < FORMAT_COUNT; j++)
			if (found[j] && event->attr.config == tracepoint_id(found[j]))
				recording->parts[i] = recorded_parts_learn(
					&recording->decode, formats[j].kind, false, event);
	}
}

/* Add the layouts of enters and exits of which only the raw bytes are used. */
static void learn_layouts(struct recording *recording)
{
	const struct perfdata_header *header = perfdata_file_header(recording->file);

	perf_layouts_init(&recording->layouts, &perfdata_header_event(header, 0)->attr);
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct perfdata_file_event *event = perfdata_header_event(header, i);

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

/* Set up calls: two events for all system calls, or two for each. False: no calls. */
static bool learn_calls(struct recording *recording, syscall_event_fn *name,
			struct tracepoint *found[FORMAT_COUNT])
{
	if (found[FORMAT_ENTER] && found[FORMAT_EXIT])
		return true;
	for (int i = FORMAT_ENTER; i <= FORMAT_EXIT; i++) {
		tracepoint_free(found[i]);
		found[i] = NULL;
	}
	return recorded_syscall_events_learn(perfdata_file_header(recording->file), name,
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
	/* Without calls, the other tracepoints are the content of the recording. */
	recording->tracepoints = recorded_events_learn(perfdata_file_header(recording->file),
						       options->formats, &recording->decode,
						       recording->parts);
	if (!recording->tracepoints && !calls) {
		const char *trouble = perfdata_file_trouble(recording->file, NULL);

		result = trouble ? err_set(err, -EINVAL,
					   "cannot identify the events of this recording: %s",
					   trouble)
				 : err_set(err, -EINVAL,
					   "this recording has no system calls; record with `perf "
					   "record -e "
					   "raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:"
					   "sched_switch "
					   "-g -a` or `perf trace record`");
	}
out:
	for (int i = 0; i < FORMAT_COUNT; i++)
		tracepoint_free(found[i]);
	return result;
}

void recording_forget(struct recording *recording)
{
	perf_decode_release(&recording->decode);
	perf_layouts_release(&recording->layouts);
	perfdata_ext_decode_free(recording->own);
	free(recording->parts);
	recording->own = NULL;
	recording->parts = NULL;
	recording->lost_samples = 0;
}

int recording_decode_anew(struct recording *recording, struct err *err)
{
	int result;

	recording_forget(recording);
	result = perf_decode_init(&recording->decode);
	if (result)
		return err_set(err, result, "no memory for the task table");
	if (perfdata_file_own(recording->file)) {
		recording->own = perfdata_ext_decode_new(recording->options.formats);
		return 0;
	}
	recording->event_count = perfdata_header_event_count(perfdata_file_header(recording->file));
	recording->parts = mem_zalloc(recording->event_count, sizeof(*recording->parts));
	return learn(recording, &recording->options, err);
}
