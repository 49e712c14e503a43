#include "tests/unit/skip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Tests run in children of the runner: an unlinked file carries their words back. */
static FILE *skips;

void skip_open(void)
{
	skips = tmpfile();
	if (!skips) {
		perror("tests: no temporary file for the list of skipped tests");
		exit(2);
	}
	/* Several tests run at a time: each of their lines goes to the end, whole. */
	if (fcntl(fileno(skips), F_SETFL, O_APPEND)) {
		perror("tests: the list of skipped tests");
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
	/* Not exit(): nothing failed or leaked. */
	if (write(fileno(skips), line, (size_t)len) != len)
		_exit(1);
	_exit(0);
}

void need_own_memory(const char *name)
{
	char from = 'a', to = 0;
	struct iovec ours = { &to, 1 }, theirs = { &from, 1 };

	if (process_vm_readv(getpid(), &ours, 1, &theirs, 1, 0) < 0)
		test_skip("%s: process_vm_readv is refused: %s", name, strerror(errno));
}

unsigned int skip_report(void)
{
	char line[512];
	unsigned int count = 0;

	rewind(skips);
	while (fgets(line, sizeof(line), skips)) {
		printf("skipped: %s", line);
		count++;
	}
	fclose(skips);
	skips = NULL;
	return count;
}
