/* Compressed records decompress to the same records, in a format that perf reads. */
#include "engine/recording/perfdata_compress.h"

#include "engine/recording/perfdata_decompress.h"
#include "tests/unit/runner.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 4000u

struct sized {
	struct perf_event_header header;
	uint64_t number, noise;
};

/* Add records with noise: incompressible input must fit, too. */
static void add_records(struct str *out)
{
	uint64_t noise = 1;

	for (uint64_t i = 0; i < RECORDS; i++) {
		struct sized record = { .header = { .type = 9, .size = sizeof(record) },
					.number = i };

		noise = noise * 6364136223846793005ULL + 1442695040888963407ULL;
		record.noise = noise;
		str_addn(out, (const char *)&record, sizeof(record));
	}
}

/* Decompress the records after offset `from`, check their order and return their count. */
static uint64_t unpack_from(const struct str *packed, size_t from, uint64_t first)
{
	struct perfdata_decompress *unpack = perfdata_decompress_new();
	const struct perf_event_header *record;
	uint64_t next = first;

	for (size_t at = from; at < packed->len;) {
		struct perf_event_header header;

		memcpy(&header, packed->data + at, sizeof(header));
		ck_assert_uint_eq(header.type, 81);
		ck_assert_uint_gt(header.size, sizeof(header));
		perfdata_decompress_feed(unpack, packed->data + at + sizeof(header),
					 header.size - sizeof(header), PERFDATA_COMPRESS_BYTES);
		while ((record = perfdata_decompress_next(unpack)))
			ck_assert_uint_eq(((const struct sized *)(const void *)record)->number,
					  next++);
		at += header.size;
	}
	ck_assert(!perfdata_decompress_is_broken(unpack));
	perfdata_decompress_free(unpack);
	return next - first;
}

START_TEST(records_decompress_to_the_same)
{
	struct str records = STR_INIT, packed = STR_INIT;
	struct perfdata_compress *pack;
	size_t half;

	for (int level = 1; level <= 19; level += 9) {
		str_clear(&records);
		str_clear(&packed);
		add_records(&records);
		pack = perfdata_compress_new(level);
		ck_assert_ptr_nonnull(pack);
		half = records.len / 2;
		ck_assert_int_eq(perfdata_compress_add(pack, records.data, half, true, &packed), 0);
		/* Records after the end of a frame decompress without the records before it. */
		half = packed.len;
		ck_assert_int_eq(perfdata_compress_add(pack, records.data + records.len / 2,
						       records.len - records.len / 2, false,
						       &packed),
				 0);
		ck_assert_uint_eq(unpack_from(&packed, 0, 0), RECORDS);
		ck_assert_uint_eq(unpack_from(&packed, half, RECORDS / 2), RECORDS / 2);
		perfdata_compress_free(pack);
	}
	str_release(&records);
	str_release(&packed);
}
END_TEST

START_TEST(any_bytes_compress_to_one_frame)
{
	struct str records = STR_INIT, packed = STR_INIT;
	size_t len;
	char *bytes;

	add_records(&records);
	ck_assert_int_eq(perfdata_compress_all(records.data, records.len, &packed), 0);
	bytes = perfdata_decompress_all(packed.data, packed.len, records.len, &len);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(len, records.len);
	ck_assert(!memcmp(bytes, records.data, len));
	free(bytes);
	ck_assert_ptr_null(perfdata_decompress_all(packed.data, packed.len, records.len - 1, &len));
	str_release(&records);
	str_release(&packed);
}
END_TEST

Suite *suite_perfdata_compress(void);

Suite *suite_perfdata_compress(void)
{
	Suite *suite = suite_create("perfdata_compress");
	TCase *cases = tcase_create("perfdata_compress");

	tcase_add_test(cases, records_decompress_to_the_same);
	tcase_add_test(cases, any_bytes_compress_to_one_frame);
	suite_add_tcase(suite, cases);
	return suite;
}
