/* Calls whose filter result is pending until symbols are loaded. */
#include "engine/model/model.h"
#include "tests/unit/runner.h"

#include <sys/syscall.h>

/* Version of the symbols: match() decides every call if the version is at least 2. */
struct names {
	uint64_t version;
};

static uint64_t version(void *ctx)
{
	return ((struct names *)ctx)->version;
}

static enum model_answer match(void *ctx, const struct call *call, const struct model *model)
{
	struct names *names = ctx;

	(void)model;
	if (call->nr == SYS_close)
		return MODEL_NO;
	if (call->nr == SYS_read)
		return MODEL_YES;
	return names->version < 2 ? MODEL_LATER : call->ret ? MODEL_YES : MODEL_NO;
}

struct bed {
	struct names names;
	struct model_symbols symbols;
	struct model *model;
	uint64_t time_ns;
};

static void bed_init(struct bed *bed, size_t history_bytes)
{
	struct model_options options = { .history_bytes = history_bytes, .symbols = &bed->symbols };
	struct err err;

	*bed = (struct bed){
		.names.version = 1,
		.symbols = { .version = version, .ctx = &bed->names },
		.time_ns = 10,
	};
	ck_assert_int_eq(model_new(&bed->model, &options, &err), 0);
}

static void feed(struct bed *bed, uint16_t nr, int64_t ret)
{
	struct record enter = { .kind = RECORD_ENTER,
				.time_ns = bed->time_ns,
				.pid = 7,
				.tid = 7,
				.enter = { .nr = nr } };
	struct record exit = { .kind = RECORD_EXIT,
			       .time_ns = bed->time_ns + 5,
			       .pid = 7,
			       .tid = 7,
			       .exit = { .nr = nr, .ret = ret } };

	model_lock(bed->model);
	model_feed(bed->model, &enter);
	model_feed(bed->model, &exit);
	model_settle(bed->model, bed->time_ns + 5);
	model_unlock(bed->model);
	bed->time_ns += 10;
}

static struct model_status status_of(const struct bed *bed)
{
	struct model_status status;

	model_status(bed->model, &status);
	return status;
}

START_TEST(calls_wait_for_symbols)
{
	struct model_status status;
	struct bed bed;

	bed_init(&bed, 1u << 20);
	model_set_match(bed.model, match, &bed.names);
	for (int i = 0; i < 300; i++)
		feed(&bed, i % 3 ? i % 3 == 1 ? SYS_read : SYS_close : SYS_write, i % 2);
	status = status_of(&bed);
	ck_assert_uint_eq(status.calls_matched, 100);
	ck_assert_uint_eq(status.pending_match, 100);
	/* The history has the pending calls too. */
	ck_assert_uint_eq(history_end(model_history(bed.model)), 200);
	/* No new symbols: no call is tested again. */
	while (model_refill(bed.model, 7))
		;
	ck_assert(!status_of(&bed).refilling);
	bed.names.version = 2;
	ck_assert(status_of(&bed).refilling);
	while (model_refill(bed.model, 7))
		feed(&bed, SYS_read, 0);
	status = status_of(&bed);
	ck_assert(!status.refilling);
	ck_assert_uint_eq(status.pending_match, 0);
	ck_assert_uint_eq(status.calls_matched,
			  100 + 50 + (history_end(model_history(bed.model)) - 200));
	ck_assert_uint_eq(status.calls_unmatched, 0);
	model_free(bed.model);
}
END_TEST

/* Symbols that do not decide these calls leave them pending. */
START_TEST(calls_without_symbols_stay_pending)
{
	struct bed bed;

	bed_init(&bed, 1u << 20);
	bed.names.version = 0;
	model_set_match(bed.model, match, &bed.names);
	for (int i = 0; i < 20; i++)
		feed(&bed, SYS_write, 1);
	bed.names.version = 1;
	while (model_refill(bed.model, 3))
		;
	ck_assert_uint_eq(status_of(&bed).pending_match, 20);
	ck_assert_uint_eq(status_of(&bed).calls_matched, 0);
	bed.names.version = 2;
	while (model_refill(bed.model, 3))
		;
	ck_assert_uint_eq(status_of(&bed).calls_matched, 20);
	model_free(bed.model);
}
END_TEST

/* Calls from before the filter wait for symbols, too. */
START_TEST(calls_of_the_history_wait_for_symbols)
{
	struct bed bed;

	bed_init(&bed, 1u << 20);
	for (int i = 0; i < 60; i++)
		feed(&bed, i % 2 ? SYS_write : SYS_close, 1);
	model_set_match(bed.model, match, &bed.names);
	while (model_refill(bed.model, 7))
		;
	ck_assert_uint_eq(status_of(&bed).pending_match, 30);
	bed.names.version = 2;
	while (model_refill(bed.model, 7))
		;
	ck_assert_uint_eq(status_of(&bed).calls_matched, 30);
	/* Another filter drops the pending calls. */
	bed.names.version = 1;
	feed(&bed, SYS_write, 1);
	ck_assert_uint_eq(status_of(&bed).pending_match, 1);
	model_set_match(bed.model, NULL, NULL);
	ck_assert_uint_eq(status_of(&bed).pending_match, 0);
	model_free(bed.model);
}
END_TEST

static void count_watched(void *ctx, const struct call *call, uint64_t seq,
			  const struct model *model)
{
	struct call stored;

	ck_assert(history_get(model_history((struct model *)(uintptr_t)model), seq, &stored));
	ck_assert_uint_eq(stored.enter_ns, call->enter_ns);
	++*(unsigned *)ctx;
}

/* A watch sees pending calls once they match, but no calls from before the filter. */
START_TEST(pending_calls_that_match_are_watched)
{
	unsigned watched = 0;
	struct bed bed;

	bed_init(&bed, 1u << 20);
	feed(&bed, SYS_write, 1);
	model_set_watch(bed.model, count_watched, &watched);
	model_set_match(bed.model, match, &bed.names);
	feed(&bed, SYS_write, 1);
	feed(&bed, SYS_write, 0);
	feed(&bed, SYS_write, 1);
	while (model_refill(bed.model, 7))
		;
	ck_assert_uint_eq(watched, 0);
	bed.names.version = 2;
	while (model_refill(bed.model, 7))
		;
	ck_assert_uint_eq(status_of(&bed).calls_matched, 3);
	ck_assert_uint_eq(watched, 2);
	model_free(bed.model);
}
END_TEST

/* Calls that are evicted while pending are in no totals, and are counted. */
START_TEST(evicted_pending_calls_are_counted)
{
	struct model_status status;
	uint64_t gone;
	struct bed bed;

	bed_init(&bed, HISTORY_BYTES_MIN);
	model_set_match(bed.model, match, &bed.names);
	for (int i = 0; i < 20000; i++)
		feed(&bed, SYS_write, 1);
	gone = history_first(model_history(bed.model));
	ck_assert_uint_gt(gone, 100);
	bed.names.version = 2;
	while (model_refill(bed.model, 100))
		;
	status = status_of(&bed);
	ck_assert_uint_eq(status.calls_unmatched, gone);
	ck_assert_uint_eq(status.calls_matched, 20000 - gone);
	model_free(bed.model);
}
END_TEST

Suite *suite_pending_match(void);
Suite *suite_pending_match(void)
{
	Suite *suite = suite_create("pending_match");
	TCase *tests = tcase_create("pending_match");

	tcase_add_test(tests, calls_wait_for_symbols);
	tcase_add_test(tests, calls_without_symbols_stay_pending);
	tcase_add_test(tests, calls_of_the_history_wait_for_symbols);
	tcase_add_test(tests, evicted_pending_calls_are_counted);
	tcase_add_test(tests, pending_calls_that_match_are_watched);
	suite_add_tcase(suite, tests);
	return suite;
}
