#include "engine/process/online_cpus.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void online_cpus(struct target *cpus)
{
	FILE *file = fopen("/sys/devices/system/cpu/online", "re");
	char list[4096] = "";
	int ret;

	if (file) {
		if (fgets(list, sizeof(list), file))
			list[strcspn(list, "\n")] = '\0';
		fclose(file);
	}
	ret = target_add_cpus(cpus, list, NULL);
	/* Without sysfs, assume CPUs 0 to N-1. */
	for (long i = 0; ret && i < sysconf(_SC_NPROCESSORS_ONLN); i++) {
		snprintf(list, sizeof(list), "%ld", i);
		target_add_cpus(cpus, list, NULL);
	}
}
