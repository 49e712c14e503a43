#include "engine/stack/worker.h"

#include "engine/base/clock.h"
#include "engine/helper/descriptor.h"
#include "engine/helper/fork_server.h"
#include "engine/helper/sandbox.h"
#include "engine/stack/symbols_private.h"
#include "engine/stack/worker/worker_main.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"
#include "tests/unit/symbol_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* Offsets that no test program has, at which the worker of these tests misbehaves. */
#define OFFSET_HANG 0x700001ULL
#define OFFSET_CRASH 0x700002ULL
#define OFFSET_LIE 0x700003ULL
#define OFFSET_SLOW 0x700004ULL

static size_t misbehave(struct symbol_files *files, const struct wire_request *request, int fd,
			struct wire_reply *reply, unsigned char *data, size_t max)
{
	for (uint32_t i = 0; i < request->count; i++) {
		uint64_t end = clock_now_ns() + 300 * NS_PER_MS;

		switch (request->offsets[i]) {
		case OFFSET_HANG:
			for (;;)
				__asm__ volatile("" ::: "memory");
		case OFFSET_CRASH:
			__asm__ volatile("ud2");
			break;
		case OFFSET_LIE:
			reply->count = request->count;
			memset(data, 0xff, 64);
			return 64;
		case OFFSET_SLOW:
			while (clock_now_ns() < end)
				;
			break;
		}
	}
	return worker_handle(files, request, fd, reply, data, max);
}

static void serve_badly(int socket_fd)
{
	worker_serve_with(socket_fd, misbehave);
}

static const char source[] =
	"__attribute__((noinline)) int outer(int x) { return x * 3; }\n"
	"int main(int argc, char **argv) { (void)argv; return outer(argc); }\n";

/* Request an offset at which the worker fails; then check that another program is resolved. */
static void check_replaced(uint64_t offset, const char *note, uint64_t at_most_ms)
{
	struct fixture fixture;
	struct frame frames[8];
	uint32_t before[2], after[2], own[8], own_after[8];
	uint64_t start;

	fixture_open(&fixture, serve_badly);
	ck_assert_uint_eq(symbols_own_tids(fixture.symbols, own, 8), 3);
	ck_assert_uint_eq(symbols_own_workers(fixture.symbols, before, 2), 2);
	fixture_compile(&fixture, "a.c", source, "-O2");
	/* The file is large enough for the offset; it ends with a hole. */
	ck_assert(fixture_run(&fixture, "cp program bad && truncate -s 16M bad"));
	fixture_map(&fixture, 4 * FIXTURE_BASE);
	snprintf(fixture.path, sizeof(fixture.path), "%s/bad", fixture.directory);
	fixture_map(&fixture, FIXTURE_BASE);
	start = clock_now_ns();
	fixture_ask(&fixture, FIXTURE_BASE, offset, frames, 8);
	ck_assert_ptr_null(frames[0].symbol);
	ck_assert_msg(frames[0].note && !strcmp(frames[0].note, note), "%s", frames[0].note);
	ck_assert_uint_lt((clock_now_ns() - start) / NS_PER_MS, at_most_ms);
	/* Another file is not affected. */
	fixture_ask(&fixture, 4 * FIXTURE_BASE, 0x1040, frames, 8);
	ck_assert_msg(frames[0].symbol != NULL, "%s", frames[0].note);
	ck_assert_uint_eq(symbols_own_workers(fixture.symbols, after, 2), 2);
	ck_assert_uint_ne(before[0], after[0]);
	ck_assert_uint_eq(before[1], after[1]); /* the worker for source lines */
	ck_assert_uint_eq(symbols_own_tids(fixture.symbols, own_after, 8), 3);
	ck_assert_mem_eq(own, own_after, 3 * sizeof(own[0]));
	fixture_close(&fixture);
}

START_TEST(a_worker_that_hangs_is_replaced)
{
	check_replaced(OFFSET_HANG, "reading its symbols took too long", 15000);
}
END_TEST

START_TEST(a_worker_that_crashes_is_replaced)
{
	check_replaced(OFFSET_CRASH, "reading its symbols crashed the worker", 1000);
}
END_TEST

START_TEST(a_worker_with_malformed_replies_is_replaced)
{
	check_replaced(OFFSET_LIE, "its symbols cannot be read", 1000);
}
END_TEST

static void serve_not_at_all(int socket_fd)
{
	const struct wire_reply hello = { .kind = WIRE_HELLO, .error = -ENOSYS };

	descriptor_send(socket_fd, &hello, sizeof(hello), -1);
}

START_TEST(without_a_worker_frames_have_a_note)
{
	struct fixture fixture;
	struct frame frames[8];

	fixture_open(&fixture, serve_not_at_all);
	fixture_compile(&fixture, "a.c", source, "-O2");
	fixture_map(&fixture, FIXTURE_BASE);
	fixture_ask(&fixture, FIXTURE_BASE, 0x1040, frames, 8);
	ck_assert_ptr_null(frames[0].symbol);
	ck_assert_str_eq(frames[0].dso, fixture.path);
	ck_assert_str_eq(frames[0].note, "not read: no stack worker");
	fixture_close(&fixture);
}
END_TEST

START_TEST(a_worker_killed_while_idle_costs_nothing)
{
	struct fixture fixture;
	struct frame frames[8];
	uint32_t own[2];

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "a.c", source, "-O2 -g");
	fixture_map(&fixture, FIXTURE_BASE);
	for (uint64_t at = 0x1020; at < 0x1100; at += 16) {
		ck_assert_uint_eq(symbols_own_workers(fixture.symbols, own, 2), 2);
		ck_assert_int_eq(kill((pid_t)own[0], SIGKILL), 0);
		ck_assert_int_eq(kill((pid_t)own[1], SIGKILL), 0);
		fixture_ask(&fixture, FIXTURE_BASE, at, frames, 8);
		ck_assert_msg(!frames[0].note || strstr(frames[0].note, "no symbol here"), "%s",
			      frames[0].note);
	}
	fixture_ask(&fixture, FIXTURE_BASE, 0x1040, frames, 8);
	ck_assert_ptr_nonnull(frames[0].symbol);
	fixture_close(&fixture);
}
END_TEST

START_TEST(without_a_fork_server_frames_have_a_note)
{
	static const int signals[] = { SIGKILL, SIGSTOP };

	for (size_t i = 0; i < 2; i++) {
		struct fixture fixture;
		struct frame frames[8];
		uint32_t own[8];

		fixture_prepare(&fixture);
		fixture_begin(&fixture, NULL);
		/* A stopped fork server never replies: a short timeout is enough. */
		fork_server_set_reply_ms(fixture.symbols->fork_server, 100);
		fixture_start(&fixture);
		fixture_compile(&fixture, "a.c", source, "-O2");
		fixture_map(&fixture, FIXTURE_BASE);
		symbols_own_tids(fixture.symbols, own, 8);
		ck_assert_int_eq(kill((pid_t)own[0], signals[i]), 0);
		symbols_own_workers(fixture.symbols, own, 2);
		kill((pid_t)own[0], SIGKILL);
		fixture_ask(&fixture, FIXTURE_BASE, 0x1040, frames, 8);
		ck_assert_ptr_null(frames[0].symbol);
		ck_assert_ptr_nonnull(frames[0].note);
		fixture_close(&fixture);
	}
}
END_TEST

START_TEST(a_request_whose_worker_was_killed_is_repeated)
{
	struct fixture fixture;
	struct frame frames[8];
	uint32_t own[2];
	pid_t killer;

	fixture_open(&fixture, serve_badly);
	fixture_compile(&fixture, "a.c", source, "-O2");
	ck_assert(fixture_run(&fixture, "truncate -s 16M program"));
	fixture_map(&fixture, FIXTURE_BASE);
	fixture_ask(&fixture, FIXTURE_BASE, 0x1040, frames, 8); /* loads the mapping and the file */
	ck_assert_uint_eq(symbols_own_workers(fixture.symbols, own, 2), 2);
	killer = fork();
	if (killer == 0) {
		usleep(100000);
		kill((pid_t)own[0], SIGKILL);
		_exit(0);
	}
	fixture_ask(&fixture, FIXTURE_BASE, OFFSET_SLOW, frames, 8);
	ck_assert_int_eq(waitpid(killer, NULL, 0), killer);
	ck_assert_str_eq(frames[0].note, "no symbol here");
	fixture_ask(&fixture, FIXTURE_BASE, 0x1042, frames, 8);
	ck_assert_ptr_nonnull(frames[0].symbol);
	fixture_close(&fixture);
}
END_TEST

/* A file with random wrong bytes never affects another file. */
START_TEST(hostile_files_cost_only_themselves)
{
	unsigned char image[65536];
	struct fixture fixture;
	struct frame frames[8];
	unsigned int seed = 5;
	size_t len;
	int fd;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "a.c", source, "-O2 -g");
	fixture_map(&fixture, FIXTURE_BASE);
	fd = open(fixture.path, O_RDONLY | O_CLOEXEC);
	len = (size_t)read(fd, image, sizeof(image));
	close(fd);
	for (unsigned int i = 1; i <= 60; i++) {
		unsigned char lying[sizeof(image)];
		size_t cut = i % 4 ? len : len * i / 64;
		char name[32];

		memcpy(lying, image, len);
		for (unsigned int k = 0; k < 1 + i / 4; k++) {
			/* Prefer the headers at both ends, which locate all other data. */
			size_t at = (size_t)rand_r(&seed) % (k % 2 ? len : 1024);

			lying[k % 3 ? at : len - 1 - at % 2048] = (unsigned char)rand_r(&seed);
		}
		snprintf(name, sizeof(name), "lying%u", i);
		fixture_write(&fixture, name, lying, cut);
		fixture_map(&fixture, FIXTURE_BASE + i * 0x100000ULL);
		for (uint64_t at = 0x1000; at < 0x1200; at += 64)
			fixture_ask(&fixture, FIXTURE_BASE + i * 0x100000ULL, at, frames, 8);
	}
	fixture_ask(&fixture, FIXTURE_BASE, 0x1044, frames, 8);
	ck_assert_msg(frames[0].symbol != NULL, "%s", frames[0].note);
	fixture_close(&fixture);
}
END_TEST

/* -- The sandbox ----------------------------------------------------------- */

/* Run `try` in the sandbox; return the signal that ended it, or its exit status. */
static int try_locked_in(int (*try)(void), bool *by_signal)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		sandbox_close_all_but(2);
		if (sandbox_enter())
			_exit(99);
		_exit(try());
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	*by_signal = WIFSIGNALED(status);
	return *by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
}

static int try_nothing(void)
{
	return geteuid() == 0 ? 1 : 0;
}

static int try_work(void)
{
	char *memory = malloc(4 << 20);

	memset(memory, 1, 4 << 20);
	free(memory);
	return 0;
}

static int try_open(void)
{
	return open("/etc/passwd", O_RDONLY) < 0 && errno == EACCES ? 0 : 1;
}

static int try_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? 1 : 2;
}

static int try_fork(void)
{
	return fork() < 0 ? 1 : 2;
}

static int try_exec(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return 1;
}

static int try_kill(void)
{
	return kill(getppid(), 0) < 0 ? 1 : 2;
}

static int try_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
			       MAP_FAILED
		       ? 1
		       : 2;
}

START_TEST(the_sandbox_blocks_system_calls)
{
	static const struct {
		const char *name;
		int (*try)(void);
		bool by_signal;
		int status;
	} cases[] = {
		{ "work", try_work, false, 0 },
		{ "open", try_open, false, 0 },
		{ "socket", try_socket, true, SIGSYS },
		{ "fork", try_fork, true, SIGSYS },
		{ "exec", try_exec, true, SIGSYS },
		{ "kill", try_kill, true, SIGSYS },
		{ "executable memory", try_code, true, SIGSYS },
		{ "geteuid", try_nothing, true, SIGSYS },
	};

	if (SANITIZED)
		test_skip("the_sandbox_blocks_system_calls: no sandbox under a sanitizer");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool by_signal;
		int status = try_locked_in(cases[i].try, &by_signal);

		ck_assert_msg(by_signal == cases[i].by_signal && status == cases[i].status,
			      "%s: %s %d", cases[i].name, by_signal ? "signal" : "status", status);
	}
}
END_TEST

static bool status_says(pid_t pid, const char *key, const char *value)
{
	char path[64], line[256];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)) && strstr(line, value))
			found = true;
	fclose(file);
	return found;
}

START_TEST(a_worker_has_no_privilege)
{
	struct fixture fixture;
	uint32_t own[8];

	fixture_open(&fixture, NULL);
	ck_assert_uint_eq(symbols_own_workers(fixture.symbols, own, 2), 2);
	for (int i = 0; i < 2; i++) {
		ck_assert(status_says((pid_t)own[i], "NoNewPrivs:", "1"));
		ck_assert(status_says((pid_t)own[i], "CapPrm:", "0000000000000000"));
		ck_assert(status_says((pid_t)own[i], "CapEff:", "0000000000000000"));
		if (fixture_is_root())
			ck_assert(status_says((pid_t)own[i], "Uid:", "65534\t65534\t65534\t65534"));
		if (!SANITIZED)
			ck_assert(status_says((pid_t)own[i], "Seccomp:", "2"));
	}
	/* The first of these is the fork server. */
	ck_assert_uint_eq(symbols_own_tids(fixture.symbols, own + 2, 6), 3);
	fixture_close(&fixture);
	for (int i = 0; i < 3; i++) {
		bool gone = false;

		/* The kernel kills the workers shortly after the fork server. */
		for (int round = 0; round < 500 && !gone; round++) {
			gone = kill((pid_t)own[i], 0) < 0;
			if (!gone)
				usleep(10000);
		}
		ck_assert_msg(gone, "process %u outlived the program", own[i]);
	}
}
END_TEST

START_TEST(malformed_replies_are_detected)
{
	unsigned char bytes[256];
	struct wire_writer writer = { .at = bytes, .end = bytes + sizeof(bytes) };
	struct wire_reader reader;
	struct wire_frame frame;
	const char *name, *path;
	uint32_t count;

	wire_write_count(&writer, 1);
	wire_write_frame(&writer, "main", "a.c", 7, 42, true);
	ck_assert(!writer.full);
	for (const unsigned char *end = bytes; end <= writer.at; end++) {
		bool whole;

		reader = (struct wire_reader){ bytes, end };
		whole = wire_read_count(&reader, &count) &&
			wire_read_frame(&reader, &frame, &name, &path);
		ck_assert_msg(whole == (end == writer.at), "cut after %td", end - bytes);
	}
	ck_assert_uint_eq(frame.line, 42);
	ck_assert_uint_eq(frame.offset, 7);
	ck_assert(frame.inlined);
	ck_assert(!memcmp(name, "main", frame.name_bytes) && frame.name_bytes == 4);
	ck_assert(!memcmp(path, "a.c", frame.path_bytes) && frame.path_bytes == 3);

	writer = (struct wire_writer){ .at = bytes, .end = bytes + 20 };
	wire_write_frame(&writer, "main", "a.c", 7, 42, true);
	ck_assert(writer.full);
	count = WIRE_FRAMES_MAX + 1;
	memcpy(bytes, &count, sizeof(count));
	reader = (struct wire_reader){ bytes, bytes + sizeof(bytes) };
	ck_assert(!wire_read_count(&reader, &count));
}
END_TEST

Suite *suite_worker(void);
Suite *suite_worker(void)
{
	Suite *suite = suite_create("worker");
	TCase *tests = tcase_create("worker");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, a_worker_that_hangs_is_replaced);
	tcase_add_test(tests, a_worker_that_crashes_is_replaced);
	tcase_add_test(tests, a_worker_with_malformed_replies_is_replaced);
	tcase_add_test(tests, without_a_worker_frames_have_a_note);
	tcase_add_test(tests, a_worker_killed_while_idle_costs_nothing);
	tcase_add_test(tests, a_request_whose_worker_was_killed_is_repeated);
	tcase_add_test(tests, without_a_fork_server_frames_have_a_note);
	tcase_add_test(tests, hostile_files_cost_only_themselves);
	tcase_add_test(tests, the_sandbox_blocks_system_calls);
	tcase_add_test(tests, a_worker_has_no_privilege);
	tcase_add_test(tests, malformed_replies_are_detected);
	suite_add_tcase(suite, tests);
	return suite;
}
