#include "engine/recorder/embedded_stacks.h"

#include "engine/stack/stacks.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

static char *make_section(size_t *len)
{
	const struct embedded_stacks_head head = { .samples = 2, .stacks = 2, .ips = 3 };
	const struct embedded_stacks_sample samples[2] = {
		{ .time_ns = 100, .tid = 7, .kind = EMBEDDED_STACKS_SWITCH_OUT, .stack = 1 },
		{ .time_ns = 100, .tid = 7, .kind = EMBEDDED_STACKS_WAKING, .stack = 0 },
	};
	const struct embedded_stacks_stack stacks[2] = {
		{ .first = 0, .count = 1, .flags = STACK_USER_DWARF },
		{ .first = 1, .count = 2, .flags = STACK_USER_DWARF | STACK_USER_STOPPED },
	};
	const uint64_t ips[3] = { 0x10, 0x20, 0x30 };
	char *bytes = malloc(4096), *at = bytes;

	at = mempcpy(at, &head, sizeof(head));
	at = mempcpy(at, samples, sizeof(samples));
	at = mempcpy(at, stacks, sizeof(stacks));
	at = mempcpy(at, ips, sizeof(ips));
	*len = (size_t)(at - bytes);
	return bytes;
}

START_TEST(a_sample_has_its_stack)
{
	struct record record = { .time_ns = 100, .tid = 7, .kind = RECORD_SWITCH_OUT };
	struct unwound unwound;
	struct embedded_stacks *kept;
	size_t len;
	char *bytes = make_section(&len);

	kept = embedded_stacks_new(bytes, len);
	ck_assert_ptr_nonnull(kept);
	ck_assert(embedded_stacks_find(kept, &record, &unwound));
	ck_assert_uint_eq(unwound.count, 2);
	ck_assert_uint_eq(unwound.ips[1], 0x30);
	ck_assert_uint_eq(unwound.flags, STACK_USER_DWARF | STACK_USER_STOPPED);
	record.kind = RECORD_WAKING;
	ck_assert(embedded_stacks_find(kept, &record, &unwound));
	ck_assert_uint_eq(unwound.ips[0], 0x10);
	record.kind = RECORD_INFLIGHT;
	ck_assert(!embedded_stacks_find(kept, &record, &unwound));
	record.kind = RECORD_WAKING;
	record.tid = 8;
	ck_assert(!embedded_stacks_find(kept, &record, &unwound));
	ck_assert(!embedded_stacks_find(NULL, &record, &unwound));
	embedded_stacks_free(kept);
}
END_TEST

START_TEST(inconsistent_section_is_rejected)
{
	const struct record record = { .time_ns = 100, .tid = 7, .kind = RECORD_SWITCH_OUT };
	struct unwound unwound;
	uint64_t sum = 0;
	size_t len, refused = 0;
	char *bytes = make_section(&len);

	for (size_t cut = 0; cut < len; cut++) {
		char *copy = malloc(cut + 1);

		memcpy(copy, bytes, cut);
		ck_assert_msg(!embedded_stacks_new(copy, cut), "cut to %zu bytes", cut);
	}
	for (size_t at = 0; at < len; at++)
		for (int bit = 0; bit < 8; bit++) {
			char *copy = malloc(len);
			struct embedded_stacks *kept;

			memcpy(copy, bytes, len);
			copy[at] = (char)(copy[at] ^ 1 << bit);
			kept = embedded_stacks_new(copy, len);
			if (kept && embedded_stacks_find(kept, &record, &unwound))
				for (uint16_t i = 0; i < unwound.count; i++)
					sum += unwound.ips[i];
			refused += !kept;
			embedded_stacks_free(kept);
		}
	ck_assert_uint_gt(refused, 100);
	ck_assert_uint_gt(sum, 0);
	free(bytes);
}
END_TEST

Suite *suite_embedded_stacks(void);
Suite *suite_embedded_stacks(void)
{
	Suite *suite = suite_create("embedded_stacks");
	TCase *tcase = tcase_create("kept_unwound");

	tcase_add_test(tcase, a_sample_has_its_stack);
	tcase_add_test(tcase, inconsistent_section_is_rejected);
	suite_add_tcase(suite, tcase);
	return suite;
}
