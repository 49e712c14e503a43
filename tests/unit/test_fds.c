/* Effect of each call on the descriptors of its process, through fds_call(). */
#include "engine/fds/fds.h"

#include "engine/base/str.h"
#include "engine/record/capture.h"
#include "tests/unit/runner.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#define PID 100
#define AT 0x1000 /* address of argument bytes */

struct fixture {
	struct fds *fds;
	struct str chunks;
	uint64_t now_ns;
	uint32_t pid;
};

static void setup(struct fixture *f)
{
	f->fds = fds_new((size_t)1 << 24);
	f->now_ns = 1000;
	f->pid = PID;
	str_init(&f->chunks);
}

static void teardown(struct fixture *f)
{
	fds_free(f->fds);
	str_release(&f->chunks);
}

static void points_to(struct fixture *f, uint64_t address, const void *bytes, size_t len,
		      bool at_exit)
{
	struct capture_chunk chunk = { .address = address,
				       .len = (uint32_t)len,
				       .flags = at_exit ? CAPTURE_AT_EXIT : 0 };
	static const char padding[8];

	str_addn(&f->chunks, (const char *)&chunk, sizeof(chunk));
	str_addn(&f->chunks, bytes, len);
	str_addn(&f->chunks, padding, CAPTURE_CHUNK_BYTES(len) - sizeof(chunk) - len);
}

static void text_at(struct fixture *f, uint64_t address, const char *text)
{
	points_to(f, address, text, strlen(text) + 1, false);
}

/* Feed a call of 5 ns, 10 ns after the previous one. Set its bytes with points_to() first. */
static struct call call(struct fixture *f, long nr, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
			int64_t ret)
{
	struct call made = { .enter_ns = f->now_ns += 10,
			     .dur_ns = 5,
			     .pid = f->pid,
			     .tid = f->pid,
			     .nr = (uint16_t)nr,
			     .state = CALL_DONE,
			     .ret = ret,
			     .args = { a, b, c, d } };
	struct fd_chunks pointed[2] = { { NULL, 0 }, { f->chunks.data, f->chunks.len } };

	ck_assert_msg(fds_changed_by(made.nr), "%ld changes nothing", nr);
	fds_call(f->fds, &made, pointed);
	str_clear(&f->chunks);
	return made;
}

static int open_at(struct fixture *f, int dir_fd, const char *path, int flags, int fd)
{
	text_at(f, AT, path);
	call(f, SYS_openat, (uint64_t)dir_fd, AT, (uint64_t)flags, 0, fd);
	return fd;
}

static const char *text_of(struct fixture *f, const struct call *made, int fd, bool after)
{
	static char text[FD_TEXT_MAX + 1];
	size_t len = fds_text(f->fds, made, fd, after, text, FD_TEXT_MAX);

	text[len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (!text[i])
			text[i] = '|';
	return text;
}

/* Return the text of fd for a call that is made now. */
static const char *is(struct fixture *f, int fd)
{
	const struct call now = { .enter_ns = f->now_ns += 10, .pid = f->pid, .tid = f->pid };

	return text_of(f, &now, fd, false);
}

START_TEST(paths_are_absolute)
{
	static const struct {
		const char *given, *whole;
	} cases[] = {
		{ "/etc/hosts", "/etc/hosts" },   { "hosts", "/home/me/hosts" },
		{ "./a//b/.", "/home/me/a/b" },   { "../you/x", "/home/you/x" },
		{ "../../../..", "/" },           { "/", "/" },
		{ "//etc/../etc/./x", "/etc/x" }, { "..", "/home" },
	};
	struct fixture f;

	setup(&f);
	ck_assert_str_eq(is(&f, open_at(&f, AT_FDCWD, "no/directory/known", 0, 3)), "");
	text_at(&f, AT, "/home/me");
	call(&f, SYS_chdir, AT, 0, 0, 0, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(!strcmp(is(&f, open_at(&f, AT_FDCWD, cases[i].given, 0, 3)),
				      cases[i].whole),
			      "%s: %s", cases[i].given, is(&f, 3));
	open_at(&f, AT_FDCWD, "/usr", 0, 7);
	ck_assert_str_eq(is(&f, open_at(&f, 7, "lib/x", 0, 8)), "/usr/lib/x");
	call(&f, SYS_fchdir, 7, 0, 0, 0, 0);
	ck_assert_str_eq(is(&f, open_at(&f, AT_FDCWD, "bin", 0, 9)), "/usr/bin");
	/* A failed call opens nothing; a descriptor opened without path bytes is unknown. */
	text_at(&f, AT, "/none");
	call(&f, SYS_openat, (uint64_t)AT_FDCWD, AT, 0, 0, -ENOENT);
	call(&f, SYS_openat, (uint64_t)AT_FDCWD, AT, 0, 0, 9);
	ck_assert_str_eq(is(&f, 9), "");
	teardown(&f);
}
END_TEST

START_TEST(copies_are_the_same_file)
{
	struct fixture f;
	struct call made;

	setup(&f);
	open_at(&f, AT_FDCWD, "/a", 0, 3);
	call(&f, SYS_dup, 3, 0, 0, 0, 4);
	made = call(&f, SYS_close, 3, 0, 0, 0, 0);
	ck_assert_str_eq(text_of(&f, &made, 3, false), "/a");
	ck_assert_str_eq(is(&f, 3), "");
	ck_assert_str_eq(is(&f, 4), "/a");
	open_at(&f, AT_FDCWD, "/b", 0, 3);
	made = call(&f, SYS_dup3, 3, 4, O_CLOEXEC, 0, 4);
	ck_assert_str_eq(text_of(&f, &made, 4, false), "/a");
	ck_assert_str_eq(text_of(&f, &made, 4, true), "/b");
	call(&f, SYS_fcntl, 4, F_DUPFD, 10, 0, 10);
	call(&f, SYS_fcntl, 3, F_SETFD, FD_CLOEXEC, 0, 0);
	call(&f, SYS_fcntl, 4, F_DUPFD_CLOEXEC, 11, 0, 11);
	fds_exec(f.fds, PID, f.now_ns += 10);
	ck_assert_str_eq(is(&f, 3), "");
	ck_assert_str_eq(is(&f, 4), "");
	ck_assert_str_eq(is(&f, 10), "/b");
	ck_assert_str_eq(is(&f, 11), "");
	/* A close with EBADF closes nothing; an interrupted close does close. */
	call(&f, SYS_close, 10, 0, 0, 0, -EBADF);
	ck_assert_str_eq(is(&f, 10), "/b");
	call(&f, SYS_close, 10, 0, 0, 0, -EINTR);
	ck_assert_str_eq(is(&f, 10), "");
	teardown(&f);
}
END_TEST

START_TEST(ranges_are_closed_or_marked)
{
	struct fixture f;

	setup(&f);
	for (int fd = 3; fd < 9; fd++)
		open_at(&f, AT_FDCWD, "/x", 0, fd);
	call(&f, SYS_close_range, 5, 6, 0, 0, 0);
	call(&f, SYS_close_range, 8, UINT32_MAX, CLOSE_RANGE_CLOEXEC, 0, 0);
	ck_assert_str_eq(is(&f, 4), "/x");
	ck_assert_str_eq(is(&f, 5), "");
	ck_assert_str_eq(is(&f, 6), "");
	ck_assert_str_eq(is(&f, 8), "/x");
	fds_exec(f.fds, PID, f.now_ns += 10);
	ck_assert_str_eq(is(&f, 7), "/x");
	ck_assert_str_eq(is(&f, 8), "");
	teardown(&f);
}
END_TEST

START_TEST(files_without_a_path_have_names)
{
	int ends[2] = { 3, 4 };
	struct fixture f;

	setup(&f);
	points_to(&f, AT, ends, sizeof(ends), true);
	call(&f, SYS_pipe2, AT, O_CLOEXEC, 0, 0, 0);
	ck_assert_str_eq(is(&f, 3), "pipe");
	ck_assert_str_eq(is(&f, 4), "pipe");
	call(&f, SYS_epoll_create1, 0, 0, 0, 0, 5);
	ck_assert_str_eq(is(&f, 5), "anon_inode:[eventpoll]");
	call(&f, SYS_eventfd2, 0, 0, 0, 0, 6);
	ck_assert_str_eq(is(&f, 6), "anon_inode:[eventfd]");
	call(&f, SYS_pidfd_open, 4242, 0, 0, 0, 7);
	ck_assert_str_eq(is(&f, 7), "pid:4242");
	text_at(&f, AT, "name");
	call(&f, SYS_memfd_create, AT, 0, 0, 0, 8);
	ck_assert_str_eq(is(&f, 8), "/memfd:name|(deleted)");
	/* signalfd4 on an existing signalfd: it stays the same file. */
	call(&f, SYS_signalfd4, (uint64_t)-1, 0, 8, 0, 9);
	call(&f, SYS_signalfd4, 9, 0, 8, 0, 9);
	ck_assert_str_eq(is(&f, 9), "anon_inode:[signalfd]");
	fds_exec(f.fds, PID, f.now_ns += 10);
	ck_assert_str_eq(is(&f, 3), "");
	ck_assert_str_eq(is(&f, 5), "anon_inode:[eventpoll]");
	ck_assert_str_eq(is(&f, 7), "");
	teardown(&f);
}
END_TEST

static struct sockaddr_in inet(uint16_t port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons(port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

START_TEST(sockets_have_addresses)
{
	struct sockaddr_in here = inet(80), there = inet(5000);
	struct sockaddr_un named = { .sun_family = AF_UNIX, .sun_path = "/run/\"x\"" };
	int len = sizeof(there);
	struct fixture f;
	struct call made;

	setup(&f);
	call(&f, SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0, 0, 3);
	ck_assert_str_eq(is(&f, 3), "TCP");
	points_to(&f, AT, &here, sizeof(here), false);
	made = call(&f, SYS_bind, 3, AT, sizeof(here), 0, 0);
	ck_assert_str_eq(text_of(&f, &made, 3, false), "TCP");
	ck_assert_str_eq(is(&f, 3), "TCP:[127.0.0.1:80]");
	points_to(&f, AT, &there, sizeof(there), true);
	points_to(&f, AT + 0x100, &len, sizeof(len), true);
	call(&f, SYS_accept4, 3, AT, AT + 0x100, 0, 4);
	ck_assert_str_eq(is(&f, 4), "TCP:[127.0.0.1:80->127.0.0.1:5000]");
	call(&f, SYS_socket, AF_INET6, SOCK_DGRAM, 0, 0, 5);
	points_to(&f, AT, &there, sizeof(there), false);
	call(&f, SYS_connect, 5, AT, sizeof(there), 0, -EINPROGRESS);
	ck_assert_str_eq(is(&f, 5), "UDPv6:[?->127.0.0.1:5000]");
	/* ECONNREFUSED: the socket is not connected. */
	call(&f, SYS_socket, AF_INET, SOCK_STREAM, 0, 0, 6);
	points_to(&f, AT, &there, sizeof(there), false);
	call(&f, SYS_connect, 6, AT, sizeof(there), 0, -ECONNREFUSED);
	ck_assert_str_eq(is(&f, 6), "TCP");
	call(&f, SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0, 7);
	points_to(&f, AT, &named, sizeof(named), false);
	call(&f, SYS_bind, 7, AT, sizeof(named), 0, 0);
	ck_assert_str_eq(is(&f, 7), "UNIX-STREAM:[\"/run/\\\"x\\\"\"]");
	call(&f, SYS_socket, AF_NETLINK, SOCK_RAW, 0, 0, 8);
	ck_assert_str_eq(is(&f, 8), "NETLINK:[ROUTE]");
	/* A truncated address, and no address. */
	points_to(&f, AT, &here, 3, false);
	call(&f, SYS_bind, 6, AT, 3, 0, 0);
	call(&f, SYS_bind, 6, 0, 16, 0, 0);
	ck_assert_str_eq(is(&f, 6), "TCP");
	teardown(&f);
}
END_TEST

/* Control data with two descriptors, then control data with a wrong length. */
START_TEST(messages_carry_descriptors)
{
	struct {
		struct cmsghdr header;
		int fds[2];
	} control = { .header = { .cmsg_len = CMSG_LEN(8),
				  .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS },
		      .fds = { 20, 21 } };
	struct msghdr message = { .msg_control = (void *)(uintptr_t)(AT + 0x100),
				  .msg_controllen = sizeof(control) };
	struct mmsghdr many[3] = { { .msg_len = 0 } };
	struct fixture f;

	setup(&f);
	open_at(&f, AT_FDCWD, "/old", 0, 20);
	points_to(&f, AT, &message, sizeof(message), true);
	points_to(&f, AT + 0x100, &control, sizeof(control), true);
	call(&f, SYS_recvmsg, 3, AT, 0, 0, 1);
	/* The new file is unknown so far; the old one is gone. */
	ck_assert_str_eq(is(&f, 20), "");
	open_at(&f, AT_FDCWD, "/other", 0, 22);
	control.header.cmsg_len = 1 << 20;
	control.fds[0] = 22;
	points_to(&f, AT, &message, sizeof(message), true);
	points_to(&f, AT + 0x100, &control, sizeof(control), true);
	call(&f, SYS_recvmsg, 3, AT, 0, 0, 1);
	ck_assert_str_eq(is(&f, 22), "/other");
	control.header.cmsg_len = 0;
	points_to(&f, AT, &message, sizeof(message), true);
	points_to(&f, AT + 0x100, &control, sizeof(control), true);
	call(&f, SYS_recvmsg, 3, AT, 0, 0, 1);
	ck_assert_str_eq(is(&f, 22), "/other");
	/* Several messages: the second has control data; the third was not received. */
	many[1].msg_hdr = many[2].msg_hdr = message;
	many[2].msg_hdr.msg_control = (void *)(uintptr_t)(AT + 0x200);
	control.header.cmsg_len = CMSG_LEN(4);
	open_at(&f, AT_FDCWD, "/third", 0, 23);
	points_to(&f, AT, many, sizeof(many), true);
	points_to(&f, AT + 0x100, &control, sizeof(control), true);
	control.fds[0] = 23;
	points_to(&f, AT + 0x200, &control, sizeof(control), true);
	call(&f, SYS_recvmmsg, 3, AT, 3, 0, 2);
	ck_assert_str_eq(is(&f, 22), "");
	ck_assert_str_eq(is(&f, 23), "/third");
	teardown(&f);
}
END_TEST

START_TEST(cloned_processes_can_share_descriptors)
{
	struct fixture f;

	setup(&f);
	open_at(&f, AT_FDCWD, "/a", 0, 3);
	fds_fork(f.fds, PID, 200, f.now_ns += 10);
	call(&f, SYS_clone, CLONE_FILES | CLONE_VM, 0, 0, 0, 200);
	f.pid = 200;
	open_at(&f, AT_FDCWD, "/b", 0, 4);
	f.pid = PID;
	ck_assert_str_eq(is(&f, 4), "/b");
	fds_fork(f.fds, PID, 201, f.now_ns += 10);
	call(&f, SYS_clone, CLONE_VM, 0, 0, 0, 201);
	f.pid = 201;
	open_at(&f, AT_FDCWD, "/c", 0, 5);
	f.pid = PID;
	ck_assert_str_eq(is(&f, 5), "");
	f.pid = 200;
	call(&f, SYS_unshare, CLONE_FILES, 0, 0, 0, 0);
	call(&f, SYS_close, 3, 0, 0, 0, 0);
	f.pid = PID;
	ck_assert_str_eq(is(&f, 3), "/a");
	/* 202 gets its own table, in which the range is closed. */
	fds_fork(f.fds, PID, 202, f.now_ns += 10);
	call(&f, SYS_clone, CLONE_FILES | CLONE_VM, 0, 0, 0, 202);
	f.pid = 202;
	call(&f, SYS_close_range, 3, ~0u, CLOSE_RANGE_UNSHARE, 0, 0);
	ck_assert_str_eq(is(&f, 4), "");
	f.pid = PID;
	ck_assert_str_eq(is(&f, 4), "/b");
	teardown(&f);
}
END_TEST

/* Only the parent has the pidfd, at an address from clone(2)'s arguments or clone3(2)'s struct. */
START_TEST(clone_returns_a_pidfd)
{
	uint64_t given[2] = { CLONE_PIDFD, AT + 0x100 };
	struct fixture f;
	int fd = 7;

	setup(&f);
	points_to(&f, AT, &fd, sizeof(fd), true);
	fds_fork(f.fds, PID, 200, f.now_ns + 12); /* while the call is in flight */
	call(&f, SYS_clone, CLONE_PIDFD, 0, AT, 0, 200);
	ck_assert_str_eq(is(&f, 7), "pid:200");
	f.pid = 200;
	ck_assert_str_eq(is(&f, 7), "");
	f.pid = PID;
	fd = 8;
	points_to(&f, AT, given, sizeof(given), false);
	points_to(&f, AT + 0x100, &fd, sizeof(fd), true);
	call(&f, SYS_clone3, AT, 88, 0, 0, 201);
	ck_assert_str_eq(is(&f, 8), "pid:201");
	/* Without the flag, the address holds the thread id. */
	fd = 9;
	points_to(&f, AT, &fd, sizeof(fd), true);
	call(&f, SYS_clone, CLONE_PARENT_SETTID, 0, AT, 0, 202);
	ck_assert_str_eq(is(&f, 9), "");
	teardown(&f);
}
END_TEST

/* Opened by a call that fds does not model. */
START_TEST(descriptor_of_a_successful_call_is_open)
{
	const struct fd_reply reply = { .fd = 3, .text = "/anew", .len = 5 };
	struct call made = { .pid = PID,
			     .tid = PID,
			     .nr = SYS_read,
			     .state = CALL_DONE,
			     .args = { 3 },
			     .dur_ns = 5,
			     .ret = -EBADF };
	struct fd_request requests[4];
	struct fixture f;

	setup(&f);
	open_at(&f, AT_FDCWD, "/old", 0, 3);
	call(&f, SYS_close, 3, 0, 0, 0, 0);
	fds_settle(f.fds, 3000);
	while (fds_wait(f.fds, 0) == false) {
		ck_assert_uint_gt(fds_next_requests(f.fds, requests, 1), 0);
		fds_reply(f.fds, requests, NULL, 0, 1900, 1901);
	}
	made.enter_ns = 2000;
	ck_assert_str_eq(text_of(&f, &made, 3, false), "");
	ck_assert_msg(fds_wait(f.fds, 0), "a failed call sends a request");
	made.ret = 1;
	ck_assert_str_eq(text_of(&f, &made, 3, false), "");
	ck_assert(!fds_wait(f.fds, 0));
	ck_assert_uint_gt(fds_next_requests(f.fds, requests, 1), 0);
	fds_reply(f.fds, requests, &reply, 1, 2010, 2011);
	ck_assert_str_eq(text_of(&f, &made, 3, false), "/anew");
	fds_shutdown(f.fds);
	teardown(&f);
}
END_TEST

#define REPORTED_NS 5000

/* A minimal reader of /proc: replies that descriptor 3 is /from/proc. */
static void *answerer(void *arg)
{
	const struct fd_reply reply = {
		.fd = 3, .text = "/from/proc", .len = 10, .cloexec = true, .cloexec_known = true
	};
	struct fd_request request;
	struct fixture *f = arg;

	while (fds_next_requests(f->fds, &request, 1))
		fds_reply(f->fds, &request, &reply, 1, REPORTED_NS - 1, REPORTED_NS);
	return NULL;
}

START_TEST(unknown_descriptors_are_requested)
{
	struct fixture f;
	pthread_t thread;

	setup(&f);
	f.now_ns = REPORTED_NS;
	fds_settle(f.fds, REPORTED_NS);
	ck_assert_int_eq(pthread_create(&thread, NULL, answerer, &f), 0);
	fds_ask_once(f.fds, PID);
	ck_assert(fds_wait(f.fds, 10000));
	ck_assert_str_eq(is(&f, 3), "/from/proc");
	fds_exec(f.fds, PID, f.now_ns += 10);
	ck_assert_str_eq(is(&f, 3), "");
	/* A duplicate that was made before the reply is the same file. */
	f.pid = 200;
	call(&f, SYS_dup2, 3, 0, 0, 0, 0);
	call(&f, SYS_close, 0, 0, 0, 0, 0);
	call(&f, SYS_dup2, 3, 1, 0, 0, 1);
	fds_ask_once(f.fds, 200);
	ck_assert(fds_wait(f.fds, 10000));
	ck_assert_str_eq(is(&f, 3), "/from/proc");
	ck_assert_str_eq(is(&f, 1), "/from/proc");
	ck_assert_str_eq(is(&f, 0), "");
	fds_shutdown(f.fds);
	pthread_join(thread, NULL);
	teardown(&f);
}
END_TEST

Suite *suite_fds(void);
Suite *suite_fds(void)
{
	Suite *suite = suite_create("fds");
	TCase *tc = tcase_create("fds");

	tcase_add_test(tc, paths_are_absolute);
	tcase_add_test(tc, copies_are_the_same_file);
	tcase_add_test(tc, ranges_are_closed_or_marked);
	tcase_add_test(tc, files_without_a_path_have_names);
	tcase_add_test(tc, sockets_have_addresses);
	tcase_add_test(tc, messages_carry_descriptors);
	tcase_add_test(tc, cloned_processes_can_share_descriptors);
	tcase_add_test(tc, clone_returns_a_pidfd);
	tcase_add_test(tc, descriptor_of_a_successful_call_is_open);
	tcase_add_test(tc, unknown_descriptors_are_requested);
	suite_add_tcase(suite, tc);
	return suite;
}
