#include "tests/unit/skip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

/* Tests run in children of the runner: this memory returns the reasons of skipped tests. */
static FILE *skips;

void skip_open(void)
{
	int fd = memfd_create("skipped tests", MFD_CLOEXEC);

	if (fd < 0 || fcntl(fd, F_SETFL, O_APPEND) || !(skips = fdopen(fd, "r+"))) {
		perror("tests: no memory for the list of skipped tests");
		exit(2);
	}
}

void test_skip(const char *format, ...)
{
	char line[512];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line, sizeof(line) - 1, format, args);
	va_end(args);
	if (len < 0 || (size_t)len > sizeof(line) - 2)
		len = sizeof(line) - 2;
	line[len++] = '\n';
	/* Use _exit(), as exit() would report leaks of the unfinished test. */
	if (write(fileno(skips), line, (size_t)len) != len)
		_exit(1);
	_exit(SKIP_STATUS);
}

void need_own_memory(const char *name)
{
	char from = 'a', to = 0;
	struct iovec ours = { &to, 1 }, theirs = { &from, 1 };

	if (process_vm_readv(getpid(), &ours, 1, &theirs, 1, 0) < 0)
		test_skip("%s: process_vm_readv is refused: %s", name, strerror(errno));
}

void skip_rewind(void)
{
	rewind(skips);
}

int skip_next(char *reason, int size)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	char line[512];
	size_t len;

	if (!fgets(line, sizeof(line), skips))
		return 0;
	line[strcspn(line, "\n")] = '\0';
	len = strspn(line, name);
	snprintf(reason, (size_t)size, "%s", strncmp(line + len, ": ", 2) ? line : line + len + 2);
	return 1;
}

void skip_close(void)
{
	fclose(skips);
	skips = NULL;
}
