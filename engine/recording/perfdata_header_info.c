#include "engine/recording/perfdata_header_info.h"

#include "engine/base/mem.h"
#include "engine/recording/perfdata_features.h"
#include "engine/recording/section_cursor.h"

#include <stdlib.h>

#define CMDLINE_BYTES_MAX ((size_t)64 << 10)
#define EVENT_NAME_MAX 256

bool perfdata_header_info_wants(unsigned bit)
{
	return bit == PERF_FEATURE_VERSION || bit == PERF_FEATURE_MEMORY ||
	       bit == PERF_FEATURE_CMDLINE || bit == PERF_FEATURE_EVENTS;
}

void perfdata_header_info_release(struct perfdata_header_info *recorded)
{
	for (size_t i = 0; i < recorded->event_count; i++)
		free(recorded->events[i]);
	free(recorded->events);
	/* A zeroed cmdline has no memory; read_cmdline() initializes it before it adds text. */
	if (recorded->cmdline.cap)
		str_release(&recorded->cmdline);
	memset(recorded, 0, sizeof(*recorded));
}

static void read_version(struct perfdata_header_info *recorded, struct section_cursor cursor)
{
	size_t len;
	const char *text = section_take_text(&cursor, &len);

	if (!text)
		return;
	if (len >= sizeof(recorded->version))
		len = sizeof(recorded->version) - 1;
	memcpy(recorded->version, text, len);
	recorded->version[len] = '\0';
}

/* Append a word with shell quoting. */
static void add_word(struct str *out, const char *word, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=.,/:@%^";
	bool quote = !len;

	for (size_t i = 0; i < len; i++)
		quote = quote || !word[i] || !strchr(plain, word[i]);
	if (!quote) {
		str_addn(out, word, len);
		return;
	}
	str_addc(out, '\'');
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '\'')
			str_add(out, "'\\'");
		str_addc(out, word[i]);
	}
	str_addc(out, '\'');
}

static void read_cmdline(struct perfdata_header_info *recorded, struct section_cursor cursor)
{
	uint64_t words = section_take_number(&cursor, 4);

	if (recorded->cmdline.cap)
		return;
	str_init(&recorded->cmdline);
	for (uint64_t i = 0; i < words && recorded->cmdline.len < CMDLINE_BYTES_MAX; i++) {
		size_t len;
		const char *word = section_take_text(&cursor, &len);

		if (!word)
			return;
		if (i)
			str_addc(&recorded->cmdline, ' ');
		add_word(&recorded->cmdline, word, len);
	}
}

/* Each entry of the list has the attributes, count of ids, name and ids of an event. */
static void read_events(struct perfdata_header_info *recorded, struct section_cursor cursor)
{
	uint64_t count = section_take_number(&cursor, 4);
	uint64_t attr_bytes = section_take_number(&cursor, 4);

	if (recorded->events || count > PERFDATA_HEADER_INFO_EVENTS_MAX)
		return;
	recorded->events = mem_zalloc(count + 1, sizeof(*recorded->events));
	for (uint64_t i = 0; i < count; i++) {
		uint64_t ids;
		const char *name;
		size_t len;

		section_take(&cursor, attr_bytes);
		ids = section_take_number(&cursor, 4);
		name = section_take_text(&cursor, &len);
		if (!name || !section_take(&cursor, ids * sizeof(uint64_t)))
			return;
		if (len > EVENT_NAME_MAX)
			len = EVENT_NAME_MAX;
		recorded->events[i] = mem_zalloc(len + 1, 1);
		memcpy(recorded->events[i], name, len);
		recorded->event_count++;
	}
}

void perfdata_header_info_add(struct perfdata_header_info *recorded, unsigned bit,
			      const char *bytes, size_t len)
{
	struct section_cursor cursor = { .at = bytes, .end = bytes + len };

	switch (bit) {
	case PERF_FEATURE_VERSION:
		read_version(recorded, cursor);
		break;
	case PERF_FEATURE_MEMORY:
		recorded->memory_kb = section_take_number(&cursor, 8);
		break;
	case PERF_FEATURE_CPUS:
		recorded->cpus_max = (uint32_t)section_take_number(&cursor, 4);
		recorded->cpus = (uint32_t)section_take_number(&cursor, 4);
		break;
	case PERF_FEATURE_CMDLINE:
		read_cmdline(recorded, cursor);
		break;
	case PERF_FEATURE_EVENTS:
		read_events(recorded, cursor);
		break;
	case PERF_FEATURE_SAMPLE_TIME:
		recorded->first_ns = section_take_number(&cursor, 8);
		break;
	case PERF_FEATURE_COMPRESSED:
		section_take_number(&cursor, 4); /* version */
		recorded->pack_kind = (uint32_t)section_take_number(&cursor, 4);
		recorded->pack_level = (uint32_t)section_take_number(&cursor, 4);
		recorded->pack_ratio = (uint32_t)section_take_number(&cursor, 4);
		break;
	default:
		break;
	}
}
