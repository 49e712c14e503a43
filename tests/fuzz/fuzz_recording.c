/*
 * A recording made of anything, read as the program reads it: through the source into a model,
 * its calls as JSON and as a trace, gone about in. What comes out is JSON. Most changes are made
 * to records as such, so that they get behind what frames them.
 */
#include "engine/crowd.h"
#include "engine/export/chrome_trace.h"
#include "engine/export/json.h"
#include "engine/model/intake.h"
#include "engine/recording/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HISTORY_BYTES ((size_t)1 << 20)
#define DRAINS_MAX 4096
#define CALLS_MAX 512 /* are written out */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* -- Whether it is JSON ------------------------------------------------------------------- */

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
		fprintf(stderr, "no JSON: %s\n", text->data);
		abort();
	}
}

/* -- Reading ------------------------------------------------------------------------------ */

struct reader {
	struct crowd crowd;
	struct intake intake;
	struct model *model;
	uint64_t newest_ns;
};

static void take(void *ctx, const struct record *record)
{
	struct reader *reader = ctx;
	struct record gone;

	if (!crowd_take(&reader->crowd, record))
		return;
	if (record->time_ns > reader->newest_ns)
		reader->newest_ns = record->time_ns;
	while (crowd_next_gone(&reader->crowd, record->time_ns, &gone))
		intake_feed(&reader->intake, &gone);
	intake_feed(&reader->intake, record);
}

static void read_all(struct reader *reader, struct source *source)
{
	struct source_status status;
	struct err err;

	for (int i = 0; i < DRAINS_MAX; i++) {
		if (source_drain(source, take, reader, &err) < 0)
			break;
		intake_flush(&reader->intake);
		model_settle(reader->model, reader->newest_ns);
		source_status(source, &status);
		if (status.finished)
			break;
		source_wait(source, 1000);
	}
	model_settle(reader->model, UINT64_MAX);
}

static void write_calls(struct model *model, struct syscalls *syscalls)
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

		if (!history_get(history, seq, &call) || call.state == CALL_EVENT)
			continue;
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

	if (!play || play->refusal(source))
		return;
	play->extent(source, &extent);
	play->seek(source, extent.first_ns / 2 + extent.last_ns / 2);
	play->limit(source, extent.last_ns, false);
	model_start_over(reader->model, extent.first_ns);
	read_all(reader, source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct syscalls *syscalls;
	static int fd = -1;
	struct model_options options = { .history_bytes = HISTORY_BYTES };
	struct recording_options recording = { .indexed = true };
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
	if (source_open_recording(&source, &recording, &err)) {
		for (const char *c = err.text; *c; c++)
			if ((unsigned char)*c < ' ')
				abort();
		return 0;
	}
	if (source_start(source, &err) || model_new(&reader.model, &options, &err))
		abort();
	crowd_init(&reader.crowd, 64);
	intake_init(&reader.intake, reader.model);
	model_lock(reader.model);
	read_all(&reader, source);
	write_calls(reader.model, syscalls);
	if (size % 4 == 0)
		go_about(&reader, source);
	model_unlock(reader.model);
	source_close(source);
	model_free(reader.model);
	crowd_release(&reader.crowd);
	return 0;
}

/* -- Changes to records ------------------------------------------------------------------- */

static unsigned int next_random(unsigned int *seed)
{
	return (unsigned int)rand_r(seed);
}

/* Where the records begin; 0: no file, nor what a pipe has. */
static size_t first_record(const uint8_t *data, size_t size)
{
	uint64_t kind, at;

	if (size < 112)
		return 0;
	memcpy(&kind, data + 8, sizeof(kind));
	if (kind == 16)
		return 16;
	memcpy(&at, data + 40, sizeof(at));
	return at < size - 16 ? (size_t)at : 0;
}

/* Some record, and how large it says that it is; 0: there is none. */
static size_t some_record(const uint8_t *data, size_t size, unsigned int *seed, uint16_t *bytes)
{
	size_t at = first_record(data, size), found = 0;
	unsigned int steps = next_random(seed) % 300;

	while (at && at + 8 <= size) {
		uint16_t len;

		memcpy(&len, data + at + 6, sizeof(len));
		if (len < 8 || at + len > size)
			break;
		found = at;
		*bytes = len;
		if (!steps--)
			break;
		at += len;
	}
	return found;
}

static uint64_t some_number(unsigned int *seed, uint64_t now)
{
	static const uint64_t numbers[] = {
		0, 1, 7, 8, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 1ULL << 32, 1ULL << 47,
		1ULL << 62, 1ULL << 63, UINT64_MAX, UINT64_MAX - 7,
	};
	unsigned int choice = next_random(seed) % 20;

	if (choice < sizeof(numbers) / sizeof(numbers[0]))
		return numbers[choice];
	if (choice == 19)
		return (uint64_t)next_random(seed) << 31 ^ next_random(seed);
	return now + (uint64_t)next_random(seed) % 64 - 32;
}

static void change_word(uint8_t *at, size_t bytes, unsigned int *seed)
{
	size_t width = next_random(seed) % 2 ? 8 : 4, where;
	uint64_t value = 0;

	if (bytes < 16)
		return;
	where = 8 + next_random(seed) % ((bytes - 8) / width) * width;
	memcpy(&value, at + where, width);
	value = some_number(seed, value);
	memcpy(at + where, &value, width);
}

static void change_head(uint8_t *at, unsigned int *seed)
{
	uint32_t type = next_random(seed) % 3 ? next_random(seed) % 22
					      : 64 + next_random(seed) % 20;
	uint16_t misc = (uint16_t)next_random(seed), len = (uint16_t)(misc & ~7u);

	switch (next_random(seed) % 3) {
	case 0:
		memcpy(at, &type, sizeof(type));
		break;
	case 1:
		memcpy(at + 4, &misc, sizeof(misc));
		break;
	default:
		memcpy(at + 6, &len, sizeof(len));
		break;
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	uint16_t bytes = 0;
	size_t at = some_record(data, size, &seed, &bytes);

	switch (at ? next_random(&seed) % 8 : 7) {
	case 0:
	case 1:
	case 2:
	case 3:
		change_word(data + at, bytes, &seed);
		return size;
	case 4:
		change_head(data + at, &seed);
		return size;
	case 5: /* twice */
		if (size + bytes > max)
			return size;
		memmove(data + at + bytes, data + at, size - at);
		return size + bytes;
	case 6: /* not at all */
		memmove(data + at, data + at + bytes, size - at - bytes);
		return size - bytes;
	default:
		return LLVMFuzzerMutate(data, size, max);
	}
}
