#include "engine/source/perf_file.h"

#include "engine/base/mem.h"
#include "engine/source/perf_input.h"
#include "engine/source/perf_order.h"
#include "engine/source/perf_own.h"
#include "engine/source/perf_own_decode.h"
#include "engine/source/perf_unpack.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Records of perf itself (PERF_RECORD_USER_TYPE_START, tools/lib/perf/include/perf/event.h). */
enum user_type {
	FIRST_USER_TYPE = 64,
	TYPE_HEADER_ATTR = 64,
	TYPE_TRACING_DATA = 66,
	TYPE_BUILD_ID = 67,
	TYPE_FINISHED_ROUND = 68,
	TYPE_AUXTRACE = 71,
	TYPE_HEADER_FEATURE = 80,
	TYPE_COMPRESSED = 81,
	TYPE_COMPRESSED2 = 83,
};

#define PIPE_HEADER_BYTES 16
#define ATTR_BYTES_MIN 64 /* PERF_ATTR_SIZE_VER0 */
#define ATTR_BYTES_MAX 4096
#define ATTRS_BYTES_MAX (16u << 20)
#define IDS_BYTES_MAX (32u << 20)
#define FEATURE_BYTES_MAX (256u << 20)
#define PIECE_BYTES 4096

struct section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size;
	uint64_t attr_size;
	struct section attrs;
	struct section data;
	struct section event_types; /* no longer used */
	uint64_t features[PERF_FEATURE_COUNT / 64];
};

struct perf_file {
	struct perf_input *input;
	struct perf_header *header;
	struct perf_unpack *unpack; /* NULL: nothing was compressed yet */
	struct perf_order *order;
	struct perf_kernel_map kernel;
	bool has_kernel;
	struct perf_file_own own;
	const struct perf_event_header *own_ready; /* was read, and not told yet */
	bool is_own, read_any;
	bool stream;     /* as in a pipe: what stands in front are records too */
	bool unpacking;  /* the record in front of the input is one that others are in */
	size_t in_front; /* bytes of the record that was handed out, still in front */
	bool sampled;    /* a sample was read: what stands in front of them is over */
	bool ended;
	struct {
		char *bytes; /* NULL: it is not being read */
		size_t len, got;
	} tracing; /* in a pipe: formats, behind their record */
	uint64_t sample_ns; /* of the last sample, in the order of the file */
	uint64_t first_ns, newest_ns, told;
	const char *truncated;
};

static int refuse(struct err *err, const char *what)
{
	return err_set(err, -EINVAL,
		       "this is not a perf.data file that can be read: %s; record it again with "
		       "`perf record` or `perf trace record`",
		       what);
}

/* -- The time of a record ---------------------------------------------------------------- */

/* Where the time stands, in 8-byte words from the end, in records that are not samples. */
static int words_behind_time(uint64_t sample_type)
{
	int words = 0;

	if (!(sample_type & PERF_SAMPLE_TIME))
		return -1;
	words += (sample_type & PERF_SAMPLE_ID) != 0;
	words += (sample_type & PERF_SAMPLE_STREAM_ID) != 0;
	words += (sample_type & PERF_SAMPLE_CPU) != 0;
	words += (sample_type & PERF_SAMPLE_IDENTIFIER) != 0;
	return words;
}

/* In samples the fixed fields stand in front: IDENTIFIER, IP, TID, TIME. */
static int words_before_time(uint64_t sample_type)
{
	if (!(sample_type & PERF_SAMPLE_TIME))
		return -1;
	return ((sample_type & PERF_SAMPLE_IDENTIFIER) != 0) +
	       ((sample_type & PERF_SAMPLE_IP) != 0) + ((sample_type & PERF_SAMPLE_TID) != 0);
}

/* The time of a record, or `otherwise` where it has none. */
static uint64_t record_time(const struct perf_file *file, const struct perf_event_header *header,
			    uint64_t otherwise)
{
	const struct perf_event_attr *attr = &perf_header_event(file->header, 0)->attr;
	size_t words = (header->size - sizeof(*header)) / 8;
	const char *body = (const char *)(header + 1);
	uint64_t time_ns;
	size_t at;

	if (header->type == PERF_RECORD_SAMPLE) {
		int before = words_before_time(attr->sample_type);
		if (before < 0 || (size_t)before >= words)
			return otherwise;
		at = (size_t)before;
	} else {
		int behind = words_behind_time(attr->sample_type);
		if (!attr->sample_id_all || behind < 0 || (size_t)behind >= words)
			return otherwise;
		at = words - 1 - (size_t)behind;
	}
	memcpy(&time_ns, body + at * 8, sizeof(time_ns));
	/* perf makes some records up itself, without a time. */
	return time_ns ? time_ns : otherwise;
}

/* -- Records as they stand there ----------------------------------------------------------- */

static enum perf_file_state end_here(struct perf_file *file, const char *why)
{
	file->ended = true;
	if (why)
		file->truncated = why;
	return PERF_FILE_END;
}

/* The one that was handed out last. */
static void leave_record(struct perf_file *file)
{
	perf_input_skip(file->input, file->in_front);
	if (file->in_front % 8)
		perf_input_align(file->input);
	file->in_front = 0;
}

/* In a pipe only: what a file has in sections. */
static void take_header_record(struct perf_file *file, const struct perf_event_header *record)
{
	const char *body = (const char *)(record + 1);
	size_t len = record->size - sizeof(*record);
	uint32_t attr_bytes;
	uint64_t bit;
	char *copy;

	if (record->type == TYPE_HEADER_ATTR && len >= ATTR_BYTES_MIN) {
		memcpy(&attr_bytes, body + offsetof(struct perf_event_attr, size),
		       sizeof(attr_bytes));
		if (attr_bytes >= ATTR_BYTES_MIN && attr_bytes <= len)
			perf_header_add_event(file->header, body, attr_bytes, body + attr_bytes,
					      (len - attr_bytes) / 8);
	} else if (record->type == TYPE_BUILD_ID) {
		perf_header_add_build_id(file->header, record);
	} else if (record->type == TYPE_HEADER_FEATURE && len >= sizeof(bit)) {
		memcpy(&bit, body, sizeof(bit));
		copy = mem_alloc(len);
		memcpy(copy, body + sizeof(bit), len - sizeof(bit));
		if (bit < PERF_FEATURE_COUNT)
			perf_header_add_feature(file->header, (unsigned)bit, copy,
						len - sizeof(bit));
		else
			free(copy);
	}
}

/* The data of some records stand behind them and are not counted in their size. */
static uint64_t bytes_behind(const struct perf_event_header *record)
{
	const char *body = (const char *)(record + 1);
	size_t len = record->size - sizeof(*record);
	uint32_t few;
	uint64_t many;

	if (record->type == TYPE_TRACING_DATA && len >= sizeof(few)) {
		memcpy(&few, body, sizeof(few));
		return few;
	}
	if (record->type == TYPE_AUXTRACE && len >= sizeof(many)) {
		memcpy(&many, body, sizeof(many));
		return many;
	}
	return 0;
}

/* Formats are more than is ready at once: they are collected as they come. */
static enum perf_input_state read_tracing(struct perf_file *file)
{
	while (file->tracing.got < file->tracing.len) {
		size_t left = file->tracing.len - file->tracing.got;
		size_t piece = left < PIECE_BYTES ? left : PIECE_BYTES;
		const char *at;
		enum perf_input_state state = perf_input_need(file->input, piece, &at);

		if (state != PERF_INPUT_READY)
			return state;
		memcpy(file->tracing.bytes + file->tracing.got, at, piece);
		file->tracing.got += piece;
		perf_input_skip(file->input, piece);
	}
	perf_header_add_feature(file->header, PERF_FEATURE_TRACING_DATA, file->tracing.bytes,
				file->tracing.len);
	file->tracing.bytes = NULL;
	perf_input_align(file->input);
	return PERF_INPUT_READY;
}

static void begin_unpacking(struct perf_file *file, const struct perf_event_header *record)
{
	const char *body = (const char *)(record + 1);
	uint64_t len = record->size - sizeof(*record), told;

	if (record->type == TYPE_COMPRESSED2) {
		if (len < sizeof(told))
			return;
		memcpy(&told, body, sizeof(told));
		body += sizeof(told);
		len -= sizeof(told);
		len = told < len ? told : len;
	}
	if (!file->unpack)
		file->unpack = perf_unpack_new();
	perf_unpack_feed(file->unpack, body, len);
	file->unpacking = true;
}

/* One that is not of the kernel: what it tells is taken, what is behind it passed over. */
static void take_user_record(struct perf_file *file, const struct perf_event_header *record)
{
	uint64_t behind = bytes_behind(record);
	uint32_t type = record->type;

	if (file->stream)
		take_header_record(file, record);
	leave_record(file);
	if (type == TYPE_TRACING_DATA && file->stream && behind <= FEATURE_BYTES_MAX &&
	    !file->tracing.bytes) {
		file->tracing.bytes = mem_alloc(behind + 1);
		file->tracing.len = behind;
		file->tracing.got = 0;
	} else {
		perf_input_skip(file->input, behind);
	}
}

/* Of perf's own records, some are of odd sizes, which move all that follow. */
static bool has_sound_size(const struct perf_event_header *record)
{
	return record->size >= sizeof(*record) &&
	       (record->type >= FIRST_USER_TYPE || record->size % 8 == 0);
}

/* The next record in front of the input; it stays there until the next call. */
static enum perf_file_state next_in_file(struct perf_file *file,
					 const struct perf_event_header **record)
{
	enum perf_input_state state;
	const char *at;

	*record = NULL;
	leave_record(file);
	if (file->tracing.bytes) {
		state = read_tracing(file);
		if (state == PERF_INPUT_WAIT)
			return PERF_FILE_WAIT;
	}
	state = perf_input_need(file->input, sizeof(**record), &at);
	if (state == PERF_INPUT_READY) {
		*record = (const void *)at;
		if (!has_sound_size(*record))
			return end_here(file, "the recording is damaged: what was written before "
					"is here");
		state = perf_input_need(file->input, (*record)->size, &at);
		*record = (const void *)at;
	}
	if (state == PERF_INPUT_WAIT)
		return PERF_FILE_WAIT;
	if (state == PERF_INPUT_END)
		return end_here(file, perf_input_need(file->input, 1, &at) == PERF_INPUT_READY
				? "the recording ends in the middle of a record" : NULL);
	file->in_front = (*record)->size;
	return PERF_FILE_READY;
}

/* The next record that perf wrote, packed or not. */
static enum perf_file_state next_written(struct perf_file *file,
					 const struct perf_event_header **record)
{
	while (!file->ended) {
		enum perf_file_state state;

		if (file->unpacking) {
			*record = perf_unpack_next(file->unpack);
			if (*record)
				return PERF_FILE_READY;
			file->unpacking = false;
			if (perf_unpack_is_broken(file->unpack))
				return end_here(file, "the recording is damaged where it is "
						"compressed: what was written before is here");
		}
		state = next_in_file(file, record);
		if (state != PERF_FILE_READY)
			return state;
		if ((*record)->type != TYPE_COMPRESSED && (*record)->type != TYPE_COMPRESSED2)
			return PERF_FILE_READY;
		begin_unpacking(file, *record);
	}
	return PERF_FILE_END;
}

/* -- Records by their times ---------------------------------------------------------------- */

static void order_record(struct perf_file *file, const struct perf_event_header *record)
{
	uint64_t time_ns = record_time(file, record, file->sample_ns);

	/* Side records of what existed before have the time 0. */
	if (record->type == PERF_RECORD_SAMPLE) {
		file->sample_ns = time_ns;
		file->sampled = true;
		if (!file->told && time_ns && (!file->first_ns || time_ns < file->first_ns))
			file->first_ns = time_ns;
	} else if (!file->sampled && !file->has_kernel) {
		file->has_kernel = perf_kernel_map_read(&file->kernel, record);
	}
	if (time_ns > file->newest_ns)
		file->newest_ns = time_ns;
	perf_order_add(file->order, record, time_ns);
}

/* One of a recording of ours, which is in the order of the collection already. */
static void take_own(struct perf_file *file, const struct perf_event_header *record)
{
	uint64_t time_ns;

	if (record->type == TYPE_BUILD_ID)
		perf_header_add_build_id(file->header, record);
	if (record->type >= FIRST_USER_TYPE && record->type != PERF_OWN_TYPE)
		return;
	file->own_ready = record;
	if (!file->has_kernel)
		file->has_kernel = perf_kernel_map_read(&file->kernel, record);
	time_ns = perf_own_time(record);
	if (time_ns > file->newest_ns)
		file->newest_ns = time_ns;
	if (!file->first_ns && perf_own_read_begin(record, &file->own))
		file->first_ns = file->own.began_ns;
}

/* Reads one record. PERF_FILE_END: there are no more. */
static enum perf_file_state read_on(struct perf_file *file)
{
	const struct perf_event_header *record;
	enum perf_file_state state = next_written(file, &record);

	if (state == PERF_FILE_END)
		perf_order_end(file->order);
	if (state != PERF_FILE_READY)
		return state;
	if (!file->read_any)
		file->is_own = perf_own_is(record);
	file->read_any = true;
	if (file->is_own)
		take_own(file, record);
	else if (record->type == TYPE_FINISHED_ROUND)
		perf_order_round(file->order);
	else if (record->type >= FIRST_USER_TYPE && file->unpacking)
		return PERF_FILE_READY;
	else if (record->type >= FIRST_USER_TYPE)
		take_user_record(file, record);
	else if (perf_header_event_count(file->header))
		order_record(file, record);
	return PERF_FILE_READY;
}

enum perf_file_state perf_file_next(struct perf_file *file,
				    const struct perf_event_header **record)
{
	for (;;) {
		enum perf_file_state state;

		*record = file->own_ready ? file->own_ready : perf_order_next(file->order);
		file->own_ready = NULL;
		if (*record) {
			file->told++;
			return PERF_FILE_READY;
		}
		if (file->ended)
			return PERF_FILE_END;
		state = read_on(file);
		if (state == PERF_FILE_WAIT)
			return state;
	}
}

int perf_file_wait(struct perf_file *file, int wake_fd, int timeout_ms)
{
	return perf_input_wait(file->input, wake_fd, timeout_ms);
}

/* -- Opening ------------------------------------------------------------------------------- */

static int check_file_header(const struct perf_file *file, const struct file_header *header,
			     struct err *err)
{
	uint64_t size = perf_input_size(file->input);

	if (header->attr_size < ATTR_BYTES_MIN + sizeof(struct section) ||
	    header->attr_size > ATTR_BYTES_MAX)
		return refuse(err, "its events have an impossible size");
	if (header->attrs.offset > size || header->attrs.size > size - header->attrs.offset)
		return refuse(err, "its events lie outside the file");
	if (header->data.offset > size || header->data.offset % 8)
		return refuse(err, "its records lie outside the file");
	return 0;
}

static int read_event(struct perf_file *file, const char *attr, size_t attr_bytes,
		      struct err *err)
{
	struct section where;
	char *ids;
	bool added;

	memcpy(&where, attr + attr_bytes, sizeof(where));
	ids = perf_input_section(file->input, where.offset, where.size, IDS_BYTES_MAX);
	if (!ids || where.offset % 8) {
		free(ids);
		return refuse(err, "its event ids lie outside the file");
	}
	added = perf_header_add_event(file->header, attr, attr_bytes, ids, where.size / 8);
	free(ids);
	return added ? 0 : refuse(err, "it names too many events");
}

static int read_events(struct perf_file *file, const struct file_header *header, struct err *err)
{
	size_t count = header->attrs.size / header->attr_size;
	char *attrs = perf_input_section(file->input, header->attrs.offset, header->attrs.size,
					 ATTRS_BYTES_MAX);
	int rc = 0;

	if (!attrs || !count)
		rc = refuse(err, "it names no events, or too many");
	for (size_t i = 0; !rc && i < count; i++)
		rc = read_event(file, attrs + i * header->attr_size,
				header->attr_size - sizeof(struct section), err);
	free(attrs);
	return rc;
}

/* Sections of the features stand behind the records, one for each bit in order. */
static void read_features(struct perf_file *file, const struct file_header *header)
{
	uint64_t at = header->data.offset + header->data.size;

	if (at < header->data.offset)
		return;
	for (unsigned bit = 0; bit < PERF_FEATURE_COUNT; bit++) {
		struct section section;
		char *bytes;

		if (!(header->features[bit / 64] >> (bit % 64) & 1))
			continue;
		bytes = perf_input_section(file->input, at, sizeof(section), sizeof(section));
		if (!bytes)
			return;
		memcpy(&section, bytes, sizeof(section));
		free(bytes);
		at += sizeof(section);
		bytes = perf_input_section(file->input, section.offset, section.size,
					   FEATURE_BYTES_MAX);
		if (bytes)
			perf_header_add_feature(file->header, bit, bytes, section.size);
	}
}

static void go_to_data(struct perf_file *file, const struct file_header *header)
{
	uint64_t size = perf_input_size(file->input), left = size - header->data.offset;

	/*
	 * A recorder that was killed leaves a size of 0, or one of ours that of a checkpoint
	 * (perf_own.h): then everything behind is records.
	 */
	if (!header->data.size || header->data.size > left || header->features[0] & 1)
		file->truncated =
			"the recording was cut short: what was written until then is here";
	else
		left = header->data.size;
	perf_input_go(file->input, header->data.offset, header->data.offset + left);
}

static int open_file(struct perf_file *file, struct err *err)
{
	char *bytes = perf_input_section(file->input, 0, sizeof(struct file_header),
					 sizeof(struct file_header));
	struct file_header header;
	int rc;

	if (!bytes)
		return refuse(err, "it is too short for a header");
	memcpy(&header, bytes, sizeof(header));
	free(bytes);
	rc = check_file_header(file, &header, err);
	if (!rc)
		rc = read_events(file, &header, err);
	if (rc)
		return rc;
	go_to_data(file, &header);
	read_features(file, &header);
	return 0;
}

/* Waits for so many bytes of a pipe. */
static int wait_for(struct perf_file *file, size_t bytes, const char **at, int cancel_fd,
		    struct err *err)
{
	enum perf_input_state state;

	while ((state = perf_input_need(file->input, bytes, at)) == PERF_INPUT_WAIT) {
		int rc = perf_input_wait(file->input, cancel_fd, -1);

		if (rc < 0)
			return err_set(err, rc, "cannot wait for the recording: %s", strerror(-rc));
		if (!rc)
			return err_set(err, -ECANCELED, "the recording was not waited for");
	}
	if (state == PERF_INPUT_READY)
		return 0;
	if (!perf_input_at(file->input) && perf_input_is_pipe(file->input))
		return refuse(err, "nothing came out of the pipe");
	return refuse(err, perf_input_size(file->input) ? "it is too short for a header"
							: "it is empty");
}

/* perf_file_first_ns() and what stands in front are known from here on. */
static int read_beginning(struct perf_file *file, int cancel_fd, struct err *err)
{
	enum perf_file_state state = PERF_FILE_READY;

	while (state != PERF_FILE_END && !perf_order_is_ready(file->order) &&
	       !(file->is_own && file->first_ns)) {
		state = read_on(file);
		if (state != PERF_FILE_WAIT)
			continue;
		int rc = perf_input_wait(file->input, cancel_fd, -1);

		if (rc < 0)
			return err_set(err, rc, "cannot wait for the recording: %s", strerror(-rc));
		if (!rc)
			return err_set(err, -ECANCELED, "the recording was not waited for");
	}
	if (!perf_header_event_count(file->header))
		return refuse(err, "it names no events, or too many");
	return 0;
}

static int open_input(struct perf_file *file, int cancel_fd, struct err *err)
{
	uint64_t header_bytes;
	const char *at;
	int rc = wait_for(file, PIPE_HEADER_BYTES, &at, cancel_fd, err);

	if (rc)
		return rc;
	if (!memcmp(at, "2ELIFREP", 8))
		return err_set(err, -ENOTSUP,
			       "this recording was made on a machine of the other byte order; "
			       "open it on such a machine");
	if (memcmp(at, "PERFILE2", 8) != 0)
		return refuse(err, "it does not begin with PERFILE2");
	memcpy(&header_bytes, at + 8, sizeof(header_bytes));
	if (header_bytes != PIPE_HEADER_BYTES && perf_input_is_pipe(file->input))
		return err_set(err, -ENOTSUP,
			       "a perf.data file cannot be read from a pipe; give its name, or "
			       "send what `perf record -o -` writes");
	if (header_bytes != PIPE_HEADER_BYTES)
		return open_file(file, err);
	/* perf's output of a pipe, which may have been kept in a file. */
	perf_input_skip(file->input, PIPE_HEADER_BYTES);
	perf_input_align(file->input);
	file->stream = true;
	return 0;
}

int perf_file_open(struct perf_file **out, const struct perf_file_options *options,
		   struct err *err)
{
	struct perf_file *file = mem_zalloc(1, sizeof(*file));
	int cancel_fd = options->cancel_fd ? options->cancel_fd : -1;
	int rc;

	file->header = perf_header_new();
	file->order = perf_order_new();
	rc = perf_input_open(&file->input, options->path, options->fd, err);
	if (!rc)
		rc = open_input(file, cancel_fd, err);
	if (!rc)
		rc = read_beginning(file, cancel_fd, err);
	if (rc) {
		perf_file_close(file);
		return rc;
	}
	*out = file;
	return 0;
}

void perf_file_close(struct perf_file *file)
{
	if (!file)
		return;
	perf_input_close(file->input);
	perf_header_free(file->header);
	perf_unpack_free(file->unpack);
	perf_order_free(file->order);
	free(file->tracing.bytes);
	free(file);
}

/* -- What is known ------------------------------------------------------------------------- */

struct perf_header *perf_file_header(struct perf_file *file)
{
	return file->header;
}

const struct perf_file_own *perf_file_own(const struct perf_file *file)
{
	return file->is_own ? &file->own : NULL;
}

const struct perf_kernel_map *perf_file_kernel(const struct perf_file *file)
{
	return file->has_kernel ? &file->kernel : NULL;
}

uint64_t perf_file_first_ns(const struct perf_file *file)
{
	return file->first_ns;
}

uint64_t perf_file_newest_ns(const struct perf_file *file)
{
	return file->newest_ns;
}

uint64_t perf_file_told(const struct perf_file *file)
{
	return file->told;
}

uint64_t perf_file_progress(const struct perf_file *file, uint64_t *size)
{
	*size = perf_input_size(file->input);
	return perf_input_at(file->input);
}

const char *perf_file_truncated(const struct perf_file *file)
{
	return file->truncated;
}
