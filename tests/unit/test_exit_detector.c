#include "engine/collector/exit_detector.h"

#include "tests/unit/skip.h"

#include <check.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define START_NS 1000000000ULL
#define S_NS 1000000000ULL

/* A source with a live process, a process that ended without an exit record, and a loss. */
struct lossy_source {
	struct source source;
	int wake_fd;
	uint32_t alive, gone;
	bool loses;
	bool reported;
	atomic_uint waits;
};

static struct lossy_source *from(struct source *source)
{
	return (struct lossy_source *)source;
}

static void lossy_close(struct source *source)
{
	(void)source;
}

static int lossy_wait(struct source *source, int timeout_ms)
{
	struct pollfd wanted = { .fd = from(source)->wake_fd, .events = POLLIN };

	(void)timeout_ms;
	if (!from(source)->reported)
		return 1;
	atomic_fetch_add(&from(source)->waits, 1);
	return poll(&wanted, 1, -1);
}

static void emit_fork(uint32_t pid, record_fn *take, void *ctx)
{
	struct record record = { .kind = RECORD_FORK,
				 .time_ns = START_NS,
				 .pid = pid,
				 .tid = pid,
				 .fork = { .parent_pid = 1, .parent_tid = 1 } };

	take(ctx, &record);
}

static int lossy_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	struct lossy_source *lossy = from(source);
	struct record lost = { .kind = RECORD_LOST,
			       .time_ns = START_NS,
			       .lost = { .count = 3, .kind = LOSS_OTHER } };

	(void)err;
	if (lossy->reported)
		return 0;
	lossy->reported = true;
	emit_fork(lossy->alive, take, ctx);
	emit_fork(lossy->gone, take, ctx);
	if (lossy->loses)
		take(ctx, &lost);
	return 0;
}

static int lossy_set_running(struct source *source, bool running, struct err *err)
{
	(void)source;
	(void)running;
	(void)err;
	return 0;
}

static void lossy_status(struct source *source, struct source_status *status)
{
	(void)source;
	memset(status, 0, sizeof(*status));
	status->name = "lossy";
}

static const struct source_ops lossy_ops = {
	.name = "lossy",
	.close = lossy_close,
	.wait = lossy_wait,
	.drain = lossy_drain,
	.set_running = lossy_set_running,
	.status = lossy_status,
};

struct fixture {
	struct lossy_source source;
	struct model *model;
	struct spaces *spaces;
	struct collector *collector;
	struct exit_detector *exit_detector;
};

static uint32_t gone_pid(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	return (uint32_t)pid;
}

static void set_up(struct fixture *fixture, bool loses)
{
	struct model_options model_options = { .history_bytes = 1 << 20 };
	struct collector_options options = { .interactive = true };
	struct err err;

	*fixture = (struct fixture){ .source = { .source.ops = &lossy_ops,
						 .loses = loses,
						 .alive = (uint32_t)getpid(),
						 .gone = gone_pid() } };
	fixture->exit_detector = exit_detector_new();
	if (!exit_detector_is_gone(fixture->exit_detector, fixture->source.gone))
		test_skip("exit_detector: in a pid namespace, or the pid was reused");
	ck_assert_int_eq(model_new(&fixture->model, &model_options, &err), 0);
	options.model = fixture->model;
	options.spaces = fixture->spaces = spaces_new();
	ck_assert_int_eq(collector_new(&fixture->collector, &options, &err), 0);
	fixture->source.wake_fd = collector_wake_fd(fixture->collector);
	collector_begin(fixture->collector, &fixture->source.source);
	while (!atomic_load(&fixture->source.waits))
		poll(NULL, 0, 1);
}

static void tear_down(struct fixture *fixture)
{
	collector_stop(fixture->collector);
	collector_wait_end(fixture->collector);
	collector_free(fixture->collector);
	model_free(fixture->model);
	spaces_free(fixture->spaces);
	exit_detector_free(fixture->exit_detector);
}

static bool has_ended(struct fixture *fixture, uint32_t pid)
{
	const struct process *process;
	bool ended;

	collector_lock(fixture->collector);
	process = tasks_process(model_tasks(fixture->model), pid);
	ck_assert(process);
	ended = process->ended;
	collector_unlock(fixture->collector);
	return ended;
}

static void look(struct fixture *fixture, uint64_t at_ns)
{
	exit_detector_look(fixture->exit_detector, fixture->model, fixture->collector,
			   START_NS + at_ns);
}

START_TEST(thread_missing_in_two_scans_has_exited)
{
	struct fixture fixture;
	unsigned waits;

	set_up(&fixture, true);
	waits = atomic_load(&fixture.source.waits);
	/* The exit record can still arrive: one scan is not enough. */
	look(&fixture, 3 * S_NS);
	ck_assert(!has_ended(&fixture, fixture.source.gone));
	look(&fixture, 3 * S_NS + 1);
	ck_assert_uint_eq(atomic_load(&fixture.source.waits), waits);
	look(&fixture, 5 * S_NS);
	while (!has_ended(&fixture, fixture.source.gone))
		poll(NULL, 0, 1);
	ck_assert(!has_ended(&fixture, fixture.source.alive));
	tear_down(&fixture);
}
END_TEST

START_TEST(no_scan_without_a_loss)
{
	struct fixture fixture;
	unsigned waits;

	set_up(&fixture, false);
	waits = atomic_load(&fixture.source.waits);
	for (uint64_t at = 3; at < 30; at += 2)
		look(&fixture, at * S_NS);
	ck_assert_uint_eq(atomic_load(&fixture.source.waits), waits);
	ck_assert(!has_ended(&fixture, fixture.source.gone));
	tear_down(&fixture);
}
END_TEST

Suite *suite_exit_detector(void);
Suite *suite_exit_detector(void)
{
	Suite *suite = suite_create("exit_detector");
	TCase *tests = tcase_create("exit_detector");

	tcase_add_test(tests, thread_missing_in_two_scans_has_exited);
	tcase_add_test(tests, no_scan_without_a_loss);
	suite_add_tcase(suite, tests);
	return suite;
}
