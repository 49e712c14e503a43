#include "engine/late/futex_layout.h"

#include "tests/unit/runner.h"

#include <linux/futex.h>
#include <string.h>

#define TID 4242u
#define WAITERS (TID | FUTEX_WAITERS)

/* Memory around the word of a lock that TID holds, changed by each case. */
struct layout {
	const char *name;
	uint32_t before[3];
	uint32_t words[12];
	uint32_t value;
	uint32_t owner;
	size_t bytes; /* readable bytes of `words`; 0: all */
	bool moved, inherits, shared;
};

static const struct layout cases[] = {
	{ "a lock", .words = { 2, 0, TID, 1 }, .value = 2, .owner = TID },
	{ "a recursive one", .words = { 2, 7, TID, 3, 1 }, .value = 2, .owner = TID },
	{ "an adaptive one", .words = { 2, 0, TID, 1, 3, 15 }, .value = 2, .owner = TID },
	{ "no waiters", .words = { 1, 0, TID, 1 }, .value = 1 },
	{ "it was free when the wait began", .words = { 2, 0, TID, 1 }, .value = 0 },
	{ "the value of another call", .words = { 2, 0, TID, 1 }, .value = 0, .owner = TID,
	  .moved = true },
	{ "no users", .words = { 2, 0, TID, 0 }, .value = 2 },
	{ "an unknown kind", .words = { 2, 0, TID, 1, 0x400 }, .value = 2 },
	{ "a list in a plain lock", .words = { 2, 0, TID, 1, 0, 0, 0, 0, 1 }, .value = 2 },
	{ "less than a lock", .words = { 2, 0, TID, 1 }, .value = 2, .bytes = 36 },
	{ "just a lock", .words = { 2, 0, TID, 1 }, .value = 2, .owner = TID, .bytes = 40 },
	{ "a robust one", .words = { WAITERS, 0, TID, 1, 16, 0, 9, 9, 9, 9 }, .value = WAITERS,
	  .owner = TID },
	{ "a robust one that changes hands", .words = { WAITERS, 0, TID + 1, 1, 16 },
	  .value = WAITERS },
	{ "a robust one whose owner died", .words = { WAITERS | FUTEX_OWNER_DIED, 0, TID, 1, 16 },
	  .value = WAITERS | FUTEX_OWNER_DIED },
	{ "a tid in a lock that is not robust", .words = { WAITERS, 0, TID, 1 }, .value = WAITERS },
	{ "a count of threads", .words = { 3 | FUTEX_WAITERS }, .value = 3 | FUTEX_WAITERS },
	{ "with a priority ceiling", .words = { 2 | 5 << 19, 0, TID, 1, 64 }, .value = 2 | 5 << 19,
	  .owner = TID },
	{ "a ceiling in a lock without one", .words = { 2 | 5 << 19, 0, TID, 1, 0 },
	  .value = 2 | 5 << 19 },
	{ "with priority inheritance", .words = { WAITERS }, .owner = TID, .bytes = 4,
	  .inherits = true },
	{ "half a word", .words = { WAITERS }, .bytes = 3, .inherits = true },
	{ "a writer, readers wait", { 0, 3, 0 }, { 3, 0, 0, 0, TID }, .value = 3, .owner = TID },
	{ "a writer, readers and writers wait",
	  { 0, 3, 0 },
	  { 3, 3, 0, 0, TID },
	  .value = 3,
	  .owner = TID },
	{ "a writer, writers wait", { 3, 0, 1 }, { 3, 0, 0, TID }, .value = 3, .owner = TID },
	{ "a writer of several processes",
	  { 0, 3, 0 },
	  { 3, 0, 0, 0, TID, 1 },
	  .value = 3,
	  .owner = TID,
	  .shared = true },
	{ "the same, the wait is private", { 0, 3, 0 }, { 3, 0, 0, 0, TID, 1 }, .value = 3 },
	{ "held by readers", { 0, 9, 0 }, { 3, 0, 0, 0, TID }, .value = 3 },
	{ "a writer waits for readers", { 0, 10, 0 }, { 2, 0, 0, 0, TID }, .value = 2 },
	{ "not an rwlock", { 0, 3, 0 }, { 3, 0, 0, 5, TID }, .value = 3 },
	{ "unknown flags", { 0, 3, 0 }, { 3, 0, 0, 0, TID, 0, 0, 0, 0, 0, 3 }, .value = 3 },
};

START_TEST(owner_follows_from_the_layout)
{
	const struct layout *layout = &cases[_i];
	struct futex_bytes bytes = { .has_before = true };
	struct futex_op op = { .verb = FUTEX_VERB_WAIT,
			       .value = layout->value,
			       .inherits = layout->inherits,
			       .shared = layout->shared };
	uint32_t owner;

	memcpy(bytes.before, layout->before, sizeof(bytes.before));
	memcpy(bytes.after, layout->words, sizeof(bytes.after));
	bytes.after_bytes = layout->bytes ? layout->bytes : sizeof(bytes.after);
	owner = futex_layout_owner(&bytes, &op, layout->moved);
	ck_assert_msg(owner == layout->owner, "%s: %u", layout->name, owner);
	if (!layout->owner || layout->before[0] || layout->before[1])
		return;
	bytes.has_before = false;
	ck_assert_msg(futex_layout_owner(&bytes, &op, layout->moved) == TID, "%s", layout->name);
}
END_TEST

START_TEST(tid_word_may_be_a_join)
{
	struct futex_bytes bytes = { .after = { TID }, .after_bytes = 4 };
	struct futex_op op = { .verb = FUTEX_VERB_WAIT, .value = TID, .shared = true };

	ck_assert(futex_layout_may_join(&bytes, &op));
	ck_assert_uint_eq(futex_layout_owner(&bytes, &op, false), 0);
	op.shared = false;
	ck_assert(!futex_layout_may_join(&bytes, &op));
	op.shared = true;
	op.value = bytes.after[0] = TID | FUTEX_WAITERS;
	ck_assert(!futex_layout_may_join(&bytes, &op));
	op.value = bytes.after[0] = 1;
	ck_assert(!futex_layout_may_join(&bytes, &op));
	op.value = 0;
	bytes.after[0] = TID;
	ck_assert(!futex_layout_may_join(&bytes, &op));
}
END_TEST

Suite *suite_futex_layout(void);
Suite *suite_futex_layout(void)
{
	Suite *suite = suite_create("futex_layout");
	TCase *tcase = tcase_create("futex_layout");

	tcase_add_loop_test(tcase, owner_follows_from_the_layout, 0,
			    sizeof(cases) / sizeof(*cases));
	tcase_add_test(tcase, tid_word_may_be_a_join);
	suite_add_tcase(suite, tcase);
	return suite;
}
