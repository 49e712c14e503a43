#include "engine/recording/perfdata_input.h"

#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES 1000003

static unsigned char byte_at(size_t at)
{
	return (unsigned char)(at * 7 + at / 251);
}

static int some_file(void)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	unsigned char *bytes = malloc(FILE_BYTES);

	for (size_t i = 0; i < FILE_BYTES; i++)
		bytes[i] = byte_at(i);
	ck_assert_int_eq(write(fd, bytes, FILE_BYTES), FILE_BYTES);
	free(bytes);
	return fd;
}

static void check_bytes(const char *at, size_t offset, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq((unsigned char)at[i], byte_at(offset + i));
}

/* Pieces of any size are aligned as requested. A skip ends within or beyond the ready bytes. */
START_TEST(a_file_is_read_in_pieces)
{
	int fd = some_file();
	struct perfdata_input *input;
	uint64_t offset = 16, base = 16;
	unsigned seed = 5;
	struct err err;
	const char *at;

	ck_assert_int_eq(perfdata_input_open(&input, "it", fd, &err), 0);
	ck_assert(!perfdata_input_is_pipe(input));
	ck_assert_uint_eq(perfdata_input_size(input), FILE_BYTES);
	perfdata_input_go(input, offset, FILE_BYTES - 3);
	for (;;) {
		size_t want = 1 + (size_t)rand_r(&seed) % (rand_r(&seed) % 10 ? 600 : 100000);
		uint64_t skip = (uint64_t)rand_r(&seed) % (want + 50);

		ck_assert_uint_eq(perfdata_input_at(input), offset);
		if (perfdata_input_need(input, want, &at) != PERFDATA_INPUT_READY) {
			ck_assert_uint_gt(offset + want, FILE_BYTES - 3);
			break;
		}
		check_bytes(at, offset, want);
		ck_assert_uint_eq((uintptr_t)at % 8, (offset - base) % 8);
		perfdata_input_skip(input, skip);
		offset += skip;
		if (rand_r(&seed) % 3 == 0) {
			perfdata_input_align(input);
			base = offset;
		}
	}
	perfdata_input_go(input, 40, FILE_BYTES);
	perfdata_input_skip(input, 900000);
	ck_assert_int_eq(perfdata_input_need(input, 8, &at), PERFDATA_INPUT_READY);
	check_bytes(at, 900040, 8);
	perfdata_input_skip(input, UINT64_MAX / 2);
	ck_assert_int_eq(perfdata_input_need(input, 1, &at), PERFDATA_INPUT_END);
	perfdata_input_close(input);
	close(fd);
}
END_TEST

START_TEST(sections_are_read_within_their_bounds)
{
	int fd = some_file();
	struct perfdata_input *input;
	struct err err;
	char *bytes;

	ck_assert_int_eq(perfdata_input_open(&input, "it", fd, &err), 0);
	bytes = perfdata_input_section(input, 999999, 4, 4);
	ck_assert_ptr_nonnull(bytes);
	check_bytes(bytes, 999999, 4);
	free(bytes);
	ck_assert_ptr_null(perfdata_input_section(input, 999999, 5, 5));
	ck_assert_ptr_null(perfdata_input_section(input, UINT64_MAX, 2, 5));
	ck_assert_ptr_null(perfdata_input_section(input, 0, 6, 5));
	perfdata_input_close(input);
	close(fd);
}
END_TEST

/* A recorder can write a table, and the header that names it, after the open. */
START_TEST(a_section_beyond_the_size_at_open_is_read)
{
	char path[TEMPORARY_PATH_MAX];
	int fd = temporary_file(path, "perf-input");
	struct perfdata_input *input;
	struct err err;
	char *bytes;

	ck_assert_int_eq(write(fd, "head", 4), 4);
	ck_assert_int_eq(perfdata_input_open(&input, path, 0, &err), 0);
	ck_assert_int_eq(write(fd, "table", 5), 5);
	ck_assert_ptr_null(perfdata_input_section(input, 4, 5, 5));
	perfdata_input_update_size(input);
	ck_assert_uint_eq(perfdata_input_size(input), 9);
	bytes = perfdata_input_section(input, 4, 5, 5);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_str_eq(bytes, "table");
	free(bytes);
	perfdata_input_close(input);
	close(fd);
	unlink(path);
}
END_TEST

START_TEST(a_pipe_waits_for_bytes)
{
	struct perfdata_input *input;
	struct err err;
	const char *at;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(perfdata_input_open(&input, "it", fds[0], &err), 0);
	ck_assert(perfdata_input_is_pipe(input));
	ck_assert_int_eq(perfdata_input_need(input, 4, &at), PERFDATA_INPUT_WAIT);
	ck_assert_int_eq(perfdata_input_wait(input, -1, 0), 0);
	ck_assert_int_eq(write(fds[1], "abc", 3), 3);
	ck_assert_int_eq(perfdata_input_wait(input, -1, 0), 1);
	ck_assert_int_eq(perfdata_input_need(input, 4, &at), PERFDATA_INPUT_WAIT);
	ck_assert_int_eq(write(fds[1], "defgh", 5), 5);
	ck_assert_int_eq(perfdata_input_need(input, 4, &at), PERFDATA_INPUT_READY);
	ck_assert_int_eq(memcmp(at, "abcd", 4), 0);
	perfdata_input_skip(input, 6);
	ck_assert_int_eq(perfdata_input_need(input, 2, &at), PERFDATA_INPUT_READY);
	ck_assert_int_eq(memcmp(at, "gh", 2), 0);
	perfdata_input_skip(input, 3);
	ck_assert_int_eq(write(fds[1], "ij", 2), 2);
	close(fds[1]);
	ck_assert_int_eq(perfdata_input_need(input, 1, &at), PERFDATA_INPUT_READY);
	ck_assert_int_eq(*at, 'j');
	ck_assert_int_eq(perfdata_input_need(input, 2, &at), PERFDATA_INPUT_END);
	ck_assert_int_eq(perfdata_input_errno(input), 0);
	perfdata_input_close(input);
	close(fds[0]);
}
END_TEST

/* A FIFO without a writer has not ended. */
START_TEST(a_fifo_waits_for_its_writer)
{
	char folder[TEMPORARY_PATH_MAX], path[sizeof(folder) + 8];
	struct perfdata_input *input;
	struct err err;
	const char *at;
	int fd;

	temporary_folder(folder, "perf-input");
	snprintf(path, sizeof(path), "%s/fifo", folder);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(perfdata_input_open(&input, path, 0, &err), 0);
	ck_assert_int_eq(perfdata_input_need(input, 1, &at), PERFDATA_INPUT_WAIT);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(perfdata_input_need(input, 1, &at), PERFDATA_INPUT_WAIT);
	ck_assert_int_eq(write(fd, "x", 1), 1);
	ck_assert_int_eq(perfdata_input_need(input, 1, &at), PERFDATA_INPUT_READY);
	perfdata_input_skip(input, 1);
	close(fd);
	ck_assert_int_eq(perfdata_input_need(input, 1, &at), PERFDATA_INPUT_END);
	perfdata_input_close(input);
	ck_assert_int_ne(perfdata_input_open(&input, folder, 0, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "is a directory"));
	unlink(path);
	/* A folder as `perf record --threads` makes it. */
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, i ? "data.0" : "data");
		fd = creat(path, 0600);
		ck_assert_int_ge(fd, 0);
		close(fd);
	}
	ck_assert_int_ne(perfdata_input_open(&input, folder, 0, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "record without --threads"));
	unlink(path);
	snprintf(path, sizeof(path), "%s/data", folder);
	unlink(path);
	rmdir(folder);
}
END_TEST

Suite *suite_perfdata_input(void);
Suite *suite_perfdata_input(void)
{
	Suite *suite = suite_create("perfdata_input");
	TCase *tcase = tcase_create("perfdata_input");

	tcase_add_test(tcase, a_file_is_read_in_pieces);
	tcase_add_test(tcase, sections_are_read_within_their_bounds);
	tcase_add_test(tcase, a_section_beyond_the_size_at_open_is_read);
	tcase_add_test(tcase, a_pipe_waits_for_bytes);
	tcase_add_test(tcase, a_fifo_waits_for_its_writer);
	suite_add_tcase(suite, tcase);
	return suite;
}
