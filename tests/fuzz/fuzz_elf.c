/*
 * fuzz_elf - any bytes as an ELF file whose symbols the worker reads. In the worker a crash costs
 * the symbols of that file; here it is a finding.
 */
#include "engine/helper/data_offset.h"
#include "engine/stack/worker/symbol_files.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(struct symbol_files *files, uint64_t offset)
{
	static unsigned char answer[WIRE_BYTES_MAX];
	struct wire_writer writer = { .at = answer, .end = answer + sizeof(answer) };
	struct wire_reader reader;
	struct wire_frame frame;
	const char *name, *path;
	uint32_t count;

	symbol_files_name(files, 1, offset, &writer);
	reader = (struct wire_reader){ answer, writer.at };
	if (!wire_read_count(&reader, &count) || count > 1 ||
	    (count && !wire_read_frame(&reader, &frame, &name, &path)) || reader.at != reader.end)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_files *files;
	struct wire_file described;
	int fd;

	fd = memfd_create("elf", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	files = symbol_files_new();
	if (symbol_files_open(files, 1, WIRE_MAIN, fd, &described) == 0) {
		for (uint64_t offset = 0; offset < size + 64; offset += 16) {
			ask(files, offset);
			ask(files, offset | DATA_OFFSET);
		}
	}
	symbol_files_free(files);
	return 0;
}
