/* fuzz_program_segments - any bytes as a program: segments are sorted and lie inside the file. */
#include "engine/process/program_segments.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct program_segments *segments, uint64_t vaddr, size_t size)
{
	uint64_t offset, bytes, bias;

	if (program_segments_find(segments, vaddr, &offset, &bytes) &&
	    (!bytes || offset > size || bytes > size - offset))
		abort();
	program_segments_bias(segments, vaddr, vaddr & 0xf000, &bias);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("program", MFD_CLOEXEC);
	struct program_segments segments;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	program_segments_read(&segments, fd);
	close(fd);
	for (size_t i = 0; i < segments.count; i++) {
		const struct program_segment *segment = &segments.items[i];

		if (i && segment->vaddr - segment[-1].vaddr < segment[-1].bytes)
			abort();
		check(&segments, segment->vaddr, size);
		check(&segments, segment->vaddr + segment->bytes, size);
		check(&segments, segment->vaddr - 1, size);
	}
	check(&segments, UINT64_MAX, size);
	return 0;
}
