/*
 * pointers FILE - calls with bad, endless or circular pointers, in the order that test_capture.py
 * expects. All fail without effect.
 *
 * FILE begins with a path; its page is mapped, and not accessed before the call.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096

static char *pages(size_t count)
{
	char *at = mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);

	if (at == MAP_FAILED)
		exit(2);
	return at;
}

/* Return a page; the memory after it is not mapped. */
static char *page_before_nothing(void)
{
	char *at = pages(2);

	munmap(at + PAGE, PAGE);
	return at;
}

static void paths(const char *file)
{
	char *locked = pages(1), *edge = page_before_nothing(), *endless = pages(256);
	int fd = open(file, O_RDONLY);
	void *gone;

	syscall(SYS_unlink, 8);
	syscall(SYS_unlink, page_before_nothing() + PAGE);
	strcpy(locked, "/locked");
	mprotect(locked, PAGE, PROT_NONE);
	syscall(SYS_unlink, locked);
	memset(edge, 'e', PAGE);
	syscall(SYS_unlink, edge + PAGE - 6);
	edge[PAGE - 1] = '\0';
	syscall(SYS_unlink, edge + PAGE - 6);
	memset(endless, 'x', 256 * PAGE);
	syscall(SYS_unlink, endless);
	endless[1] = '/';
	endless[PATH_MAX - 1] = '\0';
	syscall(SYS_unlink, endless);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	syscall(SYS_unlink, gone);
	close(fd);
}

static void vectors(void)
{
	static const unsigned long counts[] = { 1ul << 30, -1ul, UINT32_MAX, IOV_MAX, IOV_MAX + 1 };
	static char text[] = "text";
	struct iovec *some = (struct iovec *)page_before_nothing();
	size_t room = PAGE / sizeof(*some);

	for (size_t i = 0; i < room; i++)
		some[i] = (struct iovec){ text, i ? 4 : SIZE_MAX };
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		syscall(SYS_writev, -1, some, counts[i]);
		syscall(SYS_readv, -1, some, counts[i]);
	}
	/* A count of three, but only two vectors fit before the unmapped memory. */
	syscall(SYS_writev, -1, some + room - 2, 3);
}

static void messages(void)
{
	static char text[] = "text", name[256] = "\1\0/tmp/name";
	struct iovec some[2] = { { text, 4 }, { text, SIZE_MAX } };
	struct msghdr message = { name, UINT32_MAX, some, SIZE_MAX, name, SIZE_MAX, 0 };
	struct mmsghdr many[4] = { { message, 0 }, { message, 0 }, { message, 0 }, { message, 0 } };

	syscall(SYS_sendmsg, -1, &message, 0);
	syscall(SYS_recvmsg, -1, &message, 0);
	syscall(SYS_sendmmsg, -1, many, UINT32_MAX, 0);
	syscall(SYS_recvmmsg, -1, many, UINT32_MAX, 0, 0);
}

static void arguments(void)
{
	char **some = (char **)page_before_nothing();
	static char again[] = "again";

	for (size_t i = 0; i < PAGE / sizeof(*some); i++)
		some[i] = again;
	/* No NULL at the end; a pointer to the array itself; one pointer before unmapped memory. */
	syscall(SYS_execve, "/nonexistent", some, some);
	some[0] = (char *)some;
	some[1] = NULL;
	syscall(SYS_execve, "/nonexistent", some, some + 1);
	syscall(SYS_execve, "/nonexistent", some + PAGE / sizeof(*some) - 1, NULL);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	paths(argv[1]);
	vectors();
	messages();
	arguments();
	return 0;
}
