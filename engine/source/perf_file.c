#include "engine/source/perf_file.h"

#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Feature bits of the header, tools/perf/util/header.h. */
enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_RELEASE = 4,
	FEATURE_CPUS = 7,
	FEATURE_COUNT = 256,
};

/* Record types of perf itself begin here (PERF_RECORD_USER_TYPE_START). */
#define FIRST_USER_TYPE 64
#define TYPE_COMPRESSED 81

#define EVENTS_MAX 4096
#define FORMATS_MAX 16384

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
	uint64_t features[FEATURE_COUNT / 64];
};

struct record_ref {
	uint64_t time_ns;
	uint64_t offset;
};

struct id_ref {
	uint64_t id;
	uint32_t event;
};

struct perf_file {
	const char *bytes;
	size_t size;
	const struct file_header *header;
	struct perf_file_event *events;
	size_t event_count;
	struct id_ref *ids; /* sorted by id */
	size_t id_count, id_cap;
	struct perf_file_format *formats;
	size_t format_count, format_cap;
	struct record_ref *records;
	size_t record_count, record_cap;
	struct perf_build_ids *build_ids; /* NULL: none are told */
	char hostname[65], release[65];
	unsigned cpus;
	unsigned long_bytes;
	const char *truncated;
};

static bool inside(const struct perf_file *file, uint64_t offset, uint64_t size)
{
	return offset <= file->size && size <= file->size - offset;
}

static int refuse(struct err *err, const char *what)
{
	return err_set(err, -EINVAL,
		       "this is not a perf.data file that can be read: %s; record it again with "
		       "`perf record` or `perf trace record`",
		       what);
}

static int check_header(struct perf_file *file, struct err *err)
{
	const struct file_header *header = (const void *)file->bytes;

	if (file->size < sizeof(*header))
		return refuse(err, "it is too short for a header");
	if (!memcmp(header->magic, "2ELIFREP", 8))
		return err_set(err, -ENOTSUP,
			       "this recording was made on a machine of the other byte order; "
			       "open it on such a machine");
	if (memcmp(header->magic, "PERFILE2", 8) != 0)
		return refuse(err, "it does not begin with PERFILE2");
	if (header->size == 16)
		return err_set(err, -ENOTSUP,
			       "this is perf's pipe format; convert it with "
			       "`perf inject -i FILE -o OTHER` first");
	if (header->attr_size < 64 + sizeof(struct section) || header->attr_size > 4096)
		return refuse(err, "its events have an impossible size");
	if (!inside(file, header->attrs.offset, header->attrs.size))
		return refuse(err, "its events lie outside the file");
	if (header->data.offset > file->size || header->data.offset % 8)
		return refuse(err, "its records lie outside the file");
	file->header = header;
	return 0;
}

static int compare_ids(const void *a, const void *b)
{
	const struct id_ref *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int read_events(struct perf_file *file, struct err *err)
{
	const struct file_header *header = file->header;
	size_t count = header->attrs.size / header->attr_size;
	size_t attr_bytes = header->attr_size - sizeof(struct section);

	if (!count || count > EVENTS_MAX)
		return refuse(err, "it names no events, or too many");
	file->events = mem_zalloc(count, sizeof(*file->events));
	file->event_count = count;
	for (size_t i = 0; i < count; i++) {
		struct perf_file_event *event = &file->events[i];
		const char *at = file->bytes + header->attrs.offset + i * header->attr_size;
		struct section ids;
		memcpy(&event->attr, at,
		       attr_bytes < sizeof(event->attr) ? attr_bytes : sizeof(event->attr));
		memcpy(&ids, at + attr_bytes, sizeof(ids));
		if (!inside(file, ids.offset, ids.size) || ids.offset % 8)
			return refuse(err, "its event ids lie outside the file");
		event->ids = (const uint64_t *)(const void *)(file->bytes + ids.offset);
		event->id_count = ids.size / 8;
		for (size_t j = 0; j < event->id_count; j++) {
			file->ids = mem_grow(file->ids, &file->id_cap, file->id_count + 1,
					     sizeof(*file->ids));
			file->ids[file->id_count++] =
				(struct id_ref){ .id = event->ids[j], .event = (uint32_t)i };
		}
	}
	if (file->id_count)
		qsort(file->ids, file->id_count, sizeof(*file->ids), compare_ids);
	return 0;
}

int perf_file_event_of_id(const struct perf_file *file, uint64_t id)
{
	struct id_ref key = { .id = id };
	const struct id_ref *found = NULL;

	if (file->id_count)
		found = bsearch(&key, file->ids, file->id_count, sizeof(*file->ids), compare_ids);
	if (found)
		return (int)found->event;
	return file->event_count == 1 ? 0 : -1;
}

/* A bounded reader over one section. */
struct cursor {
	const char *at, *end;
	bool broken;
};

static const char *take(struct cursor *cursor, uint64_t bytes)
{
	const char *at = cursor->at;

	if (cursor->broken || bytes > (uint64_t)(cursor->end - cursor->at)) {
		cursor->broken = true;
		return NULL;
	}
	cursor->at += bytes;
	return at;
}

static uint64_t take_number(struct cursor *cursor, size_t bytes)
{
	uint64_t value = 0;
	const char *at = take(cursor, bytes);

	if (at)
		memcpy(&value, at, bytes); /* little-endian, as the magic said */
	return value;
}

static const char *take_string(struct cursor *cursor)
{
	const char *start = cursor->at;
	const char *end = cursor->broken ? NULL
					 : memchr(start, '\0', (size_t)(cursor->end - start));

	if (!end) {
		cursor->broken = true;
		return NULL;
	}
	cursor->at = end + 1;
	return start;
}

static void add_format(struct perf_file *file, const char *system, const char *text, size_t len)
{
	if (!text || file->format_count >= FORMATS_MAX)
		return;
	file->formats = mem_grow(file->formats, &file->format_cap, file->format_count + 1,
				 sizeof(*file->formats));
	file->formats[file->format_count++] =
		(struct perf_file_format){ .system = system, .text = text, .len = len };
}

/* The layout of trace-cmd's version 6 header, which perf copied. */
static void read_tracing_data(struct perf_file *file, struct cursor cursor)
{
	const char *magic = take(&cursor, 10);

	if (!magic || memcmp(magic, "\027\010\104tracing", 10) != 0)
		return;
	take_string(&cursor);     /* version */
	take_number(&cursor, 1);  /* byte order, as the file's own */
	file->long_bytes = (unsigned)take_number(&cursor, 1);
	take_number(&cursor, 4);  /* page size */
	for (int i = 0; i < 2; i++) { /* header_page and header_event */
		take_string(&cursor);
		take(&cursor, take_number(&cursor, 8));
	}
	uint64_t ftrace = take_number(&cursor, 4);
	for (uint64_t i = 0; i < ftrace && !cursor.broken; i++)
		take(&cursor, take_number(&cursor, 8));
	uint64_t systems = take_number(&cursor, 4);
	for (uint64_t i = 0; i < systems && !cursor.broken; i++) {
		const char *system = take_string(&cursor);
		uint64_t events = take_number(&cursor, 4);
		for (uint64_t j = 0; j < events && !cursor.broken; j++) {
			uint64_t len = take_number(&cursor, 8);
			add_format(file, system, take(&cursor, len), len);
		}
	}
}

static void read_text(char *out, size_t out_bytes, struct cursor cursor)
{
	uint64_t len = take_number(&cursor, 4);
	const char *text = take(&cursor, len);

	if (!text)
		return;
	len = strnlen(text, len);
	if (len >= out_bytes)
		len = out_bytes - 1;
	memcpy(out, text, len);
	out[len] = '\0';
}

/* Sections of the features stand behind the records, one for each bit in order. */
static void read_features(struct perf_file *file)
{
	const struct file_header *header = file->header;
	uint64_t at = header->data.offset + header->data.size;

	if (at < header->data.offset)
		return;
	for (int bit = 0; bit < FEATURE_COUNT; bit++) {
		struct section section;
		if (!(header->features[bit / 64] >> (bit % 64) & 1))
			continue;
		if (!inside(file, at, sizeof(section)))
			return;
		memcpy(&section, file->bytes + at, sizeof(section));
		at += sizeof(section);
		if (!inside(file, section.offset, section.size))
			continue;
		struct cursor cursor = { .at = file->bytes + section.offset,
					 .end = file->bytes + section.offset + section.size };
		if (bit == FEATURE_TRACING_DATA)
			read_tracing_data(file, cursor);
		else if (bit == FEATURE_BUILD_ID)
			file->build_ids = perf_build_ids_new(cursor.at, section.size);
		else if (bit == FEATURE_HOSTNAME)
			read_text(file->hostname, sizeof(file->hostname), cursor);
		else if (bit == FEATURE_RELEASE)
			read_text(file->release, sizeof(file->release), cursor);
		else if (bit == FEATURE_CPUS)
			file->cpus = (unsigned)take_number(&cursor, 4);
	}
}

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
	uint64_t type = file->events[0].attr.sample_type;
	size_t words = (header->size - sizeof(*header)) / 8;
	const char *body = (const char *)(header + 1);
	uint64_t time_ns;
	size_t at;

	if (header->type == PERF_RECORD_SAMPLE) {
		int before = words_before_time(type);
		if (before < 0 || (size_t)before >= words)
			return otherwise;
		at = (size_t)before;
	} else {
		int behind = words_behind_time(type);
		if (!file->events[0].attr.sample_id_all || behind < 0 || (size_t)behind >= words)
			return otherwise;
		at = words - 1 - (size_t)behind;
	}
	memcpy(&time_ns, body + at * 8, sizeof(time_ns));
	return time_ns;
}

static int compare_records(const void *a, const void *b)
{
	const struct record_ref *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int index_records(struct perf_file *file, struct err *err)
{
	uint64_t at = file->header->data.offset, size = file->header->data.size;
	uint64_t end, last_ns = 0;

	/* A recorder that was killed leaves a size of 0: then everything behind is records. */
	if (!size || !inside(file, at, size)) {
		file->truncated =
			"the recording was cut short: what was written until then is here";
		size = file->size - at;
	}
	end = at + size;
	while (end - at >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *header = (const void *)(file->bytes + at);
		if (header->size < sizeof(*header) || header->size > end - at || header->size % 8) {
			file->truncated = "the recording ends in the middle of a record";
			break;
		}
		if (header->type == TYPE_COMPRESSED)
			return err_set(err, -ENOTSUP,
				       "this recording is compressed; record without -z, or "
				       "convert it with `perf inject`");
		if (header->type < FIRST_USER_TYPE) {
			uint64_t time_ns = record_time(file, header, last_ns);
			/* Side records of what existed before have the time 0. */
			if (header->type == PERF_RECORD_SAMPLE)
				last_ns = time_ns;
			file->records = mem_grow(file->records, &file->record_cap,
						 file->record_count + 1, sizeof(*file->records));
			file->records[file->record_count++] =
				(struct record_ref){ .time_ns = time_ns, .offset = at };
		}
		at += header->size;
	}
	if (file->record_count)
		qsort(file->records, file->record_count, sizeof(*file->records), compare_records);
	return 0;
}

static int map_file(struct perf_file *file, const char *path, struct err *err)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_set(err, -errno, "cannot open the recording %s: %s", path,
			       strerror(errno));
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
		close(fd);
		return err_set(err, -EINVAL, "%s is not a regular file", path);
	}
	if (!status.st_size) {
		close(fd);
		return refuse(err, "it is empty");
	}
	file->size = (size_t)status.st_size;
	void *bytes = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
	int error = errno;
	close(fd);
	if (bytes == MAP_FAILED)
		return err_set(err, -error, "cannot map the recording %s: %s", path,
			       strerror(error));
	file->bytes = bytes;
	return 0;
}

int perf_file_open(struct perf_file **out, const char *path, struct err *err)
{
	struct perf_file *file = mem_zalloc(1, sizeof(*file));
	int result = map_file(file, path, err);

	file->long_bytes = 8;
	if (!result)
		result = check_header(file, err);
	if (!result)
		result = read_events(file, err);
	if (!result)
		result = index_records(file, err);
	if (result) {
		perf_file_close(file);
		return result;
	}
	read_features(file);
	*out = file;
	return 0;
}

void perf_file_close(struct perf_file *file)
{
	if (!file)
		return;
	if (file->bytes)
		munmap((void *)(uintptr_t)file->bytes, file->size);
	perf_build_ids_free(file->build_ids);
	free(file->events);
	free(file->ids);
	free(file->formats);
	free(file->records);
	free(file);
}

size_t perf_file_event_count(const struct perf_file *file)
{
	return file->event_count;
}

const struct perf_file_event *perf_file_event(const struct perf_file *file, size_t index)
{
	return &file->events[index];
}

size_t perf_file_format_count(const struct perf_file *file)
{
	return file->format_count;
}

const struct perf_file_format *perf_file_format(const struct perf_file *file, size_t index)
{
	return &file->formats[index];
}

unsigned perf_file_long_bytes(const struct perf_file *file)
{
	return file->long_bytes;
}

size_t perf_file_record_count(const struct perf_file *file)
{
	return file->record_count;
}

const struct perf_event_header *perf_file_record(const struct perf_file *file, size_t index)
{
	return (const void *)(file->bytes + file->records[index].offset);
}

const struct perf_build_ids *perf_file_build_ids(const struct perf_file *file)
{
	return file->build_ids;
}

const char *perf_file_hostname(const struct perf_file *file)
{
	return file->hostname;
}

const char *perf_file_release(const struct perf_file *file)
{
	return file->release;
}

unsigned perf_file_cpus(const struct perf_file *file)
{
	return file->cpus;
}

const char *perf_file_truncated(const struct perf_file *file)
{
	return file->truncated;
}
