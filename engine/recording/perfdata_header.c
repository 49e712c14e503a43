#include "engine/recording/perfdata_header.h"

#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/recording/perfdata_decompress.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/section_cursor.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX 4096
#define IDS_MAX (1u << 22)
#define FORMATS_MAX 16384
#define FEATURE_BYTES_MAX ((size_t)64 << 20) /* all tracepoint formats of a kernel take 4 MiB */
/* Bound of the bytes in a compressed record: default, and maximum of the bound in the file. */
#define PACKED_MAX ((size_t)64 << 20)
#define PACKED_MOST (1u << 30)
#define FEATURE_TEXT_MAX ((size_t)64 << 10)

struct perfdata_header {
	struct perfdata_file_event *events;
	size_t event_count, event_cap;
	struct idmap ids; /* by sample id: event number plus 1 */
	size_t id_count;
	struct perfdata_file_format *formats;
	size_t format_count, format_cap;
	char *tracing; /* section from which the formats are borrowed */
	struct str build_id_records;
	/* Parsed build_id_records; NULL: none, or records were added since. */
	struct perfdata_build_ids *build_ids;
	char hostname[65], release[65], arch[65], cpu_desc[128], cpuid[65];
	unsigned cpus;
	unsigned long_bytes;
	const char *kallsyms; /* borrowed from tracing */
	size_t kallsyms_len;
	uint64_t last_ns;
	uint64_t wall_ns, clock_ns;
	struct perfdata_header_info recorded;
	uint32_t packed_max;
	struct {
		char *bytes; /* NULL: absent */
		size_t len;
	} own[PERFDATA_EXT_FEATURES];
};

struct perfdata_header *perfdata_header_new(void)
{
	struct perfdata_header *header = mem_zalloc(1, sizeof(*header));

	str_init(&header->build_id_records);
	header->long_bytes = 8;
	return header;
}

void perfdata_header_free(struct perfdata_header *header)
{
	if (!header)
		return;
	for (size_t i = 0; i < header->event_count; i++)
		free((void *)(uintptr_t)header->events[i].ids);
	free(header->events);
	idmap_release(&header->ids);
	free(header->formats);
	free(header->tracing);
	for (size_t i = 0; i < PERFDATA_EXT_FEATURES; i++)
		free(header->own[i].bytes);
	perfdata_build_ids_free(header->build_ids);
	str_release(&header->build_id_records);
	perfdata_header_info_release(&header->recorded);
	free(header);
}

/* -- Events ------------------------------------------------------------------------------ */

bool perfdata_header_add_event(struct perfdata_header *header, const void *attr, size_t attr_bytes,
			       const void *ids, size_t id_count)
{
	struct perfdata_file_event *event;
	uint64_t *copy;

	if (header->event_count == EVENTS_MAX || id_count > IDS_MAX - header->id_count)
		return false;
	header->events = mem_grow(header->events, &header->event_cap, header->event_count + 1,
				  sizeof(*header->events));
	event = &header->events[header->event_count];
	memset(event, 0, sizeof(*event));
	memcpy(&event->attr, attr,
	       attr_bytes < sizeof(event->attr) ? attr_bytes : sizeof(event->attr));
	copy = mem_alloc((id_count + 1) * sizeof(*copy));
	if (id_count)
		memcpy(copy, ids, id_count * sizeof(*copy));
	event->ids = copy;
	event->id_count = id_count;
	header->event_count++;
	for (size_t i = 0; i < id_count; i++)
		if (!idmap_get(&header->ids, copy[i]))
			idmap_put(&header->ids, copy[i], (void *)(uintptr_t)header->event_count);
	header->id_count += id_count;
	return true;
}

int perfdata_header_event_of_id(struct perfdata_header *header, uint64_t id)
{
	uintptr_t number = (uintptr_t)idmap_get(&header->ids, id);

	if (number)
		return (int)number - 1;
	return header->event_count == 1 ? 0 : -1;
}

size_t perfdata_header_event_count(const struct perfdata_header *header)
{
	return header->event_count;
}

const struct perfdata_file_event *perfdata_header_event(const struct perfdata_header *header,
							size_t index)
{
	return &header->events[index];
}

/* -- Features ---------------------------------------------------------------------------- */

static void add_format(struct perfdata_header *header, const char *system, const char *text,
		       size_t len)
{
	if (!text || header->format_count >= FORMATS_MAX)
		return;
	header->formats = mem_grow(header->formats, &header->format_cap, header->format_count + 1,
				   sizeof(*header->formats));
	header->formats[header->format_count++] =
		(struct perfdata_file_format){ .system = system, .text = text, .len = len };
}

/* The layout is that of trace-cmd's version 6 header, which perf copied. */
static void read_tracing_data(struct perfdata_header *header, struct section_cursor cursor)
{
	const char *magic = section_take(&cursor, 10);

	if (!magic || memcmp(magic, "\027\010\104tracing", 10) != 0)
		return;
	section_take_string(&cursor); /* version */
	section_take_number(&cursor, 1); /* byte order, that of the file */
	header->long_bytes = (unsigned)section_take_number(&cursor, 1);
	section_take_number(&cursor, 4); /* page size */
	for (int i = 0; i < 2; i++) { /* header_page and header_event */
		section_take_string(&cursor);
		section_take(&cursor, section_take_number(&cursor, 8));
	}
	uint64_t ftrace = section_take_number(&cursor, 4);
	for (uint64_t i = 0; i < ftrace && !cursor.broken; i++)
		section_take(&cursor, section_take_number(&cursor, 8));
	uint64_t systems = section_take_number(&cursor, 4);
	for (uint64_t i = 0; i < systems && !cursor.broken; i++) {
		const char *system = section_take_string(&cursor);
		uint64_t events = section_take_number(&cursor, 4);
		for (uint64_t j = 0; j < events && !cursor.broken; j++) {
			uint64_t len = section_take_number(&cursor, 8);
			add_format(header, system, section_take(&cursor, len), len);
		}
	}
	header->kallsyms_len = section_take_number(&cursor, 4);
	header->kallsyms = section_take(&cursor, header->kallsyms_len);
	if (!header->kallsyms)
		header->kallsyms_len = 0;
}

static void read_text(char *out, size_t out_bytes, struct section_cursor cursor)
{
	uint64_t len = section_take_number(&cursor, 4);
	const char *text = section_take(&cursor, len);

	if (!text)
		return;
	len = strnlen(text, len);
	if (len >= out_bytes)
		len = out_bytes - 1;
	memcpy(out, text, len);
	out[len] = '\0';
}

static void add_build_ids(struct perfdata_header *header, const char *records, size_t len)
{
	if (len > FEATURE_BYTES_MAX - header->build_id_records.len)
		return;
	str_addn(&header->build_id_records, records, len);
	perfdata_build_ids_free(header->build_ids);
	header->build_ids = NULL;
}

static bool is_own(unsigned bit)
{
	return bit >= PERFDATA_EXT_FEATURE_FIRST && bit < PERFDATA_EXT_FEATURE_END;
}

static bool store_own(struct perfdata_header *header, unsigned bit, char *bytes, size_t len)
{
	unsigned index = bit - PERFDATA_EXT_FEATURE_FIRST;

	if (!is_own(bit) || header->own[index].bytes || len > PERFDATA_EXT_SECTION_MAX)
		return false;
	header->own[index].bytes = bytes;
	header->own[index].len = len;
	return true;
}

bool perfdata_header_wants(unsigned bit)
{
	switch (bit) {
	case PERF_FEATURE_TRACING_DATA:
	case PERF_FEATURE_BUILD_ID:
	case PERF_FEATURE_HOSTNAME:
	case PERF_FEATURE_RELEASE:
	case PERF_FEATURE_ARCH:
	case PERF_FEATURE_CPUS:
	case PERF_FEATURE_CPU_DESC:
	case PERF_FEATURE_CPUID:
	case PERF_FEATURE_SAMPLE_TIME:
	case PERF_FEATURE_CLOCK_DATA:
	case PERF_FEATURE_COMPRESSED:
		return true;
	default:
		return is_own(bit) || perfdata_header_info_wants(bit);
	}
}

size_t perfdata_header_feature_max(unsigned bit)
{
	if (is_own(bit))
		return PERFDATA_EXT_SECTION_MAX;
	return bit == PERF_FEATURE_TRACING_DATA || bit == PERF_FEATURE_BUILD_ID ||
			       bit == PERF_FEATURE_EVENTS
		       ? FEATURE_BYTES_MAX
		       : FEATURE_TEXT_MAX;
}

void perfdata_header_add_feature(struct perfdata_header *header, unsigned bit, char *bytes,
				 size_t len)
{
	struct section_cursor cursor = { .at = bytes, .end = bytes + len };

	perfdata_header_info_add(&header->recorded, bit, bytes, len);
	switch (bit) {
	case PERF_FEATURE_TRACING_DATA:
		if (header->tracing)
			break;
		header->tracing = bytes;
		read_tracing_data(header, cursor);
		return;
	case PERF_FEATURE_BUILD_ID:
		add_build_ids(header, bytes, len);
		break;
	case PERF_FEATURE_HOSTNAME:
		read_text(header->hostname, sizeof(header->hostname), cursor);
		break;
	case PERF_FEATURE_RELEASE:
		read_text(header->release, sizeof(header->release), cursor);
		break;
	case PERF_FEATURE_ARCH:
		read_text(header->arch, sizeof(header->arch), cursor);
		break;
	case PERF_FEATURE_CPU_DESC:
		read_text(header->cpu_desc, sizeof(header->cpu_desc), cursor);
		break;
	case PERF_FEATURE_CPUID:
		read_text(header->cpuid, sizeof(header->cpuid), cursor);
		break;
	case PERF_FEATURE_CPUS:
		header->cpus = (unsigned)section_take_number(&cursor, 4);
		break;
	case PERF_FEATURE_SAMPLE_TIME:
		section_take_number(&cursor, 8);
		header->last_ns = section_take_number(&cursor, 8);
		break;
	case PERF_FEATURE_CLOCK_DATA:
		section_take_number(&cursor, 4); /* version */
		section_take_number(&cursor, 4); /* clock */
		header->wall_ns = section_take_number(&cursor, 8);
		header->clock_ns = section_take_number(&cursor, 8);
		break;
	/* version, type, level, ratio, then the size of perf's decompression buffer */
	case PERF_FEATURE_COMPRESSED:
		section_take(&cursor, 16);
		header->packed_max = (uint32_t)section_take_number(&cursor, 4);
		if (header->packed_max > PACKED_MOST)
			header->packed_max = PACKED_MOST;
		break;
	default:
		if (store_own(header, bit, bytes, len))
			return;
		break;
	}
	free(bytes);
}

void perfdata_header_add_build_id(struct perfdata_header *header,
				  const struct perf_event_header *record)
{
	add_build_ids(header, (const char *)record, record->size);
}

char *perfdata_header_take_own(struct perfdata_header *header, unsigned feature, unsigned version,
			       size_t *len)
{
	unsigned index = feature - PERFDATA_EXT_FEATURE_FIRST;
	struct perfdata_ext_section section;
	size_t bytes = header->own[index].len;
	char *packed = header->own[index].bytes, *all = NULL;

	header->own[index].bytes = NULL;
	if (packed && bytes >= sizeof(section)) {
		memcpy(&section, packed, sizeof(section));
		if (!memcmp(section.magic, PERFDATA_EXT_MAGIC, sizeof(section.magic)) &&
		    section.version == version)
			all = perfdata_decompress_all(packed + sizeof(section),
						      bytes - sizeof(section),
						      PERFDATA_EXT_SECTION_MAX, len);
	}
	free(packed);
	return all;
}

size_t perfdata_header_format_count(const struct perfdata_header *header)
{
	return header->format_count;
}

const struct perfdata_file_format *perfdata_header_format(const struct perfdata_header *header,
							  size_t index)
{
	return &header->formats[index];
}

unsigned perfdata_header_long_bytes(const struct perfdata_header *header)
{
	return header->long_bytes;
}

const struct perfdata_build_ids *perfdata_header_build_ids(struct perfdata_header *header)
{
	if (!header->build_ids && header->build_id_records.len)
		header->build_ids = perfdata_build_ids_new(header->build_id_records.data,
							   header->build_id_records.len);
	return header->build_ids;
}

const char *perfdata_header_hostname(const struct perfdata_header *header)
{
	return header->hostname;
}

const char *perfdata_header_release(const struct perfdata_header *header)
{
	return header->release;
}

const char *perfdata_header_arch(const struct perfdata_header *header)
{
	return header->arch;
}

const char *perfdata_header_cpu_desc(const struct perfdata_header *header)
{
	return header->cpu_desc;
}

const char *perfdata_header_cpuid(const struct perfdata_header *header)
{
	return header->cpuid;
}

const struct perfdata_header_info *perfdata_header_recorded(const struct perfdata_header *header)
{
	return &header->recorded;
}

unsigned perfdata_header_cpus(const struct perfdata_header *header)
{
	return header->cpus;
}

const char *perfdata_header_kallsyms(const struct perfdata_header *header, size_t *len)
{
	*len = header->kallsyms_len;
	return header->kallsyms;
}

size_t perfdata_header_packed_max(const struct perfdata_header *header)
{
	return header->packed_max ? header->packed_max : PACKED_MAX;
}

uint64_t perfdata_header_last_ns(const struct perfdata_header *header)
{
	return header->last_ns;
}

bool perfdata_header_clocks(const struct perfdata_header *header, uint64_t *clock_ns,
			    uint64_t *wall_ns)
{
	*clock_ns = header->clock_ns;
	*wall_ns = header->wall_ns;
	return header->clock_ns && header->wall_ns;
}
