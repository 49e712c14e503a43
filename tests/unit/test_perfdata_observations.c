/* Observations survive encoding and decoding; an invalid one ends its record. */
#include "engine/recording/perfdata_observations.h"

#include "engine/recording/perfdata_ext.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

#define MANY 3000

struct seen {
	size_t count;
	struct observation last;
	char text[64];
};

static void see(void *ctx, const struct observation *observation)
{
	struct seen *seen = ctx;

	seen->count++;
	seen->last = *observation;
	if (observation->len < sizeof(seen->text)) {
		memset(seen->text, 0, sizeof(seen->text));
		memcpy(seen->text, observation->text, observation->len);
	}
}

static struct observation variable(uint64_t number)
{
	struct observation observation;

	memset(&observation, 0, sizeof(observation));
	observation.kind = OBSERVATION_VARIABLE;
	observation.pid = 7;
	observation.fed_ns = number;
	observation.futex.uaddr = 0x1000 + number;
	observation.text = "mutex";
	observation.len = 5;
	return observation;
}

/* Each record has the offset of the previous one. */
START_TEST(many_observations_come_back_in_order)
{
	struct str observations = STR_INIT, record = STR_INIT;
	uint64_t before, place = 0;
	struct seen seen = { .count = 0 };
	size_t at = 0, records = 0;

	for (uint64_t i = 0; i < MANY; i++) {
		struct observation observation = variable(i);

		ck_assert(perfdata_observations_add(&observations, &observation));
	}
	while (at < observations.len) {
		const struct perf_event_header *header;

		str_clear(&record);
		perfdata_observations_record(&record, &observations, &at, place);
		header = (const void *)record.data;
		ck_assert_uint_eq(header->size, record.len);
		ck_assert(perfdata_observations_read(header, see, &seen, &before));
		ck_assert_uint_eq(before, place);
		place = 1000 * ++records;
	}
	ck_assert_uint_gt(records, 1);
	ck_assert_uint_eq(seen.count, MANY);
	ck_assert(seen.last.kind == OBSERVATION_VARIABLE && seen.last.pid == 7 &&
		  seen.last.fed_ns == MANY - 1 && seen.last.futex.uaddr == 0x1000 + MANY - 1);
	ck_assert_str_eq(seen.text, "mutex");
	str_release(&observations);
	str_release(&record);
}
END_TEST

START_TEST(a_long_observation_is_refused)
{
	static char text[OBSERVATION_TEXT_MAX + 1];
	struct observation observation = variable(1);
	struct str observations = STR_INIT, record = STR_INIT;
	struct seen seen = { .count = 0 };
	uint64_t before;
	size_t at = 0;

	observation.text = text;
	observation.len = OBSERVATION_TEXT_MAX + 1;
	ck_assert(!perfdata_observations_add(&observations, &observation));
	ck_assert_uint_eq(observations.len, 0);
	observation.len = OBSERVATION_TEXT_MAX;
	ck_assert(perfdata_observations_add(&observations, &observation));
	perfdata_observations_record(&record, &observations, &at, 0);
	ck_assert(perfdata_observations_read((const void *)record.data, see, &seen, &before));
	ck_assert(seen.count == 1 && seen.last.len == OBSERVATION_TEXT_MAX);
	str_release(&observations);
	str_release(&record);
}
END_TEST

/* Set each word of a record to wrong values. */
START_TEST(wrong_words_are_read_safely)
{
	struct str observations = STR_INIT, record = STR_INIT;
	size_t at = 0;

	for (uint64_t i = 0; i < 3; i++) {
		struct observation observation = variable(i);

		perfdata_observations_add(&observations, &observation);
	}
	perfdata_observations_record(&record, &observations, &at, 0);
	for (size_t i = sizeof(struct perf_event_header); i + 4 <= record.len; i += 4)
		for (unsigned lie = 0; lie < 4; lie++) {
			static const uint32_t lies[] = { 0, 1, UINT32_MAX, 1u << 16 };
			char *copy = malloc(record.len); /* a sanitizer detects reads beyond it */
			struct seen seen = { .count = 0 };
			uint64_t before;

			memcpy(copy, record.data, record.len);
			memcpy(copy + i, &lies[lie], sizeof(lies[lie]));
			perfdata_observations_read((const void *)copy, see, &seen, &before);
			ck_assert_uint_le(seen.count, 3);
			free(copy);
		}
	str_release(&observations);
	str_release(&record);
}
END_TEST

START_TEST(the_offset_of_the_last_record_is_read)
{
	struct str record = STR_INIT;
	uint64_t last = 0;

	perfdata_observations_at(&record, 123456);
	ck_assert(perfdata_observations_read_at(record.data, record.len, &last));
	ck_assert_uint_eq(last, 123456);
	ck_assert(!perfdata_observations_read_at(record.data, record.len - 8, &last));
	record.data[8]++;
	ck_assert(!perfdata_observations_read_at(record.data, record.len, &last));
	str_release(&record);
}
END_TEST

Suite *suite_perfdata_observations(void);

Suite *suite_perfdata_observations(void)
{
	Suite *suite = suite_create("perfdata_observations");
	TCase *cases = tcase_create("perfdata_observations");

	tcase_add_test(cases, many_observations_come_back_in_order);
	tcase_add_test(cases, a_long_observation_is_refused);
	tcase_add_test(cases, wrong_words_are_read_safely);
	tcase_add_test(cases, the_offset_of_the_last_record_is_read);
	suite_add_tcase(suite, cases);
	return suite;
}
