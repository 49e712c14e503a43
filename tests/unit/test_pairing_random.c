/* Random records against a naive model, which has the rules of pairing without lists or flags. */
#include "engine/model/pairing.h"

#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define MS 1000000ULL
#define RANDOM_THREADS 24
#define RANDOM_STEPS 200000

/* State of one thread in the naive model. */
struct naive {
	bool alive, in_call, held;
	uint32_t nr;
	uint64_t enter_ns, arg, held_ns;
	int64_t held_ret;
};

struct naive_sums {
	uint64_t done, ended, orphans, time_ns, in_flight;
	int64_t ret;
};

struct real_sums {
	struct naive_sums sums;
	bool wrong_state;
};

static void count_real(void *ctx, const struct call *call)
{
	struct real_sums *real = ctx;

	real->sums.done += call->state == CALL_DONE;
	real->sums.ended += call->state == CALL_ENDED;
	real->sums.orphans += call->state == CALL_ORPHAN;
	real->wrong_state |= call->state == CALL_IN_FLIGHT || call->state == CALL_GAP ||
			     call->state == CALL_LOST_EXIT;
	if (call->state == CALL_DONE) {
		real->sums.time_ns += (uint64_t)call->dur_ns;
		real->sums.ret += call->ret;
	}
}

static void naive_done(struct naive *thread, struct naive_sums *sums, int64_t ret, uint64_t time_ns)
{
	sums->done++;
	sums->ret += ret;
	sums->time_ns += time_ns - thread->enter_ns;
	thread->in_call = thread->held = false;
}

static void naive_give_up(struct naive *thread, struct naive_sums *sums)
{
	if (thread->held)
		naive_done(thread, sums, thread->held_ret, thread->held_ns);
	else if (thread->in_call)
		sums->ended++;
	thread->in_call = false;
}

START_TEST(random_records_match_a_naive_model)
{
	struct tasks *tasks = tasks_new();
	struct naive threads[RANDOM_THREADS] = { { 0 } };
	struct naive_sums want = { 0 };
	struct real_sums real = { 0 };
	struct pairing pairing;
	uint64_t now_ns = 1000;
	unsigned seed = 11;

	pairing_init(&pairing, tasks, count_real, &real);
	for (unsigned step = 0; step < RANDOM_STEPS; step++) {
		uint32_t tid = 1 + (uint32_t)rand_r(&seed) % RANDOM_THREADS;
		struct naive *thread = &threads[tid - 1];
		struct record record;

		now_ns += (uint64_t)rand_r(&seed) % (2 * MS);
		switch (rand_r(&seed) % 20) {
		case 0: /* the thread ends, and another gets its tid */
			want.ended += thread->in_call;
			thread->in_call = thread->held = false;
			record = record_task_exit(now_ns, tid);
			pairing_feed(&pairing, &record);
			record = record_fork(now_ns, 1, tid, tid);
			pairing_feed(&pairing, &record);
			thread->alive = false;
			break;
		case 1: { /* an exit without an enter */
			if (thread->in_call && !thread->held)
				break;
			if (thread->held)
				naive_done(thread, &want, thread->held_ret, thread->held_ns);
			want.orphans += thread->alive;
			thread->alive = true;
			record = record_exit(now_ns, tid, SYS_close, 1);
			pairing_feed(&pairing, &record);
			break;
		}
		case 2: /* held calls expire */
			for (int i = 0; i < RANDOM_THREADS; i++)
				if (threads[i].held &&
				    threads[i].held_ns + PAIRING_SETTLE_NS <= now_ns)
					naive_done(&threads[i], &want, threads[i].held_ret,
						   threads[i].held_ns);
			pairing_settle(&pairing, now_ns);
			break;
		case 3: /* an enter in any state; sometimes a restart */
		case 4: {
			uint32_t nr = rand_r(&seed) % 2 ? SYS_read : SYS_poll;
			uint64_t arg = (uint64_t)rand_r(&seed) % 2;

			record = record_enter(now_ns, tid, nr, arg);
			pairing_feed(&pairing, &record);
			thread->alive = true;
			if (thread->held && thread->nr == nr && thread->arg == arg) {
				thread->held = false;
				break;
			}
			naive_give_up(thread, &want);
			thread->in_call = true;
			thread->nr = nr;
			thread->arg = arg;
			thread->enter_ns = now_ns;
			break;
		}
		default: { /* the exit of the call in flight, else an enter */
			int64_t ret = rand_r(&seed) % 8 ? rand_r(&seed) % 100 : -512;

			thread->alive = true;
			if (!thread->in_call || thread->held) {
				naive_give_up(thread, &want);
				record = record_enter(now_ns, tid, SYS_write, step);
				thread->in_call = true;
				thread->nr = SYS_write;
				thread->arg = step;
				thread->enter_ns = now_ns;
			} else {
				record = record_exit(now_ns, tid, thread->nr, ret);
				if (ret == -512) {
					thread->held = true;
					thread->held_ret = ret;
					thread->held_ns = now_ns;
				} else {
					naive_done(thread, &want, ret, now_ns);
				}
			}
			pairing_feed(&pairing, &record);
			break;
		}
		}
		want.in_flight = 0;
		for (int i = 0; i < RANDOM_THREADS; i++)
			want.in_flight += threads[i].in_call;
		real.sums.in_flight = pairing.in_flight;
		if (memcmp(&want, &real.sums, sizeof(want)) || real.wrong_state)
			ck_abort_msg("step %u: %lu done, not %lu; %lu ended, not %lu; "
				     "%lu orphans, not %lu; %lu in flight, not %lu",
				     step, (unsigned long)real.sums.done, (unsigned long)want.done,
				     (unsigned long)real.sums.ended, (unsigned long)want.ended,
				     (unsigned long)real.sums.orphans, (unsigned long)want.orphans,
				     (unsigned long)real.sums.in_flight,
				     (unsigned long)want.in_flight);
	}
	ck_assert_uint_gt(want.done, 10000);
	ck_assert_uint_gt(want.ended, 1000);
	ck_assert_uint_gt(want.orphans, 100);
	pairing_release(&pairing);
	tasks_free(tasks);
}
END_TEST

Suite *suite_pairing_random(void);
Suite *suite_pairing_random(void)
{
	Suite *suite = suite_create("pairing_random");
	TCase *tests = tcase_create("pairing_random");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, random_records_match_a_naive_model);
	suite_add_tcase(suite, tests);
	return suite;
}
