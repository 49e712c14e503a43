#include "engine/source/bpf/verifier_log.h"

#include <stdbool.h>
#include <string.h>

static bool is_statistics(const char *line)
{
	static const char *const begins[] = { "processed ", "verification time ", "stack depth " };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(line, begins[i], strlen(begins[i])))
			return true;
	return false;
}

size_t verifier_log_line(const char *log, const char **line)
{
	size_t len = 0, here;

	for (; *log; log += here + (log[here] == '\n')) {
		here = strcspn(log, "\n");
		if (!here || is_statistics(log))
			continue;
		*line = log;
		len = here;
	}
	return len;
}
