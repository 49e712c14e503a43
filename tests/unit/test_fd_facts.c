/* Kernel data of a descriptor, copied by the BPF code. */
#include "engine/fds/fd_facts.h"

#include "tests/unit/copier.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define EXT4 0xef53

/* Return the text of fd after a call that returned `ret`, with | for NUL; "?": no text. */
static const char *text_after(uint32_t nr, const uint64_t args[6], int64_t ret, int fd)
{
	static char text[8192];
	struct captured_bytes captured;
	struct fd_chunks pointed[2] = { { NULL, 0 } };
	struct str out = STR_INIT;
	struct fd_facts facts;

	copier_enter(nr, args);
	copier_exit(ret);
	captured = copier_captured();
	pointed[1] = (struct fd_chunks){ captured.chunks, captured.len };
	text[0] = '?';
	text[1] = '\0';
	if (fd_facts_find(pointed, fd, &facts) && fd_facts_text(&facts, &out)) {
		ck_assert_uint_lt(out.len, sizeof(text));
		for (size_t i = 0; i <= out.len; i++)
			text[i] = out.data[i] || i == out.len ? out.data[i] : '|';
	}
	str_release(&out);
	return text;
}

#define AFTER(nr, ret, fd, ...) text_after(nr, (const uint64_t[6]){ __VA_ARGS__ }, ret, fd)

static const char *opened(const struct copier_file *file)
{
	copier_has_file(5, file);
	return AFTER(SYS_openat, 5, 5, (uint64_t)AT_FDCWD, 0);
}

START_TEST(path_equals_that_of_the_kernel)
{
	struct copier_file file = { .path = "/usr/lib/x86_64-linux-gnu/libc.so.6",
				    .magic = EXT4,
				    .mode = S_IFREG };

	need_own_memory("path_equals_that_of_the_kernel");
	copier_start(0);
	ck_assert_str_eq(opened(&file), file.path);
	for (file.above = 1; file.above < 5; file.above++)
		ck_assert_str_eq(opened(&file), file.path);
	file.deleted = true;
	ck_assert_str_eq(opened(&file), "/usr/lib/x86_64-linux-gnu/libc.so.6|(deleted)");
	file = (struct copier_file){ .path = "/", .magic = EXT4, .mode = S_IFDIR };
	ck_assert_str_eq(opened(&file), "/");
	copier_has_file(AT_FDCWD, &file);
	ck_assert_str_eq(AFTER(SYS_chdir, 0, AT_FDCWD, 0), "/");
	/* The call failed, or the process has no such descriptor. */
	ck_assert_str_eq(AFTER(SYS_openat, -2, 5, (uint64_t)AT_FDCWD, 0), "?");
	ck_assert_str_eq(AFTER(SYS_openat, 100, 100, (uint64_t)AT_FDCWD, 0), "?");
	copier_end();
}
END_TEST

START_TEST(too_deep_path_is_unknown)
{
	struct copier_file file = { .magic = EXT4, .mode = S_IFREG };
	struct str path = STR_INIT;

	need_own_memory("too_deep_path_is_unknown");
	copier_start(0);
	for (int i = 0; i < 38; i++)
		str_add(&path, "/deep");
	file.path = path.data;
	ck_assert_str_eq(opened(&file), path.data);
	for (int i = 0; i < 10; i++)
		str_add(&path, "/deep");
	file.path = path.data;
	ck_assert_str_eq(opened(&file), "?");
	copier_end();
	str_release(&path);
}
END_TEST

START_TEST(pipes_and_devices_have_their_numbers)
{
	int ends[2] = { 3, 4 };
	struct copier_file file = {
		.path = "", .magic = PIPEFS_MAGIC, .inode = 4711, .mode = S_IFIFO
	};

	need_own_memory("pipes_and_devices_have_their_numbers");
	copier_start(0);
	copier_has_file(3, &file);
	ck_assert_str_eq(AFTER(SYS_pipe2, 0, 3, (uint64_t)(uintptr_t)ends, 0), "pipe:[4711]");
	file = (struct copier_file){ .path = "[eventfd]", .magic = ANON_INODE_FS_MAGIC };
	ck_assert_str_eq(opened(&file), "anon_inode:[eventfd]");
	file = (struct copier_file){ .path = "mnt", .magic = NSFS_MAGIC, .inode = 1 };
	ck_assert_str_eq(opened(&file), "?");
	file = (struct copier_file){ .path = "/dev/null",
				     .above = 1,
				     .magic = TMPFS_MAGIC,
				     .mode = S_IFCHR,
				     .device = 1 << 20 | 3 };
	ck_assert_str_eq(opened(&file), "/dev/null|<char 1:3>");
	file.mode = S_IFBLK;
	file.device = 259 << 20 | 1;
	ck_assert_str_eq(opened(&file), "/dev/null|<block 259:1>");
	copier_end();
}
END_TEST

/* The addresses are those of a socket after connect() without bind(). */
/* clang-format off */
START_TEST(a_socket_has_its_addresses)
{
	struct copier_file file = { .path = "", .magic = SOCKFS_MAGIC, .inode = 99,
				    .mode = S_IFSOCK, .family = AF_INET, .type = SOCK_STREAM,
				    .local = htonl(INADDR_LOOPBACK), .local_port = 40000,
				    .remote = htonl(0xc0000201), .remote_port = htons(443) };
	struct fd_chunks pointed[2] = { { NULL, 0 } };
	struct fd_socket socket = { .inode = 0 };
	struct captured_bytes captured;
	struct fd_facts facts;
	bool addressed = false;

	/* clang-format on */
	need_own_memory("a_socket_has_its_addresses");
	copier_start(0);
	copier_has_file(3, &file);
	copier_enter(SYS_connect, (const uint64_t[6]){ 3, 0, 0 });
	copier_exit(-EINPROGRESS);
	captured = copier_captured();
	pointed[0] = (struct fd_chunks){ captured.chunks, captured.len };
	ck_assert(fd_facts_find(pointed, 3, &facts));
	ck_assert(fd_facts_socket(&facts, &socket, &addressed) && addressed);
	ck_assert_str_eq(socket.protocol, "TCP");
	ck_assert_str_eq(socket.local, "127.0.0.1:40000");
	ck_assert_str_eq(socket.remote, "192.0.2.1:443");
	ck_assert_uint_eq(socket.inode, 99);
	file.magic = PIPEFS_MAGIC;
	copier_has_file(3, &file);
	copier_enter(SYS_bind, (const uint64_t[6]){ 3, 0, 0 });
	copier_exit(0);
	captured = copier_captured();
	pointed[0] = (struct fd_chunks){ captured.chunks, captured.len };
	ck_assert(fd_facts_find(pointed, 3, &facts));
	ck_assert(!fd_facts_socket(&facts, &socket, &addressed));
	copier_end();
}
END_TEST

START_TEST(malformed_chunks_are_rejected)
{
	unsigned char bytes[sizeof(struct capture_chunk) + sizeof(struct capture_file) + 8] = { 0 };
	struct capture_chunk chunk = { .address = 5,
				       .flags = CAPTURE_NO_MEMORY,
				       .len = sizeof(bytes) - sizeof(chunk) };
	struct capture_file file = { .flags = CAPTURE_FILE_WHOLE };
	struct fd_chunks pointed[2] = { { bytes, sizeof(bytes) }, { NULL, 0 } };
	struct str out = STR_INIT;
	struct fd_facts facts;

	memcpy(bytes, &chunk, sizeof(chunk));
	memcpy(bytes + sizeof(chunk), &file, sizeof(file));
	memcpy(bytes + sizeof(chunk) + sizeof(file), "b\0a\0\0x\0", 8);
	ck_assert(fd_facts_find(pointed, 5, &facts) && fd_facts_text(&facts, &out));
	ck_assert_str_eq(out.data, "//x//a/b");
	ck_assert(!fd_facts_find(pointed, 4, &facts));
	bytes[sizeof(bytes) - 1] = 'y';
	ck_assert(!fd_facts_find(pointed, 5, &facts));
	chunk.len = sizeof(file) - 1;
	memcpy(bytes, &chunk, sizeof(chunk));
	ck_assert(!fd_facts_find(pointed, 5, &facts));
	chunk.len = 1u << 20;
	memcpy(bytes, &chunk, sizeof(chunk));
	ck_assert(!fd_facts_find(pointed, 5, &facts));
	str_release(&out);
}
END_TEST

Suite *suite_fd_facts(void);
Suite *suite_fd_facts(void)
{
	Suite *suite = suite_create("fd_facts");
	TCase *tc = tcase_create("fd_facts");

	tcase_add_test(tc, path_equals_that_of_the_kernel);
	tcase_add_test(tc, too_deep_path_is_unknown);
	tcase_add_test(tc, pipes_and_devices_have_their_numbers);
	tcase_add_test(tc, a_socket_has_its_addresses);
	tcase_add_test(tc, malformed_chunks_are_rejected);
	suite_add_tcase(suite, tc);
	return suite;
}
