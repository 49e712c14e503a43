#include "engine/late/late_validity.h"

#include "engine/decode/call_bytes.h"
#include "engine/record/capture_chunks.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <string.h>
#include <sys/syscall.h>

#define TID 7
#define ENTERED 1000

static void add_chunk(struct str *chunks, uint64_t address, uint8_t flags, uint8_t origin)
{
	struct capture_chunk chunk = { .address = address, .flags = flags, .origin = origin };

	str_addn(chunks, (const char *)&chunk, sizeof(chunk));
}

/* Make the chunks of a late read that ended at read_ns: one of memory, one of a constant. */
static void reading(struct str *chunks, uint64_t read_ns)
{
	str_clear(chunks);
	add_chunk(chunks, 0x1000, 0, BYTES_LATE);
	add_chunk(chunks, 0x2000, 0, BYTES_IMAGE);
	add_chunk(chunks, read_ns, CAPTURE_TIME | CAPTURE_NO_MEMORY, 0);
}

static enum model_answer match_all(void *ctx, const struct call *call, const struct model *model)
{
	(void)ctx;
	(void)call;
	(void)model;
	return MODEL_YES;
}

/* Records after the enter, the time up to which they are complete, and the time of the read. */
static const struct {
	const char *name;
	struct {
		char kind; /* 'x' exit, 'e' enter, 'l' records lost, 'g' a gap, 0 nothing */
		uint64_t ns;
	} then[4];
	uint64_t fed_ns, read_ns;
	int64_t dur_ns; /* of the queried call; -1: in flight */
	bool in_flight; /* at the time of the read */
	bool filtered;
	enum late_answer answer;
} cases[] = {
	{ "still in flight", { { 0 } }, 3000, 2000, -1, true, false, LATE_GOOD },
	{ "unknown yet", { { 0 } }, 1900, 2000, -1, true, false, LATE_WAITS },
	{ "returned before the read", { { 'x', 1500 } }, 3000, 2000, -1, true, false, LATE_BAD },
	{ "in another call at the read",
	  { { 'x', 1500 }, { 'e', 1600 } },
	  3000,
	  2000,
	  -1,
	  true,
	  false,
	  LATE_BAD },
	{ "records were lost", { { 'l', 1500 } }, 3000, 2000, -1, true, false, LATE_BAD },
	{ "collection was paused", { { 'g', 1500 } }, 3000, 2000, -1, true, false, LATE_BAD },
	{ "finished after the read", { { 'x', 2500 } }, 3000, 2000, 1500, true, false, LATE_GOOD },
	{ "finished before the read", { { 'x', 1500 } }, 3000, 2000, 500, true, false, LATE_BAD },
	{ "last call of the thread", { { 'x', 1500 } }, 3000, 2000, 500, false, false, LATE_GOOD },
	{ "last call that passed a filter",
	  { { 'x', 1500 } },
	  3000,
	  2000,
	  500,
	  false,
	  true,
	  LATE_BAD },
	{ "last call of the thread, unknown yet",
	  { { 'x', 1500 } },
	  1900,
	  2000,
	  500,
	  false,
	  false,
	  LATE_WAITS },
	{ "the thread made another call",
	  { { 'x', 1500 }, { 'e', 1600 }, { 'x', 1700 } },
	  3000,
	  2000,
	  500,
	  false,
	  false,
	  LATE_BAD },
	{ "the thread is in another call",
	  { { 'x', 1500 }, { 'e', 1600 } },
	  3000,
	  2000,
	  500,
	  false,
	  false,
	  LATE_BAD },
	{ "a read without a time", { { 0 } }, 3000, 0, -1, true, false, LATE_BAD },
};

static void feed(struct model *model, char kind, uint64_t ns)
{
	struct record record;

	switch (kind) {
	case 'e':
		record = record_enter(ns, TID, SYS_openat, 0x3000);
		break;
	case 'x':
		record = record_exit(ns, TID, SYS_openat, 3);
		break;
	case 'l':
		record = record_lost(ns, 0, 5);
		break;
	case 'g':
		record = record_gap(ns);
		break;
	default:
		return;
	}
	model_feed(model, &record);
}

START_TEST(late_read_is_valid_if_it_was_in_time)
{
	struct model_options options = { .history_bytes = HISTORY_BYTES_MIN };
	struct call call = { .enter_ns = ENTERED,
			     .dur_ns = cases[_i].dur_ns,
			     .pid = TID,
			     .tid = TID,
			     .nr = SYS_openat,
			     .ret = 3,
			     .state = cases[_i].dur_ns < 0 ? CALL_IN_FLIGHT : CALL_DONE };
	struct late_validity trust = { .again_ns = 0 };
	struct str chunks = STR_INIT;
	enum late_answer answer;
	struct model *model;
	struct err err;
	bool news;

	ck_assert_int_eq(model_new(&model, &options, &err), 0);
	model_lock(model);
	if (cases[_i].filtered)
		model_set_match(model, match_all, NULL);
	feed(model, 'e', ENTERED);
	for (int i = 0; i < 4; i++)
		feed(model, cases[_i].then[i].kind, cases[_i].then[i].ns);
	model_settle(model, cases[_i].fed_ns);
	reading(&chunks, cases[_i].read_ns);
	answer = late_validity_ask(&trust, model, &call, cases[_i].in_flight, &chunks, &news);
	ck_assert_msg(answer == cases[_i].answer, "%s: %d", cases[_i].name, answer);
	ck_assert(news == (answer == LATE_GOOD && !cases[_i].in_flight));
	/* A good result is final. */
	feed(model, 'e', 2800);
	feed(model, 'x', 2900);
	if (answer == LATE_GOOD && !cases[_i].in_flight)
		ck_assert_int_eq(late_validity_ask(&trust, model, &call, false, &chunks, &news),
				 LATE_GOOD);
	ck_assert(!news || cases[_i].in_flight == false);
	model_unlock(model);
	model_free(model);
	late_validity_release(&trust);
	str_release(&chunks);
}
END_TEST

START_TEST(constants_are_always_valid)
{
	struct str chunks = STR_INIT, out = STR_INIT;
	struct capture_chunk chunk;

	reading(&chunks, 2000);
	late_validity_add_constants(&out, chunks.data, chunks.len);
	ck_assert_uint_eq(out.len, sizeof(chunk));
	memcpy(&chunk, out.data, sizeof(chunk));
	ck_assert_uint_eq(chunk.address, 0x2000);
	/* A truncated chunk is ignored. */
	str_clear(&out);
	late_validity_add_constants(&out, chunks.data, sizeof(chunk) + 5);
	ck_assert_uint_eq(out.len, 0);
	str_release(&chunks);
	str_release(&out);
}
END_TEST

Suite *suite_late_validity(void);
Suite *suite_late_validity(void)
{
	Suite *suite = suite_create("late_validity");
	TCase *tcase = tcase_create("late_trust");

	tcase_add_loop_test(tcase, late_read_is_valid_if_it_was_in_time, 0,
			    sizeof(cases) / sizeof(*cases));
	tcase_add_test(tcase, constants_are_always_valid);
	suite_add_tcase(suite, tcase);
	return suite;
}
