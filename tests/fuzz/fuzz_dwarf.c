/*
 * fuzz_dwarf - any bytes as an ELF file with DWARF: source lines and inlined frames.
 *
 * libdw can crash on such a file, which costs the worker only the source lines of that file. So a
 * child reads each input and is allowed to crash. A finding is a malformed reply of the child.
 */
#include "engine/stack/worker/symbol_files.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct shared {
	size_t bytes;
	unsigned char answer[WIRE_BYTES_MAX];
};

static void read_in_child(struct shared *shared, int fd, size_t size)
{
	struct symbol_files *files = symbol_files_new();
	struct wire_file described;
	struct wire_writer writer = { .at = shared->answer,
				      .end = shared->answer + sizeof(shared->answer) };
	struct rlimit seconds = { .rlim_cur = 1, .rlim_max = 1 };

	setrlimit(RLIMIT_CPU, &seconds);
	/* The child is allowed to crash: remove the handlers with which libFuzzer reports it. */
	for (int number = 1; number < 32; number++)
		signal(number, SIG_DFL);
	close(STDERR_FILENO);
	if (symbol_files_open(files, 1, WIRE_MAIN, fd, &described))
		_exit(0);
	for (uint64_t offset = 0; offset < size && !writer.full; offset += 32) {
		shared->bytes = (size_t)(writer.at - shared->answer);
		symbol_files_lines(files, 1, offset, &writer);
	}
	_exit(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct shared *shared;
	struct wire_reader reader;
	pid_t child;
	int fd;

	if (!shared)
		shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	shared->bytes = 0;
	fd = memfd_create("elf", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	child = fork();
	if (child == 0)
		read_in_child(shared, fd, size);
	close(fd);
	if (child < 0 || waitpid(child, NULL, 0) != child)
		return 0;
	reader = (struct wire_reader){ shared->answer, shared->answer + shared->bytes };
	while (reader.at < reader.end) {
		struct wire_frame frame;
		const char *name, *path;
		uint32_t count;

		if (!wire_read_count(&reader, &count))
			abort();
		for (uint32_t i = 0; i < count; i++)
			if (!wire_read_frame(&reader, &frame, &name, &path))
				abort();
	}
	return 0;
}
