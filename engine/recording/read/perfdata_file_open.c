/*
 * perfdata_file_open - reads and checks the header before the records and the sections after them.
 */
#include "engine/recording/read/perfdata_file_private.h"

#include "engine/base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIPE_HEADER_BYTES 16
#define ATTR_BYTES_MAX 4096
#define ATTRS_BYTES_MAX (16u << 20)
#define IDS_BYTES_MAX (32u << 20)

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

static int refuse(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(struct err *err, const char *format, ...)
{
	char what[ERR_TEXT_BYTES / 2];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return err_set(err, -EINVAL,
		       "not a readable perf.data file: %s; record it again with `perf record` or "
		       "`perf trace record`",
		       what);
}

/* Offset of a header field, for messages. */
#define HEADER_AT(member) offsetof(struct file_header, member)

static int check_file_header(const struct perfdata_file *file, const struct file_header *header,
			     struct err *err)
{
	uint64_t size = perfdata_input_size(file->input);

	if (header->attr_size < PERFDATA_FILE_ATTR_MIN + sizeof(struct section) ||
	    header->attr_size > ATTR_BYTES_MAX)
		return refuse(err, "invalid event size %" PRIu64 " at byte %zu", header->attr_size,
			      HEADER_AT(attr_size));
	if (header->attrs.offset > size || header->attrs.size > size - header->attrs.offset)
		return refuse(err,
			      "events outside the file of %" PRIu64 " bytes: %" PRIu64
			      " bytes from byte %" PRIu64 ", according to byte %zu",
			      size, header->attrs.size, header->attrs.offset, HEADER_AT(attrs));
	if (header->data.offset > size || header->data.offset % 8)
		return refuse(err,
			      "records outside the file of %" PRIu64 " bytes: from byte %" PRIu64
			      ", according to byte %zu",
			      size, header->data.offset, HEADER_AT(data));
	return 0;
}

/* at: file offset of the event's attributes. */
static int read_event(struct perfdata_file *file, const char *attr, size_t attr_bytes, uint64_t at,
		      struct err *err)
{
	struct section where;
	char *ids;
	bool added;

	memcpy(&where, attr + attr_bytes, sizeof(where));
	ids = perfdata_input_section(file->input, where.offset, where.size, IDS_BYTES_MAX);
	if (!ids || where.offset % 8) {
		free(ids);
		return refuse(err,
			      "event ids outside the file: %" PRIu64 " bytes from byte %" PRIu64
			      ", according to byte %" PRIu64,
			      where.size, where.offset, at + attr_bytes);
	}
	added = perfdata_header_add_event(file->header, attr, attr_bytes, ids, where.size / 8);
	free(ids);
	return added ? 0 : refuse(err, "too many events, at byte %" PRIu64, at);
}

static int read_events(struct perfdata_file *file, const struct file_header *header,
		       struct err *err)
{
	size_t count = header->attrs.size / header->attr_size;
	char *attrs = perfdata_input_section(file->input, header->attrs.offset, header->attrs.size,
					     ATTRS_BYTES_MAX);
	int rc = 0;

	if (!attrs || !count)
		rc = refuse(err, "no events, or too many: %" PRIu64 " bytes, according to byte %zu",
			    header->attrs.size, HEADER_AT(attrs.size));
	for (size_t i = 0; !rc && i < count; i++)
		rc = read_event(file, attrs + i * header->attr_size,
				header->attr_size - sizeof(struct section),
				header->attrs.offset + i * header->attr_size, err);
	free(attrs);
	return rc;
}

/* The table of feature sections follows the records: one entry per set feature bit, in order. */
static void read_features(struct perfdata_file *file, const struct file_header *header)
{
	uint64_t at = header->data.offset + header->data.size;

	if (at < header->data.offset || !header->data.size)
		return;
	for (unsigned bit = 0; bit < PERF_FEATURE_COUNT; bit++) {
		struct section section;
		char *bytes;

		if (!(header->features[bit / 64] >> (bit % 64) & 1))
			continue;
		bytes = perfdata_input_section(file->input, at, sizeof(section), sizeof(section));
		if (!bytes) {
			perfdata_file_note(file, true,
					   "the recording has no feature sections (formats, names) "
					   "at byte %" PRIu64 ", where they should be",
					   at);
			return;
		}
		memcpy(&section, bytes, sizeof(section));
		free(bytes);
		at += sizeof(section);
		if (!perfdata_header_wants(bit))
			continue;
		bytes = perfdata_input_section(file->input, section.offset, section.size,
					       perfdata_header_feature_max(bit));
		if (bytes)
			perfdata_header_add_feature(file->header, bit, bytes, section.size);
		else
			perfdata_file_note(
				file, true,
				"a feature section is outside the file or too large: %" PRIu64
				" bytes from byte %" PRIu64 ", according to byte %" PRIu64,
				section.size, section.offset, at - sizeof(section));
	}
}

static void go_to_data(struct perfdata_file *file, const struct file_header *header)
{
	uint64_t size = perfdata_input_size(file->input), left = size - header->data.offset;

	/*
	 * A killed perf leaves a data size of 0, a killed stxtop that of its last checkpoint
	 * (perfdata_ext.h). In both cases, read records up to the end of the file.
	 */
	file->unfinished = !header->data.size || header->features[0] & 1;
	if (file->unfinished)
		perfdata_file_note(file, false,
				   "the recording was never finished: its recorder stopped early; "
				   "everything written before is shown");
	else if (header->data.size > left)
		perfdata_file_note(
			file, true,
			"the recording is truncated: its records should end at byte %" PRIu64
			", but the file ends at byte %" PRIu64 "; earlier records are shown",
			header->data.offset + header->data.size, size);
	else
		left = header->data.size;
	file->data_at = header->data.offset;
	/* End of all records; in an unfinished file, of those before the last checkpoint. */
	file->observations_end = file->data_at +
				 (header->data.size < left ? header->data.size : left);
	file->data_end = header->data.offset + left;
	perfdata_input_go(file->input, file->data_at, file->data_end);
}

static int open_file(struct perfdata_file *file, struct err *err)
{
	char *bytes = perfdata_input_section(file->input, 0, sizeof(struct file_header),
					     sizeof(struct file_header));
	struct file_header header;
	int rc;

	if (!bytes)
		return refuse(err, "it is too short for a header");
	memcpy(&header, bytes, sizeof(header));
	free(bytes);
	perfdata_input_update_size(file->input);
	if (header.features[0] >> PERF_FEATURE_FOLDER & 1)
		return err_set(err, -ENOTSUP,
			       "this file is part of a `perf record --threads` directory, which "
			       "stxtop cannot read; record without --threads");
	rc = check_file_header(file, &header, err);
	if (!rc)
		rc = read_events(file, &header, err);
	if (rc)
		return rc;
	go_to_data(file, &header);
	read_features(file, &header);
	return 0;
}

/* Wait until a pipe has `bytes` bytes. */
static int wait_for(struct perfdata_file *file, size_t bytes, const char **at, int cancel_fd,
		    struct err *err)
{
	enum perfdata_input_state state;

	while ((state = perfdata_input_need(file->input, bytes, at)) == PERFDATA_INPUT_WAIT) {
		int rc = perfdata_input_wait(file->input, cancel_fd, -1);

		if (rc < 0)
			return err_set(err, rc, "cannot wait for the recording: %s", strerror(-rc));
		if (!rc)
			return err_set(err, -ECANCELED,
				       "cancelled while waiting for the recording");
	}
	if (state == PERFDATA_INPUT_READY)
		return 0;
	if (!perfdata_input_at(file->input) && perfdata_input_is_pipe(file->input))
		return refuse(err, "the pipe is empty");
	return refuse(err, perfdata_input_size(file->input) ? "it is too short for a header"
							    : "it is empty");
}

/* Read until perfdata_file_first_ns() and the records before the first sample are known. */
static int read_beginning(struct perfdata_file *file, int cancel_fd, struct err *err)
{
	enum perfdata_file_state state = PERFDATA_FILE_READY;

	while (state != PERFDATA_FILE_END && !perfdata_order_is_ready(file->order) &&
	       !(file->is_own && file->first_ns)) {
		state = perfdata_file_read_on(file);
		if (state != PERFDATA_FILE_WAIT)
			continue;
		int rc = perfdata_input_wait(file->input, cancel_fd, -1);

		if (rc < 0)
			return err_set(err, rc, "cannot wait for the recording: %s", strerror(-rc));
		if (!rc)
			return err_set(err, -ECANCELED,
				       "cancelled while waiting for the recording");
	}
	if (file->is_own && !file->first_ns)
		perfdata_file_note(file, !file->unfinished,
				   "the recording cannot be shown: its first record is missing");
	if (!perfdata_header_event_count(file->header))
		return file->trouble.text[0] ? refuse(err, "%s", file->trouble.text)
					     : refuse(err, "no events, or too many");
	return 0;
}

static int open_input(struct perfdata_file *file, int cancel_fd, struct err *err)
{
	uint64_t header_bytes;
	const char *at;
	int rc = wait_for(file, PIPE_HEADER_BYTES, &at, cancel_fd, err);

	if (rc)
		return rc;
	if (!memcmp(at, "2ELIFREP", 8) || !memcmp(at, "ELIFFREP", 8))
		return err_set(err, -ENOTSUP,
			       "this recording was made on a machine of the opposite byte order; "
			       "open it on such a machine");
	if (!memcmp(at, "PERFFILE", 8))
		return err_set(err, -ENOTSUP,
			       "this recording has the format of perf before Linux 3.0; record it "
			       "again with a newer perf");
	if (memcmp(at, "PERFILE2", 8) != 0)
		return refuse(err, "it does not begin with PERFILE2");
	memcpy(&header_bytes, at + 8, sizeof(header_bytes));
	if (header_bytes != PIPE_HEADER_BYTES && perfdata_input_is_pipe(file->input))
		return err_set(err, -ENOTSUP,
			       "a perf.data file cannot be read from a pipe; give its name, or "
			       "pipe the output of `perf record -o -`");
	if (header_bytes != PIPE_HEADER_BYTES && header_bytes != sizeof(struct file_header))
		return err_set(
			err, -ENOTSUP,
			"this recording has a header of %llu bytes instead of %zu: it is damaged "
			"or from an unknown version of perf; record it with another version",
			(unsigned long long)header_bytes, sizeof(struct file_header));
	if (header_bytes != PIPE_HEADER_BYTES)
		return open_file(file, err);
	/* perf's output to a pipe, possibly saved to a file. */
	perfdata_input_skip(file->input, PIPE_HEADER_BYTES);
	perfdata_input_align(file->input);
	file->stream = true;
	file->data_at = PIPE_HEADER_BYTES;
	file->data_end = perfdata_input_size(file->input);
	return 0;
}

int perfdata_file_open(struct perfdata_file **out, const struct perfdata_file_options *options,
		       struct err *err)
{
	struct perfdata_file *file = mem_zalloc(1, sizeof(*file));
	int cancel_fd = options->cancel_fd ? options->cancel_fd : -1;
	int rc;

	file->header = perfdata_header_new();
	file->order = perfdata_order_new();
	rc = perfdata_input_open(&file->input, options->path, options->fd, err);
	if (!rc)
		rc = open_input(file, cancel_fd, err);
	if (!rc && !options->scanned)
		rc = read_beginning(file, cancel_fd, err);
	if (rc) {
		perfdata_file_close(file);
		return rc;
	}
	*out = file;
	return 0;
}

void perfdata_file_close(struct perfdata_file *file)
{
	if (!file)
		return;
	perfdata_order_free(file->order);
	perfdata_input_close(file->input);
	perfdata_header_free(file->header);
	perfdata_decompress_free(file->unpack);
	free(file->tracing.bytes);
	free(file->seek.stretches);
	free(file->seek.places);
	free(file);
}
