/*
 * descriptors - opens, duplicates, closes and reuses descriptors, forks, executes itself, and
 * passes descriptors to another process.
 *
 * Without an argument, it does all of that. With "again", it does only the part after exec, which
 * waits a moment before it exits, so that a tracer can read /proc.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char byte[1];

static void use(int fd)
{
	if (read(fd, byte, 1) < 0)
		byte[0] = 0;
}

static void a_while(void)
{
	poll(NULL, 0, 200);
}

static int must(int fd)
{
	if (fd < 0)
		abort();
	return fd;
}

static void files(void)
{
	int a = must(open("/etc/hosts", O_RDONLY)), b = must(open("/etc/passwd", O_RDONLY)), c;

	use(a);
	use(b);
	c = must(dup(a));
	close(a);
	use(c);
	a = must(open("/etc/group", O_RDONLY)); /* reuses the number */
	use(a);
	must(dup2(b, c));
	use(c);
	close(a);
	close(b);
	close(c);
	must(chdir("/etc"));
	a = must(open("hostname", O_RDONLY));
	b = must(openat(must(open("/usr", O_RDONLY | O_DIRECTORY)), "bin/../lib", O_RDONLY));
	use(a);
	use(b);
	close(a);
	close(b);
	for (int i = 0; i < 20; i++) {
		a = must(open(i % 2 ? "/etc/hosts" : "/etc/passwd", O_RDONLY));
		use(a);
		close(a);
	}
	use(a); /* EBADF: closed */
}

static void other_things(void)
{
	int ends[2], event = must(eventfd(1, EFD_CLOEXEC)), epoll = must(epoll_create1(0));
	int memory = must(memfd_create("shared", 0));
	struct epoll_event wanted = { .events = EPOLLIN };

	must(pipe(ends));
	must((int)write(ends[1], byte, 1));
	use(ends[0]);
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted);
	use(event);
	use(memory);
	close(ends[0]);
	close(ends[1]);
	close(epoll);
	close(memory);
	close(event);
}

static void send_fd(int socket, int fd)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .header = { .cmsg_len = CMSG_LEN(sizeof(int)),
				  .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS } };
	struct iovec iov = { byte, 1 };
	struct msghdr message = { .msg_iov = &iov,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	must((int)sendmsg(socket, &message, 0));
}

static int receive_fd(int socket)
{
	char control[CMSG_SPACE(sizeof(int))];
	struct iovec iov = { byte, 1 };
	struct msghdr message = { .msg_iov = &iov,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	int fd;

	must((int)recvmsg(socket, &message, 0));
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

/* The child inherits its parent's files, and closes one while the parent still has it. */
static void family(void)
{
	int kept = must(open("/etc/passwd", O_RDONLY)), pair[2], passed;
	pid_t child;

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	child = must(fork());
	if (!child) {
		close(pair[0]);
		use(kept);
		close(kept);
		kept = must(open("/etc/hosts", O_RDONLY));
		use(kept);
		passed = receive_fd(pair[1]);
		use(passed);
		a_while();
		use(passed);
		_exit(0);
	}
	passed = must(open("/etc/group", O_RDONLY));
	send_fd(pair[0], passed);
	close(passed);
	waitpid(child, NULL, 0);
	use(kept);
	close(pair[0]);
	close(pair[1]);
	close(kept);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		use(10); /* open across the exec */
		use(11); /* closed by the exec */
		a_while();
		return 0;
	}
	files();
	other_things();
	family();
	must(dup2(must(open("/etc/hosts", O_RDONLY)), 10));
	must(dup3(10, 11, O_CLOEXEC));
	execl("/proc/self/exe", argv[0], "again", (char *)NULL);
	return 1;
}
