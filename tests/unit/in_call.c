#include "tests/unit/in_call.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void wait_until_in(pid_t pid, long nr)
{
	char path[64], line[64] = "";

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	for (;;) {
		FILE *file = fopen(path, "re");

		ck_assert_ptr_nonnull(file);
		if (fgets(line, sizeof(line), file) && line[0] >= '0' && line[0] <= '9' &&
		    strtol(line, NULL, 10) == nr) {
			fclose(file);
			return;
		}
		fclose(file);
		usleep(1000);
	}
}
