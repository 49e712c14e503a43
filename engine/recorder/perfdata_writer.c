/* perfdata_writer - writes a file sequentially; for pipes see perfdata_writer_pipe.c. */
#include "engine/recorder/perfdata_writer.h"

#include "engine/base/mem.h"
#include "engine/recorder/perfdata_writer_private.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/perfdata_observations.h"
#include "engine/recording/read/perfdata_seek_index_bytes.h"
#include "engine/source/perf/perf_open.h"
#include "engine/source/tracepoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* -- Bytes --------------------------------------------------------------------------- */

static int write_at(struct perfdata_writer *writer, const void *bytes, size_t len, uint64_t at)
{
	const char *from = bytes;

	while (len) {
		ssize_t wrote = pwrite(writer->fd, from, len, (off_t)at);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return wrote < 0 ? -errno : -EIO;
		from += wrote;
		len -= (size_t)wrote;
		at += (size_t)wrote;
	}
	return 0;
}

int perfdata_writer_append(struct perfdata_writer *writer, const void *bytes, size_t len)
{
	if (!writer->error)
		writer->error = writer->pipe ? perfdata_writer_pipe_write(writer, bytes, len)
					     : write_at(writer, bytes, len, writer->at);
	if (!writer->error)
		writer->at += len;
	return writer->error;
}

static int append_padded(struct perfdata_writer *writer, struct str *bytes)
{
	str_repeat(bytes, '\0', -bytes->len & 7);
	return perfdata_writer_append(writer, bytes->data, bytes->len);
}

/* -- Events -------------------------------------------------------------------------- */

static void common_attr(struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = PERFDATA_WRITER_ATTR_BYTES;
	attr->sample_type = PERFDATA_EXT_SAMPLE;
	attr->sample_period = 1;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

static struct perf_event_attr *add_event(struct perfdata_writer *writer, const char *name)
{
	struct perf_section_event *event;
	char *kept = mem_strdup(name);

	writer->events = mem_grow(writer->events, &writer->event_cap, writer->event_count + 1,
				  sizeof(*writer->events));
	writer->names = mem_grow(writer->names, &writer->name_cap, writer->event_count + 1,
				 sizeof(*writer->names));
	writer->names[writer->event_count] = kept;
	event = &writer->events[writer->event_count];
	event->name = kept;
	event->first_id = PERFDATA_EXT_ID(writer->event_count, 0);
	writer->event_count++;
	common_attr(&event->attr);
	return &event->attr;
}

static void add_tracepoint(struct perfdata_writer *writer, const char *name, uint64_t id)
{
	struct perf_event_attr *attr = add_event(writer, name);

	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = id;
	attr->sample_type |= PERF_SAMPLE_RAW;
}

/* Add the events in the order of enum perfdata_ext_event. */
static void add_own_events(struct perfdata_writer *writer)
{
	struct perf_event_attr *attr = add_event(writer, "dummy:u");

	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = 1;
	attr->context_switch = 1;
	attr->exclude_kernel = attr->exclude_hv = 1;
	add_tracepoint(writer, "raw_syscalls:sys_enter", writer->machine->enter.id);
	add_tracepoint(writer, "raw_syscalls:sys_exit", writer->machine->exit.id);
	attr = add_event(writer, "context-switches");
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->sample_type = PERFDATA_EXT_STACK_SAMPLE;
	attr->sample_regs_user = PERF_USER_REGS;
	attr->sample_stack_user = writer->options.stack_bytes;
	add_tracepoint(writer, "sched:sched_waking", writer->machine->waking.id);
	attr = &writer->events[PERFDATA_EXT_EVENT_WAKING].attr;
	attr->sample_type |= PERFDATA_EXT_STACK_SAMPLE;
	attr->sample_regs_user = PERF_USER_REGS;
	attr->sample_stack_user = writer->options.stack_bytes;
}

int perfdata_writer_add_event(struct perfdata_writer *writer,
			      const struct perfdata_machine_format *take)
{
	struct tracepoint *tracepoint;
	char name[256] = "";

	if (!tracepoint_parse(&tracepoint, take->system, take->text, take->len, NULL)) {
		snprintf(name, sizeof(name), "%s:%s", take->system, tracepoint_name(tracepoint));
		tracepoint_free(tracepoint);
	}
	add_tracepoint(writer, name, take->id);
	writer->others = mem_grow(writer->others, &writer->other_cap,
				  writer->event_count - PERFDATA_EXT_EVENT_OTHERS,
				  sizeof(*writer->others));
	writer->others[writer->event_count - PERFDATA_EXT_EVENT_OTHERS - 1] = *take;
	if (writer->pipe && writer->begun)
		perfdata_writer_pipe_event(writer, writer->event_count - 1);
	return (int)writer->event_count - 1;
}

/* Append all attributes, each with the place of its ids, and then the ids. */
static void append_attrs(struct perfdata_writer *writer)
{
	size_t each = PERFDATA_WRITER_ATTR_BYTES + sizeof(struct section),
	       count = writer->event_count;
	struct str bytes = STR_INIT;
	uint64_t ids = writer->at + count * each;

	writer->header.attr_size = each;
	writer->header.attrs = (struct section){ writer->at, count * each };
	for (size_t i = 0; i < count; i++) {
		struct section section = { ids + i * PERFDATA_EXT_VARIANTS * sizeof(uint64_t),
					   PERFDATA_EXT_VARIANTS * sizeof(uint64_t) };

		str_addn(&bytes, (const char *)&writer->events[i].attr, PERFDATA_WRITER_ATTR_BYTES);
		str_addn(&bytes, (const char *)&section, sizeof(section));
	}
	for (size_t i = 0; i < count; i++)
		for (uint64_t j = 0; j < PERFDATA_EXT_VARIANTS; j++) {
			uint64_t id = writer->events[i].first_id + j;

			str_addn(&bytes, (const char *)&id, sizeof(id));
		}
	perfdata_writer_append(writer, bytes.data, bytes.len);
	str_release(&bytes);
	writer->events_written = count;
}

/* -- Sections ------------------------------------------------------------------------ */

static void append_section(struct perfdata_writer *writer, enum perf_feature feature,
			   struct str *bytes)
{
	writer->sections[feature] = (struct section){ writer->at, bytes->len };
	writer->header.features[0] |= 1ULL << feature;
	append_padded(writer, bytes);
	str_clear(bytes);
}

/* Return a feature's text; `perf data convert` crashes if a file lacks some of these texts. */
static const char *text_of(const struct perfdata_machine *machine, enum perf_feature feature)
{
	switch (feature) {
	case PERF_FEATURE_HOSTNAME:
		return machine->hostname;
	case PERF_FEATURE_RELEASE:
		return machine->release;
	case PERF_FEATURE_VERSION:
		return "stxtop " STXTOP_VERSION;
	case PERF_FEATURE_ARCH:
		return machine->arch;
	case PERF_FEATURE_CPU_DESC:
		return machine->cpu_desc;
	case PERF_FEATURE_CPUID:
		return machine->cpuid;
	default:
		return NULL;
	}
}

bool perfdata_writer_feature(const struct perfdata_writer *writer, enum perf_feature feature,
			     struct str *bytes)
{
	const struct perfdata_machine *machine = writer->machine;
	const char *text = text_of(machine, feature);

	switch (feature) {
	case PERF_FEATURE_TRACING_DATA:
		perfdata_sections_tracing(bytes, machine, writer->others,
					  writer->event_count - PERFDATA_EXT_EVENT_OTHERS);
		break;
	case PERF_FEATURE_EVENTS:
		perfdata_sections_events(bytes, writer->events, writer->event_count);
		break;
	case PERF_FEATURE_CPUS:
		if (machine->cpus_max)
			perfdata_sections_cpus(bytes, machine);
		break;
	case PERF_FEATURE_CMDLINE:
		perfdata_sections_cmdline(bytes, writer->options.argv);
		break;
	case PERF_FEATURE_CLOCK:
		perfdata_sections_clock(bytes, machine, false);
		break;
	case PERF_FEATURE_CLOCK_DATA:
		if (machine->wall_ns)
			perfdata_sections_clock(bytes, machine, true);
		break;
	case PERF_FEATURE_COMPRESSED:
		if (writer->pack)
			perfdata_sections_compressed(bytes, writer->options.level, UINT16_MAX + 1);
		break;
	default:
		if (text)
			perfdata_sections_text(bytes, text);
		break;
	}
	return bytes->len;
}

static void append_event_sections(struct perfdata_writer *writer, struct str *bytes)
{
	perfdata_writer_feature(writer, PERF_FEATURE_EVENTS, bytes);
	append_section(writer, PERF_FEATURE_EVENTS, bytes);
	perfdata_writer_feature(writer, PERF_FEATURE_TRACING_DATA, bytes);
	append_section(writer, PERF_FEATURE_TRACING_DATA, bytes);
}

static void append_sections(struct perfdata_writer *writer)
{
	struct str bytes = STR_INIT;

	for (int i = PERF_FEATURE_NONE + 1; i < PERF_FEATURE_WRITTEN; i++)
		if (perfdata_writer_feature(writer, (enum perf_feature)i, &bytes))
			append_section(writer, (enum perf_feature)i, &bytes);
	str_addn(&bytes, (const char *)writer->times, sizeof(writer->times));
	append_section(writer, PERF_FEATURE_SAMPLE_TIME, &bytes);
	str_release(&bytes);
}

/*
 * List the sections in the order of the header's feature bits. While PERF_FEATURE_NONE is set, the
 * first entry is room for the head of a TABLE record.
 */
static size_t list_sections(const struct perfdata_writer *writer, struct section *list)
{
	size_t count = 0;

	for (int i = 0; i < PERF_FEATURE_WRITTEN; i++)
		if (writer->header.features[0] >> i & 1)
			list[count++] = writer->sections[i];
	return count;
}

/* Append the section table as a record, see perfdata_ext.h. */
static int append_table(struct perfdata_writer *writer)
{
	struct section list[PERF_FEATURE_WRITTEN];
	struct perfdata_ext head = { .header = { .type = PERFDATA_EXT_TYPE },
				     .kind = PERFDATA_EXT_TABLE };
	size_t count = list_sections(writer, list);

	head.header.size = (uint16_t)(count * sizeof(*list));
	memcpy(head.magic, PERFDATA_EXT_MAGIC, sizeof(head.magic));
	memcpy(&list[0], &head, sizeof(head));
	perfdata_writer_append(writer, list, count * sizeof(*list));
	writer->checked_at = writer->at;
	return writer->error;
}

static int write_header(struct perfdata_writer *writer)
{
	if (!writer->error)
		writer->error = write_at(writer, &writer->header, sizeof(writer->header), 0);
	return writer->error;
}

/* -- The file ------------------------------------------------------------------------ */

struct perfdata_writer *perfdata_writer_new(int fd, const struct perfdata_writer_options *options)
{
	struct perfdata_writer *writer = mem_zalloc(1, sizeof(*writer));

	writer->fd = fd;
	writer->options = *options;
	writer->pipe = options->pipe;
	writer->machine = options->machine;
	str_init(&writer->packed);
	for (size_t i = 0; i < PERFDATA_EXT_FEATURES; i++)
		str_init(&writer->own[i]);
	if (options->level)
		writer->pack = perfdata_compress_new(options->level);
	perfdata_seek_index_writer_init(&writer->seek_index, writer->pack);
	add_own_events(writer);
	return writer;
}

int perfdata_writer_begin(struct perfdata_writer *writer)
{
	if (writer->pipe) {
		writer->begun = !perfdata_writer_pipe_begin(writer);
		return writer->error;
	}
	memcpy(writer->header.magic, "PERFILE2", sizeof(writer->header.magic));
	writer->header.size = writer->at = sizeof(writer->header);
	append_attrs(writer);
	append_sections(writer);
	/* Until the file is finished, each checkpoint's table begins with this feature. */
	writer->header.features[0] |= 1u << PERF_FEATURE_NONE;
	writer->header.data.offset = writer->at;
	append_table(writer);
	/* Write the header last: it makes the file a recording. */
	writer->begun = !write_header(writer);
	return writer->error;
}

void perfdata_writer_free(struct perfdata_writer *writer)
{
	if (!writer)
		return;
	close(writer->fd);
	perfdata_compress_free(writer->pack);
	perfdata_seek_index_writer_release(&writer->seek_index);
	str_release(&writer->packed);
	for (size_t i = 0; i < PERFDATA_EXT_FEATURES; i++)
		str_release(&writer->own[i]);
	for (size_t i = 0; i < writer->event_count; i++)
		free(writer->names[i]);
	for (size_t i = PERFDATA_EXT_EVENT_OTHERS; i < writer->event_count; i++) {
		free(writer->others[i - PERFDATA_EXT_EVENT_OTHERS].system);
		free(writer->others[i - PERFDATA_EXT_EVENT_OTHERS].text);
	}
	free(writer->events);
	free(writer->others);
	free(writer->names);
	free(writer);
}

static int put_packed(struct perfdata_writer *writer, const void *records, size_t len)
{
	bool ends = perfdata_seek_index_writer_ends_frame(&writer->seek_index, writer->at);
	uint64_t at = writer->at;

	str_clear(&writer->packed);
	if (perfdata_compress_add(writer->pack, records, len, ends, &writer->packed) &&
	    !writer->error)
		writer->error = -EIO;
	if (!perfdata_writer_append(writer, writer->packed.data, writer->packed.len) &&
	    !writer->pipe)
		perfdata_seek_index_writer_add_packed(&writer->seek_index, records, len,
						      &writer->packed, at, ends);
	return writer->error;
}

int perfdata_writer_put(struct perfdata_writer *writer, const void *records, size_t len)
{
	uint64_t at = writer->at;

	if (writer->pack)
		put_packed(writer, records, len);
	else if (!perfdata_writer_append(writer, records, len) && !writer->pipe)
		perfdata_seek_index_writer_add(&writer->seek_index, records, len, at);
	writer->any |= !writer->error;
	return writer->error;
}

int perfdata_writer_put_observations(struct perfdata_writer *writer, const struct str *observations)
{
	struct str record = STR_INIT;

	for (size_t at = 0; at < observations->len && !writer->error;) {
		uint64_t place = writer->at;

		str_clear(&record);
		perfdata_observations_record(&record, observations, &at, writer->observations_at);
		if (!perfdata_writer_append(writer, record.data, record.len) && !writer->pipe)
			writer->observations_at = place;
	}
	str_release(&record);
	return writer->error;
}

static void append_index(struct perfdata_writer *writer)
{
	struct str records = STR_INIT;

	if (!perfdata_seek_index_writer_has_news(&writer->seek_index))
		return;
	perfdata_seek_index_writer_emit(&writer->seek_index, writer->at, &records);
	perfdata_writer_append(writer, records.data, records.len);
	str_release(&records);
}

/* Append the records that precede each table: offsets of the seek index and the observations. */
static void append_ends(struct perfdata_writer *writer)
{
	uint64_t index_at = perfdata_seek_index_writer_last(&writer->seek_index);
	struct str record = STR_INIT;

	if (index_at)
		perfdata_seek_index_write_at(&record, index_at);
	if (writer->observations_at)
		perfdata_observations_at(&record, writer->observations_at);
	perfdata_writer_append(writer, record.data, record.len);
	str_release(&record);
}

void perfdata_writer_set_times(struct perfdata_writer *writer, uint64_t first_ns, uint64_t last_ns)
{
	writer->times[0] = first_ns;
	writer->times[1] = last_ns;
}

static void write_times(struct perfdata_writer *writer)
{
	if (!writer->error)
		writer->error = write_at(writer, writer->times, sizeof(writer->times),
					 writer->sections[PERF_FEATURE_SAMPLE_TIME].offset);
}

int perfdata_writer_checkpoint(struct perfdata_writer *writer)
{
	uint64_t records;

	if (writer->checked_at == writer->at || writer->pipe)
		return writer->error;
	if (perfdata_seek_index_writer_is_due(&writer->seek_index, writer->at))
		append_index(writer);
	append_ends(writer);
	records = writer->at - writer->header.data.offset;
	write_times(writer);
	if (append_table(writer))
		return writer->error;
	writer->header.data.size = records;
	writer->error =
		write_at(writer, &writer->header.data.size, sizeof(records),
			 offsetof(struct file_header, data) + offsetof(struct section, size));
	return writer->error;
}

bool perfdata_writer_add_own(struct perfdata_writer *writer, unsigned feature, unsigned version,
			     const struct str *bytes)
{
	struct perfdata_ext_section head = { .version = (uint16_t)version };
	struct str *own = &writer->own[feature - PERFDATA_EXT_FEATURE_FIRST];

	if (bytes->len > PERFDATA_EXT_SECTION_MAX)
		return false;
	memcpy(head.magic, PERFDATA_EXT_MAGIC, sizeof(head.magic));
	str_clear(own);
	str_addn(own, (const char *)&head, sizeof(head));
	if (perfdata_compress_all(bytes->data, bytes->len, own) ||
	    own->len > PERFDATA_EXT_SECTION_MAX)
		str_clear(own);
	return own->len;
}

void perfdata_writer_set_build_ids(struct perfdata_writer *writer, const char *records, size_t len)
{
	writer->build_ids = records;
	writer->build_ids_len = len;
}

static void mark(struct perfdata_writer *writer, unsigned bit)
{
	writer->header.features[bit / 64] |= 1ULL << bit % 64;
}

/*
 * Append the sections that are known only at the end, and add them to the list of `count` sections.
 * Return the new count. Each section is complete or absent. writer->error: -errno of a failed
 * write.
 */
static size_t append_late(struct perfdata_writer *writer, struct section *list, size_t count)
{
	struct section section = { writer->at, writer->build_ids_len };

	if (section.size && !perfdata_writer_append(writer, writer->build_ids, section.size)) {
		writer->sections[PERF_FEATURE_BUILD_ID] = section;
		mark(writer, PERF_FEATURE_BUILD_ID);
		count = list_sections(writer, list);
	}
	for (unsigned i = 0; i < PERFDATA_EXT_FEATURES; i++) {
		section = (struct section){ writer->at, writer->own[i].len };
		if (!section.size || append_padded(writer, &writer->own[i]))
			continue;
		list[count++] = section;
		mark(writer, PERFDATA_EXT_FEATURE_FIRST + i);
	}
	return count;
}

int perfdata_writer_finish(struct perfdata_writer *writer)
{
	struct section list[PERF_FEATURE_WRITTEN + PERFDATA_EXT_FEATURES] = { 0 };
	struct str bytes = STR_INIT;
	int failed = writer->error;
	uint64_t end;
	size_t count;

	if (writer->pipe)
		return failed;
	/* Without its beginning, the file is not a recording: empty it. */
	if (!writer->begun)
		return ftruncate(writer->fd, 0) && !failed ? -errno : failed;
	/* If the last piece was written only in part, remove it: it would be read as a record. */
	if (failed && ftruncate(writer->fd, (off_t)writer->at))
		return failed;
	/* Do not finish a file without records: it would claim that there was nothing to record. */
	if (failed && !writer->any)
		return failed;
	writer->error = 0;
	if (!failed) {
		append_index(writer);
		append_ends(writer);
	}
	failed = failed ? failed : writer->error;
	end = writer->at;
	writer->header.data.size = end - writer->header.data.offset;
	writer->header.features[0] &= ~(1ULL << PERF_FEATURE_NONE);
	count = list_sections(writer, list);
	/* Reserve room for the table, including late sections: the table precedes its sections. */
	perfdata_writer_append(writer, list, (count + 1 + PERFDATA_EXT_FEATURES) * sizeof(*list));
	/* Align the end: compressed records can have any length. */
	str_repeat(&bytes, '\0', -writer->at & 7);
	perfdata_writer_append(writer, bytes.data, bytes.len);
	str_clear(&bytes);
	if (writer->events_written < writer->event_count) {
		append_attrs(writer);
		append_event_sections(writer, &bytes);
		count = list_sections(writer, list);
	}
	str_release(&bytes);
	/* After a failure, keep the last checkpoint's header: it marks the file as unfinished. */
	if (writer->error) {
		failed = failed ? failed : writer->error;
		writer->error = ftruncate(writer->fd, (off_t)end) ? -errno : 0;
		return failed;
	}
	if (!failed) {
		count = append_late(writer, list, count);
		/* A recording without late sections is still complete: finish it. */
		failed = writer->error;
		writer->error = 0;
	}
	writer->error = write_at(writer, list, count * sizeof(*list), end);
	write_times(writer);
	write_header(writer);
	return failed ? failed : writer->error;
}

uint64_t perfdata_writer_bytes(const struct perfdata_writer *writer)
{
	return writer->at;
}
