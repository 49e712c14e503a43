#include "engine/base/mem.h"

#include "tests/unit/runner.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(zalloc_returns_zeroed_memory)
{
	unsigned char *bytes = mem_zalloc(1000, 3);

	for (size_t i = 0; i < 3000; i++)
		ck_assert_uint_eq(bytes[i], 0);
	free(bytes);
	/* Size 0 returns a pointer that can be freed. */
	ck_assert_ptr_nonnull(bytes = mem_zalloc(0, 8));
	free(bytes);
	ck_assert_ptr_nonnull(bytes = mem_alloc(0));
	bytes = mem_realloc(bytes, 0, 8);
	ck_assert_ptr_nonnull(bytes);
	free(bytes);
}
END_TEST

START_TEST(copies_of_text_are_terminated)
{
	char *copy = mem_strdup("whole");

	ck_assert_str_eq(copy, "whole");
	free(copy);
	copy = mem_strndup("whole", 3);
	ck_assert_str_eq(copy, "who");
	free(copy);
	copy = mem_strndup("short", 30);
	ck_assert_str_eq(copy, "short");
	free(copy);
}
END_TEST

START_TEST(arrays_at_least_double)
{
	unsigned int *rows = NULL;
	size_t capacity = 0, moves = 0;

	for (size_t count = 0; count < 10000; count++) {
		size_t before = capacity;

		rows = mem_grow(rows, &capacity, count + 1, sizeof(*rows));
		ck_assert(capacity == before || capacity >= 2 * before);
		moves += capacity != before;
		rows[count] = (unsigned int)count;
	}
	ck_assert_uint_lt(moves, 20);
	for (size_t count = 0; count < 10000; count++)
		ck_assert_uint_eq(rows[count], count);
	rows = mem_grow(rows, &capacity, 1000000, sizeof(*rows));
	ck_assert_uint_ge(capacity, 1000000);
	free(rows);
}
END_TEST

static int restored_to = -1;

static void restore(void)
{
	ck_assert_int_eq((int)write(restored_to, "restored", 8), 8);
}

/* Run ask() in a child. Return its wait status, and its stderr in `words`. */
static int exhaust(void (*ask)(void), char *words, size_t words_bytes)
{
	int pipe_fds[2], status;
	ssize_t len;
	pid_t pid;

	ck_assert_int_eq(pipe(pipe_fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		dup2(pipe_fds[1], STDERR_FILENO);
		restored_to = pipe_fds[1];
		mem_on_exhaustion(restore);
		ask();
		_exit(0);
	}
	close(pipe_fds[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	len = read(pipe_fds[0], words, words_bytes - 1);
	ck_assert_int_ge((int)len, 0);
	words[len] = '\0';
	close(pipe_fds[0]);
	return status;
}

static void ask_for_a_product_that_wraps(void)
{
	/* volatile: the compiler rejects a constant of this size. */
	volatile size_t count = SIZE_MAX / 2;

	free(mem_realloc(NULL, count, 4));
}

static void ask_for_everything(void)
{
	volatile size_t bytes = SIZE_MAX / 4;

	free(mem_alloc(bytes));
}

START_TEST(exhaustion_restores_the_terminal_and_exits)
{
	char words[200];
	int status = exhaust(ask_for_a_product_that_wraps, words, sizeof(words));

	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	ck_assert_str_eq(words, "restoredstxtop: out of memory\n");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	/* The sanitizers abort a program that requests this much. */
	status = exhaust(ask_for_everything, words, sizeof(words));
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	ck_assert_str_eq(words, "restoredstxtop: out of memory\n");
#else
	(void)ask_for_everything;
#endif
}
END_TEST

Suite *suite_mem(void);
Suite *suite_mem(void)
{
	Suite *suite = suite_create("mem");
	TCase *tests = tcase_create("mem");

	tcase_add_test(tests, zalloc_returns_zeroed_memory);
	tcase_add_test(tests, copies_of_text_are_terminated);
	tcase_add_test(tests, arrays_at_least_double);
	tcase_add_test(tests, exhaustion_restores_the_terminal_and_exits);
	suite_add_tcase(suite, tests);
	return suite;
}
