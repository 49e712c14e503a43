#include "engine/fds/referenced_objects.h"

#include "tests/unit/chunks.h"
#include "tests/unit/runner.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* Made-up calls: like openat, like rename, and with arrays. */
enum { AT_CALL, TWO_PATHS_CALL, POLL_CALL, SELECT_CALL, SEND_CALL, PAIR_CALL, CALL_COUNT };

static struct referenced_arg shapes[CALL_COUNT] = {
	[AT_CALL] = { .fds = 1, .dirs = 1, .paths = 2, .returns_fd = true },
	[TWO_PATHS_CALL] = { .paths = 3 },
	[POLL_CALL] = { .array = FD_ARRAY_POLL },
	[SELECT_CALL] = { .array = FD_ARRAY_SETS },
	[SEND_CALL] = { .fds = 1, .array = FD_ARRAY_SENT },
	[PAIR_CALL] = { .array = FD_ARRAY_PAIR },
};

static const struct referenced referenced = { shapes, CALL_COUNT, NULL };

static bool main_path(uint16_t nr, const char *first, const char *second, char *out)
{
	struct call call = { .state = CALL_DONE, .nr = nr, .ret = 3, .args = { 0x1000, 0x2000 } };
	struct chunks chunks = { .len = 0 };
	struct fd_chunks pointed[2] = { { NULL, 0 }, { NULL, 0 } };

	if (nr == AT_CALL)
		call.args[0] = (uint32_t)AT_FDCWD;
	if (first)
		chunks_add(&chunks, 0x1000, first, (uint32_t)strlen(first) + 1, 0, BYTES_KERNEL);
	if (second)
		chunks_add(&chunks, 0x2000, second, (uint32_t)strlen(second) + 1, 0, BYTES_KERNEL);
	pointed[0] = (struct fd_chunks){ chunks.words, chunks.len };
	return referenced_main_path(&referenced, &call, pointed, out);
}

START_TEST(the_main_path_is_the_argument)
{
	char path[REFERENCED_PATH_BYTES];

	ck_assert(main_path(AT_CALL, NULL, "/etc/hosts", path));
	ck_assert_str_eq(path, "/etc/hosts");
	/* The directory is unknown: the path is as given. */
	ck_assert(main_path(AT_CALL, NULL, "hosts", path));
	ck_assert_str_eq(path, "hosts");
	ck_assert(!main_path(AT_CALL, NULL, NULL, path));
}
END_TEST

START_TEST(the_first_absolute_path_is_the_main_path)
{
	char path[REFERENCED_PATH_BYTES];

	ck_assert(main_path(TWO_PATHS_CALL, "/a", "/b", path));
	ck_assert_str_eq(path, "/a");
	ck_assert(main_path(TWO_PATHS_CALL, "a", "/b", path));
	ck_assert_str_eq(path, "/b");
	ck_assert(main_path(TWO_PATHS_CALL, "a", "b", path));
	ck_assert_str_eq(path, "a");
	ck_assert(main_path(TWO_PATHS_CALL, NULL, "b", path));
	ck_assert_str_eq(path, "b");
}
END_TEST

/* Return the descriptors that the call uses, such as "3 5 7". */
static const char *numbers(const struct call *call, const struct chunks *chunks)
{
	struct fd_chunks pointed[2] = { { NULL, 0 }, { chunks->words, chunks->len } };
	int32_t fds[REFERENCED_FDS];
	static char text[REFERENCED_FDS * 12];
	size_t len = 0, count = referenced_fds(&referenced, call, pointed, fds);

	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, i ? " %d" : "%d", fds[i]);
	return text;
}

START_TEST(descriptors_are_found_in_arrays)
{
	struct pollfd polled[] = { { .fd = 3 }, { .fd = -1 }, { .fd = 9 } };
	uint64_t to_read[] = { 1ULL << 5 | 1ULL << 63, 1 }, to_write[] = { 1ULL << 5, 0 };
	struct call call = { .state = CALL_DONE, .nr = POLL_CALL, .args = { 0x1000, 3 } };
	struct chunks chunks = { .len = 0 }, none = { .len = 0 };
	int32_t fds[REFERENCED_FDS], ends[2] = { 11, 12 };

	chunks_add(&chunks, 0x1000, polled, sizeof(polled), 0, BYTES_KERNEL);
	ck_assert_str_eq(numbers(&call, &chunks), "3 9");
	call.args[1] = UINT64_MAX;
	ck_assert_str_eq(numbers(&call, &chunks), "3 9");
	ck_assert_str_eq(numbers(&call, &none), "");
	ck_assert_uint_eq(referenced_fds(&referenced, &call, NULL, fds), 0);
	chunks = none;
	chunks_add(&chunks, 0x1000, to_read, sizeof(to_read), 0, BYTES_KERNEL);
	chunks_add(&chunks, 0x2000, to_write, sizeof(to_write), 0, BYTES_KERNEL);
	call = (struct call){ .state = CALL_DONE,
			      .nr = SELECT_CALL,
			      .args = { 65, 0x1000, 0x2000, 0 } };
	ck_assert_str_eq(numbers(&call, &chunks), "5 63 64");
	call.args[0] = 63; /* descriptors 63 and 64 are not selected */
	ck_assert_str_eq(numbers(&call, &chunks), "5");
	call.args[0] = 0xdeadbeef0000003f; /* an int: the upper half of the register is ignored */
	ck_assert_str_eq(numbers(&call, &chunks), "5");
	call.args[0] = INT32_MAX;
	ck_assert_str_eq(numbers(&call, &chunks), "5 63 64");
	call.args[0] = (uint64_t)-1; /* the kernel refuses it */
	ck_assert_str_eq(numbers(&call, &chunks), "");
	chunks = none;
	chunks_add(&chunks, 0x1000, ends, sizeof(ends), CAPTURE_AT_EXIT, BYTES_KERNEL);
	call = (struct call){ .state = CALL_DONE, .nr = PAIR_CALL, .args = { 0x1000 } };
	ck_assert_str_eq(numbers(&call, &chunks), "11 12");
	call.ret = -24;
	ck_assert_str_eq(numbers(&call, &chunks), "");
}
END_TEST

START_TEST(descriptors_are_found_in_messages)
{
	union {
		char bytes[2 * CMSG_SPACE(8)];
		struct cmsghdr first;
	} control = { .first = { .cmsg_len = CMSG_LEN(8),
				 .cmsg_level = SOL_SOCKET,
				 .cmsg_type = SCM_CREDENTIALS } };
	struct cmsghdr rights = { .cmsg_len = CMSG_LEN(8),
				  .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS };
	struct msghdr message = { .msg_control = (void *)0x2000,
				  .msg_controllen = sizeof(control) };
	struct call call = { .state = CALL_DONE, .nr = SEND_CALL, .args = { 4, 0x1000 } };
	struct chunks chunks = { .len = 0 };
	int32_t sent[] = { 7, 8 };

	memcpy(control.bytes + CMSG_SPACE(8), &rights, sizeof(rights));
	memcpy(control.bytes + CMSG_SPACE(8) + CMSG_LEN(0), sent, sizeof(sent));
	chunks_add(&chunks, 0x1000, &message, sizeof(message), 0, BYTES_KERNEL);
	chunks_add(&chunks, 0x2000, &control, sizeof(control), 0, BYTES_KERNEL);
	ck_assert_str_eq(numbers(&call, &chunks), "4 7 8");
	/* A control message longer than the buffer. */
	rights.cmsg_len = 1u << 30;
	memcpy(control.bytes + CMSG_SPACE(8), &rights, sizeof(rights));
	chunks = (struct chunks){ .len = 0 };
	chunks_add(&chunks, 0x1000, &message, sizeof(message), 0, BYTES_KERNEL);
	chunks_add(&chunks, 0x2000, &control, sizeof(control), 0, BYTES_KERNEL);
	ck_assert_str_eq(numbers(&call, &chunks), "4");
}
END_TEST

Suite *suite_referenced_objects(void);

Suite *suite_referenced_objects(void)
{
	Suite *suite = suite_create("referenced_objects");
	TCase *tcase = tcase_create("referenced_objects");

	tcase_add_test(tcase, descriptors_are_found_in_arrays);
	tcase_add_test(tcase, descriptors_are_found_in_messages);
	tcase_add_test(tcase, the_main_path_is_the_argument);
	tcase_add_test(tcase, the_first_absolute_path_is_the_main_path);
	suite_add_tcase(suite, tcase);
	return suite;
}
