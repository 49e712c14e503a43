#include "engine/record/futex_op.h"

#include "tests/unit/runner.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#define A 0x1000
#define B 0x2000
#define TIME 0x7000 /* a pointer to a timeout */

struct op_case {
	const char *name;
	uint32_t nr;
	uint64_t args[6];
	struct futex_op want;
};

/* clang-format off */
static const struct op_case cases[] = {
	{ "wait", SYS_futex, { A, FUTEX_WAIT, 2 },
	  { .verb = FUTEX_VERB_WAIT, .shared = true, .value = 2, .uaddr = A } },
	{ "private wait with a timeout", SYS_futex, { A, FUTEX_WAIT_PRIVATE, 2, TIME, B },
	  { .verb = FUTEX_VERB_WAIT, .has_timeout = true, .value = 2, .uaddr = A } },
	{ "wake", SYS_futex, { A, FUTEX_WAKE_PRIVATE, 3 },
	  { .verb = FUTEX_VERB_WAKE, .value = 3, .wakes = 3, .uaddr = A } },
	{ "wake all, as -1", SYS_futex, { A, FUTEX_WAKE_PRIVATE, (uint64_t)-1 },
	  { .verb = FUTEX_VERB_WAKE, .value = UINT32_MAX, .wakes = INT32_MAX, .uaddr = A } },
	{ "requeue", SYS_futex, { A, FUTEX_REQUEUE_PRIVATE, 1, 9, B },
	  { .verb = FUTEX_VERB_REQUEUE, .value = 1, .wakes = 1, .moves = 9, .uaddr = A,
	    .uaddr2 = B } },
	{ "requeue if", SYS_futex, { A, FUTEX_CMP_REQUEUE, 1, 9, B, 5 },
	  { .verb = FUTEX_VERB_REQUEUE, .shared = true, .value = 1, .wakes = 1, .moves = 9,
	    .uaddr = A, .uaddr2 = B } },
	{ "wake at two", SYS_futex, { A, FUTEX_WAKE_OP_PRIVATE, 1, 2, B, 5 },
	  { .verb = FUTEX_VERB_WAKE_BOTH, .value = 1, .wakes = 1, .moves = 2, .uaddr = A,
	    .uaddr2 = B } },
	{ "lock", SYS_futex, { A, FUTEX_LOCK_PI_PRIVATE, 0, TIME },
	  { .verb = FUTEX_VERB_LOCK, .inherits = true, .has_timeout = true, .uaddr = A } },
	{ "lock by the monotonic clock", SYS_futex, { A, 13 | FUTEX_PRIVATE_FLAG },
	  { .verb = FUTEX_VERB_LOCK, .inherits = true, .uaddr = A } },
	{ "unlock", SYS_futex, { A, FUTEX_UNLOCK_PI_PRIVATE },
	  { .verb = FUTEX_VERB_UNLOCK, .inherits = true, .wakes = 1, .uaddr = A } },
	{ "try to lock", SYS_futex, { A, FUTEX_TRYLOCK_PI_PRIVATE },
	  { .verb = FUTEX_VERB_TRYLOCK, .inherits = true, .uaddr = A } },
	{ "wait for bits", SYS_futex,
	  { A, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 7, 0, 0, ~0ULL },
	  { .verb = FUTEX_VERB_WAIT, .value = 7, .uaddr = A } },
	{ "wake for bits", SYS_futex, { A, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, 0, 1 },
	  { .verb = FUTEX_VERB_WAKE, .value = 1, .wakes = 1, .uaddr = A } },
	{ "wait to be moved to a lock", SYS_futex, { A, FUTEX_WAIT_REQUEUE_PI_PRIVATE, 4, 0, B },
	  { .verb = FUTEX_VERB_WAIT, .value = 4, .uaddr = A, .uaddr2 = B } },
	{ "move to a lock", SYS_futex, { A, FUTEX_CMP_REQUEUE_PI_PRIVATE, 1, 9, B, 4 },
	  { .verb = FUTEX_VERB_REQUEUE, .value = 1, .moves = 10, .uaddr = A,
	    .uaddr2 = B } },
	{ "futex_waitv", 449, { A, 3, 0, TIME },
	  { .verb = FUTEX_VERB_WAIT, .has_timeout = true } },
	{ "futex_wake", 454, { A, ~0ULL, 2, FUTEX_PRIVATE_FLAG | 2 },
	  { .verb = FUTEX_VERB_WAKE, .wakes = 2, .uaddr = A } },
	{ "futex_wait", 455, { A, 6, ~0ULL, 2, TIME },
	  { .verb = FUTEX_VERB_WAIT, .shared = true, .has_timeout = true, .value = 6,
	    .uaddr = A } },
	{ "futex_requeue", 456, { A, 0, 1, 2 },
	  { .verb = FUTEX_VERB_REQUEUE, .wakes = 1, .moves = 2 } },
};
/* clang-format on */

START_TEST(every_operation_is_known)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct futex_op *want = &cases[i].want;
		const char *name = cases[i].name;
		struct futex_op op;

		ck_assert_msg(futex_op_is(cases[i].nr), "%s", name);
		ck_assert_msg(futex_op_parse(&op, cases[i].nr, cases[i].args), "%s", name);
		ck_assert_msg(op.verb == want->verb, "%s: verb %d", name, op.verb);
		ck_assert_msg(op.shared == want->shared, "%s: shared", name);
		ck_assert_msg(op.inherits == want->inherits, "%s: inherits", name);
		ck_assert_msg(op.has_timeout == want->has_timeout, "%s: timeout", name);
		ck_assert_msg(op.value == want->value, "%s: value %u", name, op.value);
		ck_assert_msg(op.wakes == want->wakes, "%s: wakes %u", name, op.wakes);
		ck_assert_msg(op.moves == want->moves, "%s: moves %u", name, op.moves);
		ck_assert_msg(op.uaddr == want->uaddr, "%s: uaddr", name);
		ck_assert_msg(op.uaddr2 == want->uaddr2, "%s: uaddr2", name);
	}
}
END_TEST

START_TEST(other_operations_are_rejected)
{
	const uint64_t requeue_fd[6] = { A, FUTEX_FD, 1 }, none[6] = { A, 99, 1 };
	struct futex_op op;

	ck_assert(!futex_op_parse(&op, SYS_futex, requeue_fd));
	ck_assert(!futex_op_parse(&op, SYS_futex, none));
	ck_assert(!futex_op_parse(&op, SYS_read, none));
	ck_assert(!futex_op_is(SYS_read));
	ck_assert(!futex_op_is(SYS_set_robust_list));
}
END_TEST

Suite *suite_futex_op(void);
Suite *suite_futex_op(void)
{
	Suite *suite = suite_create("futex_op");
	TCase *tcase = tcase_create("futex_op");

	tcase_add_test(tcase, every_operation_is_known);
	tcase_add_test(tcase, other_operations_are_rejected);
	suite_add_tcase(suite, tcase);
	return suite;
}
