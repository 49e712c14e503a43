#include "tests/bench/interface/report.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct report *map_report(void)
{
	const char *path = getenv("BENCH_REPORT");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at = MAP_FAILED;

	if (fd >= 0) {
		at = mmap(NULL, sizeof(struct report), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		close(fd);
	}
	return at == MAP_FAILED ? NULL : at;
}

struct report *report_get(void)
{
	static struct report unread, *report;

	if (!report)
		report = map_report();
	if (!report)
		report = &unread;
	return report;
}
