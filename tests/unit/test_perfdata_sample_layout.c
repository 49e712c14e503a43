/* Offsets of the fields of samples, for each sample type that perf can record. */
#include "engine/recording/perfdata_sample_layout.h"

#include "tests/unit/runner.h"

#include <string.h>

#define SAMPLE_ID 77

struct field {
	uint64_t type;
	uint64_t word;
};

/* The fields are in the order of perf_event_open(2). */
static const struct field fields[] = {
	{ PERF_SAMPLE_IDENTIFIER, SAMPLE_ID },
	{ PERF_SAMPLE_IP, 0xaaaa },
	{ PERF_SAMPLE_TID, (uint64_t)42 << 32 | 41 },
	{ PERF_SAMPLE_TIME, 123456789 },
	{ PERF_SAMPLE_ADDR, 0xbbbb },
	{ PERF_SAMPLE_ID, SAMPLE_ID },
	{ PERF_SAMPLE_STREAM_ID, 0xcccc },
	{ PERF_SAMPLE_CPU, 3 },
	{ PERF_SAMPLE_PERIOD, 0xdddd },
};

/* Make a sample of a type, with `chain` stack entries and four raw bytes. Return its words. */
static size_t make(uint64_t words[64], uint64_t type, uint64_t chain)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	size_t count = 1;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (type & fields[i].type)
			words[count++] = fields[i].word;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		words[count++] = chain;
		for (uint64_t i = 0; i < chain; i++)
			words[count++] = 0xeeee;
	}
	words[count++] = (uint64_t)0x64636261 << 32 | 4;
	header.size = (uint16_t)(count * sizeof(*words));
	memcpy(words, &header, sizeof(header));
	return count;
}

static void check(uint64_t type, uint64_t chain)
{
	const struct perf_event_attr attr = { .sample_type = type };
	const struct perf_id event = { .id = SAMPLE_ID };
	const struct perfdata_sample_layout *layout;
	const unsigned char *raw;
	struct perf_layouts layouts;
	struct record record;
	uint64_t words[64] = { 0 };
	uint32_t raw_bytes;

	make(words, type, chain);
	perf_layouts_init(&layouts, &attr);
	perf_layouts_add(&layouts, &event, &attr);
	layout = perf_layouts_find(&layouts, (const void *)words);
	ck_assert_msg(layout, "type %#llx", (unsigned long long)type);
	raw = perfdata_sample_layout_take(layout, (const void *)words, &record, &raw_bytes);
	ck_assert_ptr_nonnull(raw);
	ck_assert_uint_eq(raw_bytes, 4);
	ck_assert(!memcmp(raw, "abcd", 4));
	ck_assert_uint_eq(record.time_ns, type & PERF_SAMPLE_TIME ? 123456789 : 0);
	ck_assert_uint_eq(record.pid, type & PERF_SAMPLE_TID ? 41 : 0);
	ck_assert_uint_eq(record.tid, type & PERF_SAMPLE_TID ? 42 : 0);
	ck_assert_uint_eq(record.cpu, type & PERF_SAMPLE_CPU ? 3 : 0);
	perf_layouts_release(&layouts);
}

/* Every combination of the fields before the raw data, with ID, IDENTIFIER or both. */
START_TEST(fields_are_found_at_their_offsets)
{
	static const uint64_t free_ones[] = { PERF_SAMPLE_IP,        PERF_SAMPLE_TID,
					      PERF_SAMPLE_TIME,      PERF_SAMPLE_ADDR,
					      PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
					      PERF_SAMPLE_PERIOD,    PERF_SAMPLE_CALLCHAIN };

	for (unsigned bits = 0; bits < 256; bits++) {
		uint64_t type = PERF_SAMPLE_RAW;

		for (unsigned i = 0; i < 8; i++)
			if (bits >> i & 1)
				type |= free_ones[i];
		check(type | PERF_SAMPLE_IDENTIFIER, bits % 5);
		check(type | PERF_SAMPLE_ID, bits % 5);
		check(type | PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, bits % 5);
	}
}
END_TEST

START_TEST(inconsistent_samples_are_rejected)
{
	const uint64_t type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW;
	const struct perf_event_attr attr = { .sample_type = type };
	const struct perf_id event = { .id = SAMPLE_ID };
	struct perf_event_header header;
	const struct perfdata_sample_layout *layout;
	struct perf_layouts layouts;
	struct record record;
	uint64_t words[64] = { 0 };
	uint32_t raw_bytes;
	size_t count = make(words, type, 2);

	perf_layouts_init(&layouts, &attr);
	perf_layouts_add(&layouts, &event, &attr);
	layout = perf_layouts_find(&layouts, (const void *)words);
	ck_assert_ptr_nonnull(layout);
	memcpy(&header, words, sizeof(header));
	for (uint16_t size = 24; size < count * 8; size += 8) {
		header.size = size;
		memcpy(words, &header, sizeof(header));
		ck_assert_ptr_null(perfdata_sample_layout_take(layout, (const void *)words, &record,
							       &raw_bytes));
	}
	header.size = (uint16_t)(count * 8);
	memcpy(words, &header, sizeof(header));
	for (int bit = 3; bit < 64; bit++) {
		words[2] = 1ULL << bit;
		ck_assert_ptr_null(perfdata_sample_layout_take(layout, (const void *)words, &record,
							       &raw_bytes));
	}
	perf_layouts_release(&layouts);
}
END_TEST

/* Types without fixed offsets have no layout, and other events are not found. */
START_TEST(other_events_are_not_found)
{
	const uint64_t first = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_RAW;
	const struct perf_event_attr attr = { .sample_type = first };
	const struct perf_event_attr stacks = { .sample_type = first | PERF_SAMPLE_REGS_USER };
	const struct perf_event_attr group = { .sample_type = first | PERF_SAMPLE_READ,
					       .read_format = PERF_FORMAT_GROUP };
	struct perf_layouts layouts;
	uint64_t words[64] = { 0 };

	make(words, first, 0);
	perf_layouts_init(&layouts, &attr);
	perf_layouts_add(&layouts, &(struct perf_id){ .id = SAMPLE_ID }, &stacks);
	perf_layouts_add(&layouts, &(struct perf_id){ .id = SAMPLE_ID }, &group);
	ck_assert_uint_eq(layouts.count, 0);
	/* Many events, whose ids have the same low bits. */
	for (uint64_t i = 1; i < 500; i++)
		perf_layouts_add(&layouts, &(struct perf_id){ .id = SAMPLE_ID + (i << 32) }, &attr);
	ck_assert_ptr_null(perf_layouts_find(&layouts, (const void *)words));
	for (uint64_t i = 1; i < 500; i++) {
		const struct perfdata_sample_layout *layout;

		words[1] = SAMPLE_ID + (i << 32);
		layout = perf_layouts_find(&layouts, (const void *)words);
		ck_assert(layout && layout->event.id == words[1]);
	}
	perf_layouts_release(&layouts);
}
END_TEST

Suite *suite_perfdata_sample_layout(void);

Suite *suite_perfdata_sample_layout(void)
{
	Suite *suite = suite_create("perfdata_sample_layout");
	TCase *cases = tcase_create("perfdata_sample_layout");

	tcase_add_test(cases, fields_are_found_at_their_offsets);
	tcase_add_test(cases, inconsistent_samples_are_rejected);
	tcase_add_test(cases, other_events_are_not_found);
	suite_add_tcase(suite, cases);
	return suite;
}
