#include "engine/stack/debug_file_fetch.h"
#include "engine/stack/worker/symbol_elf.h"
#include "engine/stack/worker/worker_main.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"
#include "tests/unit/symbol_fixture.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const char source[] =
	"__attribute__((noinline)) static int inner(int x) { return x * 3; }\n"
	"int main(int argc, char **argv) { (void)argv; return inner(argc); }\n";

/* Count of name requests for each file number, by the workers; in shared memory. */
static uint32_t *asked;

static size_t count_asked(struct symbol_files *files, const struct wire_request *request, int fd,
			  struct wire_reply *reply, unsigned char *data, size_t max)
{
	if (request->kind == WIRE_NAMES && request->file < 64)
		asked[request->file]++;
	return worker_handle(files, request, fd, reply, data, max);
}

static void serve_counting(int socket_fd)
{
	worker_serve_with(socket_fd, count_asked);
}

static void map_file(struct fixture *fixture, const char *name, uint64_t base)
{
	snprintf(fixture->path, sizeof(fixture->path), "%s/%s", fixture->directory, name);
	fixture_map(fixture, base);
}

/* Return the address of inner() that nm lists for a file with symbols. */
static uint64_t find_inner(struct fixture *fixture, const char *name)
{
	unsigned long long address = 0;
	char path[256];
	FILE *file;

	ck_assert(fixture_run(fixture, "nm %s | sed -n 's/ t inner$//p' > address", name));
	snprintf(path, sizeof(path), "%s/address", fixture->directory);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%llx", &address), 1);
	fclose(file);
	return address;
}

START_TEST(two_paths_of_a_file_are_read_once)
{
	struct fixture fixture;
	struct frame frames[4];
	uint64_t inner;
	unsigned int files = 0;

	asked = mmap(NULL, 64 * sizeof(*asked), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	ck_assert_ptr_ne(asked, MAP_FAILED);
	fixture_open(&fixture, serve_counting);
	fixture_compile(&fixture, "a.c", source, "-O1 -g");
	inner = find_inner(&fixture, "program");
	ck_assert(fixture_run(&fixture, "cp program copy && ln program link"));
	map_file(&fixture, "program", FIXTURE_BASE);
	map_file(&fixture, "copy", 2 * FIXTURE_BASE);
	map_file(&fixture, "link", 4 * FIXTURE_BASE);
	for (uint64_t base = FIXTURE_BASE; base <= 4 * FIXTURE_BASE; base *= 2) {
		fixture_ask(&fixture, base, inner, frames, 4);
		ck_assert_str_eq(frames[0].symbol, "inner");
		ck_assert_uint_eq(frames[0].line, 1);
	}
	/* A frame has the path of its own mapping, although all paths lead to one file. */
	ck_assert_str_eq(strrchr(frames[0].dso, '/'), "/link");
	for (int i = 0; i < 64; i++)
		files += asked[i] != 0;
	ck_assert_uint_eq(files, 1);
	fixture_close(&fixture);
}
END_TEST

START_TEST(files_with_one_build_id_may_differ)
{
	struct fixture fixture;
	struct frame frames[4];
	uint64_t inner;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "a.c", source, "-O1");
	inner = find_inner(&fixture, "program");
	ck_assert(fixture_run(&fixture, "sed 's/inner/wrong/' program > forged"));
	map_file(&fixture, "forged", FIXTURE_BASE);
	fixture_ask(&fixture, FIXTURE_BASE, inner, frames, 4);
	ck_assert_str_eq(frames[0].symbol, "wrong");
	map_file(&fixture, "program", 2 * FIXTURE_BASE);
	fixture_ask(&fixture, 2 * FIXTURE_BASE, inner, frames, 4);
	ck_assert_str_eq(frames[0].symbol, "inner");
	fixture_close(&fixture);
}
END_TEST

/* Give the test its own /usr/lib/debug. */
static void need_own_debug_root(const char *name)
{
	if (!fixture_is_root() || unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    (mkdir("/usr/lib/debug", 0755) < 0 && access("/usr/lib/debug", F_OK) < 0) ||
	    mount("none", "/usr/lib/debug", "tmpfs", 0, NULL) < 0)
		test_skip("%s: no mount namespace of its own", name);
}

static void check_debug_file(const char *flags, const char *place)
{
	struct fixture fixture;
	struct frame frames[4];
	uint64_t inner;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "a.c", source, flags);
	inner = find_inner(&fixture, "program");
	ck_assert(fixture_run(&fixture,
			      "objcopy --only-keep-debug program program.debug && "
			      "strip program && "
			      "objcopy --add-gnu-debuglink=program.debug program && "
			      "to=%s && mkdir -p $(dirname $to) && mv program.debug $to",
			      place));
	map_file(&fixture, "program", FIXTURE_BASE);
	fixture_ask(&fixture, FIXTURE_BASE, inner, frames, 4);
	ck_assert_msg(frames[0].symbol != NULL, "%s", frames[0].note);
	ck_assert_str_eq(frames[0].symbol, "inner");
	ck_assert_str_eq(strrchr(frames[0].file, '/'), "/a.c");
	ck_assert_uint_eq(frames[0].line, 1);
	fixture_close(&fixture);
}

START_TEST(a_debug_file_is_found_by_its_build_id)
{
	need_own_debug_root("a_debug_file_is_found_by_its_build_id");
	check_debug_file("-O1 -g", "/usr/lib/debug/.build-id/$(readelf -n program | "
				   "sed -n 's,.*Build ID: \\(..\\)\\(.*\\),\\1/\\2,p').debug");
}
END_TEST

START_TEST(a_debug_file_is_found_by_its_name_below_usr_lib_debug)
{
	need_own_debug_root("a_debug_file_is_found_by_its_name_below_usr_lib_debug");
	check_debug_file("-O1 -g -Wl,--build-id=none", "/usr/lib/debug/$(pwd -P)/program.debug");
}
END_TEST

static size_t hang_over_debug_files(struct symbol_files *files, const struct wire_request *request,
				    int fd, struct wire_reply *reply, unsigned char *data,
				    size_t max)
{
	while (request->kind == WIRE_OPEN && request->role == WIRE_DEBUG)
		__asm__ volatile("" ::: "memory");
	return worker_handle(files, request, fd, reply, data, max);
}

static void serve_hanging(int socket_fd)
{
	worker_serve_with(socket_fd, hang_over_debug_files);
}

START_TEST(a_debug_file_that_hangs_the_worker_costs_only_itself)
{
	struct fixture fixture;
	struct frame frames[4];

	fixture_open(&fixture, serve_hanging);
	fixture_compile(&fixture, "a.c", "int main(void) { return 0; }", "-O1 -g -rdynamic");
	ck_assert(fixture_run(&fixture,
			      "mkdir .debug && "
			      "objcopy --only-keep-debug program .debug/program.debug && "
			      "strip program && "
			      "objcopy --add-gnu-debuglink=.debug/program.debug program"));
	map_file(&fixture, "program", FIXTURE_BASE);
	fixture_ask(&fixture, FIXTURE_BASE,
		    find_inner(&fixture, "-D program | "
					 "sed 's/ T main$/ t inner/'"),
		    frames, 4);
	ck_assert_msg(frames[0].symbol != NULL, "%s", frames[0].note);
	ck_assert_str_eq(frames[0].symbol, "main");
	ck_assert_str_eq(frames[0].note, "reading its debug file took too long");
	fixture_close(&fixture);
}
END_TEST

/* -- Fetched debug files --------------------------------------------------------- */

/* Make a debuginfod-find that logs its user and arguments, and then runs `script`. */
static void make_prober(struct fixture *fixture, const char *script)
{
	char path[512];

	ck_assert(fixture_run(fixture,
			      "chmod 755 . && mkdir -m 755 bin && "
			      "mkdir -m 777 said && cat > bin/debuginfod-find <<'EOF'\n"
			      "#!/bin/sh\n"
			      "echo \"$(id -u) $1 $2 $#\" > %s/said/said\n"
			      "grep NoNewPrivs /proc/self/status >> %s/said/said\n"
			      "%s\nEOF\nchmod 755 bin/debuginfod-find",
			      fixture->directory, fixture->directory, script));
	snprintf(path, sizeof(path), "%s/bin:%s", fixture->directory, getenv("PATH"));
	ck_assert_int_eq(setenv("PATH", path, 1), 0);
	ck_assert_int_eq(setenv("DEBUGINFOD_URLS", "http://localhost:1", 1), 0);
}

static bool has_line(const struct frame *frame)
{
	return frame->symbol && !strcmp(frame->symbol, "inner") && frame->line == 1;
}

START_TEST(a_debug_file_is_fetched_on_request)
{
	char script[256];
	struct frame frames[4] = { { 0 } };
	struct fixture fixture;
	struct err err;
	uint64_t inner;

	fixture_prepare(&fixture);
	snprintf(script, sizeof(script),
		 "cp %s/kept \"$DEBUGINFOD_CACHE_PATH/fetched\" && "
		 "echo \"$DEBUGINFOD_CACHE_PATH/fetched\"",
		 fixture.directory);
	ck_assert_int_eq(setenv("DEBUGINFOD_CACHE_PATH", fixture.directory, 1), 0);
	if (fixture_is_root())
		unsetenv("DEBUGINFOD_CACHE_PATH");
	make_prober(&fixture, script);
	/* The fork server, started here, inherits this environment. */
	fixture_begin(&fixture, NULL);
	ck_assert_int_eq(symbols_set_debuginfod(fixture.symbols, &err), 0);
	fixture_start(&fixture);
	fixture_compile(&fixture, "a.c", source, "-O1 -g");
	inner = find_inner(&fixture, "program");
	ck_assert(fixture_run(&fixture, "objcopy --only-keep-debug program kept && "
					"chmod 644 kept && strip program && readelf -n program | "
					"sed -n 's/.*Build ID: //p' > id"));
	map_file(&fixture, "program", FIXTURE_BASE);
	for (int round = 0; round < 1000 && !has_line(&frames[0]); round++) {
		fixture_ask(&fixture, FIXTURE_BASE, inner, frames, 4);
		usleep(10000);
	}
	ck_assert(has_line(&frames[0]));
	ck_assert(fixture_run(&fixture,
			      "echo \"%d debuginfo $(cat id) 2\" > want && "
			      "head -1 said/said | cmp - want && "
			      "grep -q 'NoNewPrivs:.1' said/said",
			      fixture_is_root() ? 65534 : (int)getuid()));
	if (fixture_is_root())
		ck_assert(fixture_run(&fixture, "ls -d /tmp/stxtop-debug-*/fetched > /dev/null"));
	fixture_close(&fixture);
}
END_TEST

START_TEST(a_missing_debuginfod_find_is_reported_at_once)
{
	struct debug_file_fetch *fetch;
	struct err err;

	ck_assert_int_eq(setenv("DEBUGINFOD_URLS", "http://localhost:1", 1), 0);
	ck_assert_int_eq(setenv("PATH", "/nonexistent", 1), 0);
	ck_assert_int_lt(debug_file_fetch_new(&fetch, NULL, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "apt-get install debuginfod"));
}
END_TEST

/* Computed at once, or in steps of 4 MiB, one per call, the checksum equals that of objcopy. */
START_TEST(a_checksum_is_computed_in_steps)
{
	struct symbol_elf *at_once, *in_pieces, *about;
	unsigned int calls = 1;
	uint32_t sum, other;
	struct fixture fixture;
	char path[192];

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "a.c", source, "-O1 -g -Wl,--build-id=none");
	if (!fixture_run(&fixture, "cp program program.debug && truncate -s 18M program.debug &&"
				   "objcopy --strip-all --add-gnu-debuglink=program.debug program"))
		test_skip("a_checksum_is_computed_in_steps: objcopy does not work");
	snprintf(path, sizeof(path), "%s.debug", fixture.path);
	about = symbol_elf_new(open(fixture.path, O_RDONLY | O_CLOEXEC));
	at_once = symbol_elf_new(open(path, O_RDONLY | O_CLOEXEC));
	in_pieces = symbol_elf_new(open(path, O_RDONLY | O_CLOEXEC));
	ck_assert(about && at_once && in_pieces);
	ck_assert(symbol_elf_crc(at_once, UINT64_MAX, &sum));
	ck_assert_uint_eq(sum, symbol_elf_debug_crc(about));
	while (!symbol_elf_crc(in_pieces, 0, &other))
		calls++;
	ck_assert_uint_eq(calls, 5);
	ck_assert_uint_eq(other, sum);
	symbol_elf_free(about);
	symbol_elf_free(at_once);
	symbol_elf_free(in_pieces);
	fixture_close(&fixture);
}
END_TEST

Suite *suite_symbols_open(void);
Suite *suite_symbols_open(void)
{
	Suite *suite = suite_create("symbols_open");
	TCase *tests = tcase_create("symbols_open");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, two_paths_of_a_file_are_read_once);
	tcase_add_test(tests, files_with_one_build_id_may_differ);
	tcase_add_test(tests, a_debug_file_is_found_by_its_build_id);
	tcase_add_test(tests, a_debug_file_is_found_by_its_name_below_usr_lib_debug);
	tcase_add_test(tests, a_checksum_is_computed_in_steps);
	tcase_add_test(tests, a_debug_file_that_hangs_the_worker_costs_only_itself);
	tcase_add_test(tests, a_debug_file_is_fetched_on_request);
	tcase_add_test(tests, a_missing_debuginfod_find_is_reported_at_once);
	suite_add_tcase(suite, tests);
	return suite;
}
