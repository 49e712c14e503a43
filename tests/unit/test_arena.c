#include "engine/model/arena.h"

#include "engine/model/history.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <string.h>

#define BYTES 4096

START_TEST(oldest_blobs_go_first)
{
	uint64_t places[500];
	struct arena arena;
	size_t kept = 0;

	ck_assert_int_eq(arena_init(&arena, BYTES, NULL), 0);
	for (uint64_t i = 0; i < 500; i++) {
		size_t len = 8 + i % 37;
		char first[64], more[8];

		memset(first, (int)i, sizeof(first));
		memset(more, (int)~i, sizeof(more));
		places[i] = arena_put(&arena, first, len, more, sizeof(more));
		ck_assert_uint_ne(places[i], 0);
		/* Stored blobs are intact. If a blob is evicted, all older blobs are, too. */
		kept = 0;
		for (uint64_t j = i + 1; j-- > 0;) {
			size_t got;
			const unsigned char *blob = arena_get(&arena, places[j], &got);

			if (!blob)
				break;
			kept++;
			ck_assert_uint_eq(got, 8 + j % 37 + sizeof(more));
			ck_assert_uint_eq(blob[0], (unsigned char)j);
			ck_assert_uint_eq(blob[got - 1], (unsigned char)~j);
		}
		ck_assert_uint_ge(kept, i < 50 ? i + 1 : 50);
	}
	ck_assert_uint_lt(kept, 200);
	arena_release(&arena);
}
END_TEST

START_TEST(room_is_what_fits_before_a_blob_is_evicted)
{
	struct arena arena;
	char bytes[100] = "x";
	uint64_t first;
	size_t len;

	ck_assert_int_eq(arena_init(&arena, BYTES, NULL), 0);
	first = arena_put(&arena, bytes, sizeof(bytes), NULL, 0);
	for (size_t room = arena_room(&arena, first); room >= 2 * 112;
	     room = arena_room(&arena, first)) {
		ck_assert_uint_ne(arena_put(&arena, bytes, sizeof(bytes), NULL, 0), 0);
		ck_assert_ptr_nonnull(arena_get(&arena, first, &len));
	}
	for (int i = 0; i < 3; i++)
		arena_put(&arena, bytes, sizeof(bytes), NULL, 0);
	ck_assert_ptr_null(arena_get(&arena, first, &len));
	ck_assert_uint_eq(len, 0);
	ck_assert_uint_eq(arena_room(&arena, first), 0);
	arena_release(&arena);
}
END_TEST

START_TEST(empty_or_oversized_blobs_are_rejected)
{
	char bytes[BYTES] = "";
	struct arena arena;
	size_t len;

	ck_assert_int_eq(arena_init(&arena, 0, NULL), 0);
	ck_assert_uint_eq(arena_put(&arena, "x", 1, NULL, 0), 0);
	ck_assert_ptr_null(arena_get(&arena, 0, &len));
	arena_release(&arena);
	ck_assert_int_eq(arena_init(&arena, BYTES, NULL), 0);
	ck_assert_uint_eq(arena_put(&arena, bytes, 0, NULL, 0), 0);
	ck_assert_uint_eq(arena_put(&arena, bytes, BYTES, NULL, 0), 0);
	ck_assert_ptr_null(arena_get(&arena, 0, &len));
	arena_release(&arena);
}
END_TEST

static const void *bytes_of(struct history *history, uint64_t seq, size_t *len)
{
	struct call call = kept_call(history, seq);

	return history_bytes(history, &call, len);
}

START_TEST(history_stores_argument_bytes)
{
	struct record_bytes enter = { "entered", 7, false }, more = { "-left", 5, true };
	struct record_bytes whole = { "all", 3, false };
	struct call call = { .state = CALL_DONE };
	struct history *history;
	size_t len;

	ck_assert_int_eq(history_new(&history, 0, NULL), 0);
	history_put(history, &call, &whole);
	ck_assert_uint_eq(kept_call(history, 0).bytes_at, 0);
	ck_assert_int_eq(history_store_bytes(history, 0, NULL), 0);
	call.bytes_at = history_put_bytes(history, &enter);
	history_put(history, &call, NULL);
	history_put(history, &call, &more);
	history_put(history, &call, &whole);
	ck_assert_mem_eq(bytes_of(history, 1, &len), "entered", 7);
	ck_assert_uint_eq(len, 7);
	ck_assert_mem_eq(bytes_of(history, 2, &len), "entered-left", 12);
	ck_assert_uint_eq(len, 12);
	ck_assert_mem_eq(bytes_of(history, 3, &len), "all", 3);
	ck_assert_uint_eq(len, 3);
	/* A hold protects argument bytes, too. */
	ck_assert_uint_eq(history_bytes_room(history), SIZE_MAX);
	history_hold(history, 1);
	len = history_bytes_room(history);
	ck_assert_uint_lt(len, SIZE_MAX);
	history_put(history, &call, &(struct record_bytes){ (char[60000]){ 0 }, 60000, false });
	history_put(history, &call, &(struct record_bytes){ (char[60000]){ 0 }, 60000, false });
	ck_assert_uint_lt(history_bytes_room(history), len);
	history_hold(history, history_end(history));
	ck_assert_uint_ge(history_bytes_room(history), len);
	history_free(history);
}
END_TEST

Suite *suite_arena(void);
Suite *suite_arena(void)
{
	Suite *suite = suite_create("arena");
	TCase *tests = tcase_create("arena");

	tcase_add_test(tests, oldest_blobs_go_first);
	tcase_add_test(tests, room_is_what_fits_before_a_blob_is_evicted);
	tcase_add_test(tests, empty_or_oversized_blobs_are_rejected);
	tcase_add_test(tests, history_stores_argument_bytes);
	suite_add_tcase(suite, tests);
	return suite;
}
