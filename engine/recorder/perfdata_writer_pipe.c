/*
 * perfdata_writer_pipe - header and sections as records of perf's pipe mode.
 *
 * Layouts are those of tools/perf/util/header.c, perf_event__synthesize_attr(), _features() and
 * _tracing_data(). Waits for a non-blocking pipe with poll(), so that the caller can stop the wait.
 */
#include "engine/recorder/perfdata_writer_private.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define LOOK_MS 50 /* interval at which give_up is tested */

enum pipe_type {
	TYPE_ATTR = 64,
	TYPE_TRACING_DATA = 66,
	TYPE_FEATURE = 80,
};

int perfdata_writer_pipe_write(struct perfdata_writer *writer, const void *bytes, size_t len)
{
	const atomic_bool *give_up = writer->options.give_up;
	const char *from = bytes;

	while (len) {
		ssize_t wrote = write(writer->fd, from, len);

		if (wrote >= 0) {
			from += wrote;
			len -= (size_t)wrote;
			continue;
		}
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (give_up && atomic_load(give_up))
			return -ECANCELED;
		if (errno == EAGAIN)
			poll(&(struct pollfd){ .fd = writer->fd, .events = POLLOUT }, 1, LOOK_MS);
	}
	return 0;
}

static void put_attr(struct str *out, const struct perf_section_event *event)
{
	struct perf_event_header header = {
		.type = TYPE_ATTR,
		.size = sizeof(header) + PERFDATA_WRITER_ATTR_BYTES +
			PERFDATA_EXT_VARIANTS * sizeof(uint64_t),
	};

	str_addn(out, (const char *)&header, sizeof(header));
	str_addn(out, (const char *)&event->attr, PERFDATA_WRITER_ATTR_BYTES);
	for (uint64_t i = 0; i < PERFDATA_EXT_VARIANTS; i++) {
		uint64_t id = event->first_id + i;

		str_addn(out, (const char *)&id, sizeof(id));
	}
}

static void put_feature(const struct perfdata_writer *writer, enum perf_feature feature,
			struct str *out)
{
	struct {
		struct perf_event_header header;
		uint64_t feature;
	} head = { .header = { .type = TYPE_FEATURE }, .feature = feature };
	struct str bytes = STR_INIT;
	size_t padded;

	if (perfdata_writer_feature(writer, feature, &bytes)) {
		str_repeat(&bytes, '\0', -bytes.len & 7);
		padded = sizeof(head) + bytes.len;
		/* Omit a feature longer than a record: other records have the same data. */
		if (padded <= UINT16_MAX) {
			head.header.size = (uint16_t)padded;
			str_addn(out, (const char *)&head, sizeof(head));
			str_addn(out, bytes.data, bytes.len);
		}
	}
	str_release(&bytes);
}

/* Append the record that identifies stxtop as the writer of the stream. */
static void put_own(struct str *out)
{
	struct perfdata_ext own = {
		.header = { .type = PERFDATA_EXT_TYPE, .size = sizeof(own) },
		.kind = PERFDATA_EXT_TABLE,
	};

	memcpy(own.magic, PERFDATA_EXT_MAGIC, sizeof(own.magic));
	str_addn(out, (const char *)&own, sizeof(own));
}

/* The formats follow their record and are not counted in its size. */
static void put_tracing(const struct perfdata_writer *writer, struct str *out)
{
	struct {
		struct perf_event_header header;
		uint32_t size;
	} head = { .header = { .type = TYPE_TRACING_DATA, .size = sizeof(head) } };
	struct str bytes = STR_INIT;

	perfdata_writer_feature(writer, PERF_FEATURE_TRACING_DATA, &bytes);
	str_repeat(&bytes, '\0', -bytes.len & 7);
	head.size = (uint32_t)bytes.len;
	str_addn(out, (const char *)&head, sizeof(head));
	str_addn(out, bytes.data, bytes.len);
	str_release(&bytes);
}

int perfdata_writer_pipe_event(struct perfdata_writer *writer, size_t index)
{
	struct str out = STR_INIT;

	put_attr(&out, &writer->events[index]);
	put_tracing(writer, &out);
	perfdata_writer_append(writer, out.data, out.len);
	str_release(&out);
	return writer->error;
}

int perfdata_writer_pipe_begin(struct perfdata_writer *writer)
{
	struct {
		char magic[8];
		uint64_t size;
	} header = { .size = sizeof(header) };
	struct str out = STR_INIT;

	memcpy(header.magic, "PERFILE2", sizeof(header.magic));
	str_addn(&out, (const char *)&header, sizeof(header));
	put_own(&out);
	for (size_t i = 0; i < writer->event_count; i++)
		put_attr(&out, &writer->events[i]);
	for (int i = PERF_FEATURE_NONE + 1; i < PERF_FEATURE_WRITTEN; i++)
		if (i != PERF_FEATURE_TRACING_DATA)
			put_feature(writer, (enum perf_feature)i, &out);
	put_tracing(writer, &out);
	perfdata_writer_append(writer, out.data, out.len);
	str_release(&out);
	return writer->error;
}
