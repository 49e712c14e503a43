/*
 * fuzz_recording - any bytes as a recording, read through the source into a model, with seeks and
 * feature sections. Calls are exported as JSON and as a Chrome trace, and both must be valid JSON.
 * recording_damage.h mutates whole records.
 */
#include "engine/collector/task_limit.h"
#include "engine/export/chrome_trace.h"
#include "engine/export/json.h"
#include "engine/model/prefetch_queue.h"
#include "engine/recorder/embedded_stacks.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/recording.h"
#include "engine/stack/embedded_names.h"
#include "tests/fuzz/recording_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HISTORY_BYTES ((size_t)1 << 20)
#define DRAINS_MAX 4096
#define CALLS_MAX 512 /* calls that are exported */
#define OBSERVATIONS_BYTES ((size_t)1 << 20)
#define PARTS 64 /* intervals of the density query */

/* libtraceevent leaks some strings of a format that it rejects, a bounded number per file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* -- Validation of JSON ------------------------------------------------------------------- */

static const char *skip_value(const char *at, int depth);

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \n");
}

static const char *skip_string(const char *at)
{
	if (*at++ != '"')
		return NULL;
	for (; *at != '"'; at++) {
		if ((unsigned char)*at < ' ')
			return NULL;
		if (*at != '\\')
			continue;
		at++;
		if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4)
			return NULL;
		if (!*at || !strchr("\"\\/bfnrtu", *at))
			return NULL;
	}
	return at + 1;
}

static const char *skip_members(const char *at, char end, int depth)
{
	at = skip_space(at + 1);
	if (*at == end)
		return at + 1;
	for (;; at = skip_space(at + 1)) {
		if (end == '}') {
			at = skip_string(at);
			if (!at || *at++ != ':')
				return NULL;
		}
		at = skip_value(at, depth + 1);
		if (!at)
			return NULL;
		at = skip_space(at);
		if (*at == end)
			return at + 1;
		if (*at != ',')
			return NULL;
	}
}

static const char *skip_value(const char *at, int depth)
{
	static const char *const words[] = { "true", "false", "null" };
	char *end;

	at = skip_space(at);
	if (depth > 16)
		return NULL;
	if (*at == '{' || *at == '[')
		return skip_members(at, *at == '{' ? '}' : ']', depth);
	if (*at == '"')
		return skip_string(at);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(at, words[i], strlen(words[i])))
			return at + strlen(words[i]);
	if (*at != '-' && (*at < '0' || *at > '9'))
		return NULL;
	strtod(at, &end);
	return end;
}

static void check_json(const struct str *text)
{
	const char *end = skip_value(text->data, 0);

	if (!end || *skip_space(end) || memchr(text->data, '\0', text->len)) {
		fprintf(stderr, "invalid JSON: %s\n", text->data);
		abort();
	}
}

/* -- Reading ------------------------------------------------------------------------------ */

struct reader {
	struct task_limit task_limit;
	struct prefetch_queue prefetch_queue;
	struct model *model;
	uint64_t newest_ns;
};

static void take(void *ctx, const struct record *record)
{
	struct reader *reader = ctx;
	struct record gone;

	if (!task_limit_admit(&reader->task_limit, record))
		return;
	if (record->time_ns > reader->newest_ns)
		reader->newest_ns = record->time_ns;
	while (task_limit_next_evicted(&reader->task_limit, record->time_ns, &gone))
		prefetch_queue_feed(&reader->prefetch_queue, &gone);
	prefetch_queue_feed(&reader->prefetch_queue, record);
}

static void read_all(struct reader *reader, struct source *source)
{
	struct source_status status;
	struct err err;

	for (int i = 0; i < DRAINS_MAX; i++) {
		if (source_drain(source, take, reader, &err) < 0)
			break;
		prefetch_queue_flush(&reader->prefetch_queue);
		model_settle(reader->model, reader->newest_ns);
		source_status(source, &status);
		if (status.finished)
			break;
		source_wait(source, 1000);
	}
	model_settle(reader->model, UINT64_MAX);
}

/* Format an event (CALL_EVENT), as the printed lines and the interface do. */
static void write_event(struct event_formats *formats, const struct call *call, struct str *line)
{
	static const unsigned char none[8];

	str_clear(line);
	event_formats_text(formats, call->args[0], none, sizeof(none), 0, line);
	for (size_t i = 0; i < line->len; i++)
		if ((unsigned char)line->data[i] < ' ')
			abort();
}

static void write_calls(struct model *model, struct syscalls *syscalls,
			struct event_formats *formats)
{
	struct history *history = model_history(model);
	uint64_t end = history_end(history), first = history_first(history);
	struct chrome_trace trace;
	struct str line = STR_INIT, all = STR_INIT;
	struct call call;

	chrome_trace_init(&trace);
	chrome_trace_begin(&trace, &all);
	if (end - first > CALLS_MAX)
		first = end - CALLS_MAX;
	for (uint64_t seq = first; seq < end; seq++) {
		const struct json_call more = { .comm = "it" };
		const struct chrome_call traced = { .comm = "it" };

		if (!history_get(history, seq, &call))
			continue;
		if (call.state == CALL_EVENT) {
			write_event(formats, &call, &line);
			continue;
		}
		str_clear(&line);
		json_add_call(&line, syscalls, &call, &more);
		check_json(&line);
		chrome_trace_add(&trace, &all, syscalls, &call, &traced);
	}
	chrome_trace_end(&trace, &all);
	check_json(&all);
	chrome_trace_release(&trace);
	str_release(&line);
	str_release(&all);
}

static void go_about(struct reader *reader, struct source *source)
{
	const struct source_play_ops *play = source->ops->play;
	struct source_extent extent;

	uint32_t records[PARTS];

	if (!play || play->refusal(source))
		return;
	play->extent(source, &extent);
	if (play->density)
		play->density(source, extent.first_ns, extent.last_ns, records, PARTS);
	play->seek(source, extent.first_ns / 2 + extent.last_ns / 2);
	play->limit(source, extent.last_ns, false);
	model_start_over(reader->model, extent.first_ns);
	read_all(reader, source);
}

/* Read the feature sections. */
static void look_beside(struct source *source)
{
	struct recording_kernel kernel;
	struct perfdata_machine machine;
	struct flight_mark mark;
	size_t len;
	bool copies;
	char *bytes;

	source_recording_points(source, &copies);
	source_recording_kernel(source, &kernel);
	if (source_recording_machine(source, &machine))
		perfdata_machine_release(&machine);
	source_recording_flight(source, &mark);
	bytes = source_recording_own(source, PERFDATA_EXT_FEATURE_NAMES, EMBEDDED_NAMES_VERSION,
				     &len);
	if (bytes)
		embedded_names_free(embedded_names_new(bytes, len));
	bytes = source_recording_own(source, PERFDATA_EXT_FEATURE_UNWOUND, EMBEDDED_STACKS_VERSION,
				     &len);
	if (bytes)
		embedded_stacks_free(embedded_stacks_new(bytes, len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct syscalls *syscalls;
	static int fd = -1;
	struct model_options options = { .history_bytes = HISTORY_BYTES };
	struct recording_options recording = { .indexed = true,
					       .syscall_event = syscalls_event_name };
	struct event_names *names;
	struct reader reader = { 0 };
	struct source *source;
	struct err err;
	char path[64];

	if (fd < 0) {
		fd = memfd_create("recording", MFD_CLOEXEC);
		syscalls = syscalls_load(NULL);
	}
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	recording.file.path = path;
	names = event_names_new();
	recording.formats = event_formats_new(names);
	recording.observations = options.observations = observations_new(OBSERVATIONS_BYTES);
	options.event_names = names;
	if (source_open_recording(&source, &recording, &err)) {
		for (const char *c = err.text; *c; c++)
			if ((unsigned char)*c < ' ')
				abort();
		goto out;
	}
	look_beside(source);
	if (source_start(source, &err) || model_new(&reader.model, &options, &err))
		abort();
	task_limit_init(&reader.task_limit, 64);
	prefetch_queue_init(&reader.prefetch_queue, reader.model);
	model_lock(reader.model);
	read_all(&reader, source);
	write_calls(reader.model, syscalls, recording.formats);
	if (size % 4 == 0)
		go_about(&reader, source);
	model_unlock(reader.model);
	source_close(source);
	model_free(reader.model);
	task_limit_release(&reader.task_limit);
out:
	observations_free(recording.observations);
	event_formats_free(recording.formats);
	event_names_free(names);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	return recording_damage(data, size, max, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
				 size_t two_size, uint8_t *out, size_t max, unsigned int seed)
{
	return recording_damage_mix(one, one_size, two, two_size, out, max, seed);
}
