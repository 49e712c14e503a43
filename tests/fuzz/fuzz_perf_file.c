/* A recording made of anything: refused, or read without touching what is not there. */
#include "engine/source/perf_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct perf_file *file;
	struct err err;
	char path[64];
	uint64_t sum = 0;

	if (fd < 0)
		fd = memfd_create("recording", MFD_CLOEXEC);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (perf_file_open(&file, path, &err))
		return 0;
	for (size_t i = 0; i < perf_file_record_count(file); i++) {
		const struct perf_event_header *header = perf_file_record(file, i);
		const uint8_t *bytes = (const uint8_t *)header;
		for (size_t j = 0; j < header->size; j++)
			sum += bytes[j];
	}
	for (size_t i = 0; i < perf_file_format_count(file); i++) {
		const struct perf_file_format *format = perf_file_format(file, i);
		for (size_t j = 0; j < format->len; j++)
			sum += (uint8_t)format->text[j];
		for (const char *c = format->system; *c; c++)
			sum += (uint8_t)*c;
	}
	for (size_t i = 0; i < perf_file_event_count(file); i++) {
		const struct perf_file_event *event = perf_file_event(file, i);
		for (size_t j = 0; j < event->id_count; j++)
			sum += (uint64_t)perf_file_event_of_id(file, event->ids[j]);
	}
	perf_file_close(file);
	return sum == 42;
}
