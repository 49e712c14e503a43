/* fuzz_perf_file - any bytes as perf.data: refused, or read without access outside the file. */
#include "engine/recording/read/perfdata_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	const struct perf_event_header *record;
	struct perfdata_header *header;
	struct perfdata_file *file;
	struct err err;
	char path[64];
	uint64_t sum = 0;

	if (fd < 0)
		fd = memfd_create("recording", MFD_CLOEXEC);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (perfdata_file_open(&file, &(struct perfdata_file_options){ .path = path }, &err))
		return 0;
	while (perfdata_file_next(file, &record) == PERFDATA_FILE_READY) {
		const uint8_t *bytes = (const uint8_t *)record;
		for (size_t j = 0; j < record->size; j++)
			sum += bytes[j];
	}
	header = perfdata_file_header(file);
	for (size_t i = 0; i < perfdata_header_format_count(header); i++) {
		const struct perfdata_file_format *format = perfdata_header_format(header, i);
		for (size_t j = 0; j < format->len; j++)
			sum += (uint8_t)format->text[j];
		for (const char *c = format->system; *c; c++)
			sum += (uint8_t)*c;
	}
	for (size_t i = 0; i < perfdata_header_event_count(header); i++) {
		const struct perfdata_file_event *event = perfdata_header_event(header, i);
		for (size_t j = 0; j < event->id_count; j++)
			sum += (uint64_t)perfdata_header_event_of_id(header, event->ids[j]);
	}
	perfdata_file_close(file);
	return sum == 42;
}
