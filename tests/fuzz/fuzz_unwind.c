/*
 * fuzz_unwind - any bytes as an ELF file with frame descriptions, and a stack that points into it.
 * The first eight bytes are the start address of the walk; the end of the file is also the stack.
 * In the worker a crash costs the frames of that file; here it is a finding.
 */
#include "engine/stack/worker/symbol_files.h"
#include "engine/stack/worker/unwind_walk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BASE 0x10000000ULL
#define STACK 0x20000000ULL
#define STACK_BYTES 512u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Unwind from `ip`. If %rbp is unknown, the walk searches the stack for its value. */
static void walk_from(struct symbol_files *files, uint64_t ip, bool knows_rbp, const uint8_t *stack,
		      size_t bytes)
{
	static _Alignas(
		8) unsigned char ring[WIRE_RING_FIRST + sizeof(struct wire_sample) + STACK_BYTES];
	static _Alignas(8) unsigned char answer[WIRE_BYTES_MAX];
	struct wire_sample *sample = (struct wire_sample *)(void *)(ring + WIRE_RING_FIRST);
	struct wire_writer writer = { .at = answer, .end = answer + sizeof(answer) };
	struct wire_reader reader;
	struct wire_unwound unwound;
	const struct wire_read *reads;
	const uint64_t *ips;

	memset(sample, 0, sizeof(*sample));
	sample->space = 1;
	sample->bytes = (uint32_t)bytes;
	sample->known = (1ULL << WIRE_REGS) - 1;
	sample->regs[WIRE_REG_SP] = STACK;
	sample->regs[WIRE_REG_BP] = STACK + 64;
	if (!knows_rbp)
		sample->known &= ~(1ULL << WIRE_REG_BP);
	sample->regs[WIRE_REG_IP] = ip;
	memcpy(sample + 1, stack, bytes);
	unwind_walk_borrow_ring(symbol_files_walk(files), ring, sizeof(ring));
	unwind_walk_sample(symbol_files_walk(files), WIRE_RING_FIRST, &writer);
	reader = (struct wire_reader){ answer, writer.at };
	if (writer.full || !wire_read_unwound(&reader, &unwound, &ips, &reads) ||
	    reader.at != reader.end)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t map[WIRE_MAP_COUNT] = {
		[WIRE_MAP_SPACE] = 1,
		[WIRE_MAP_START] = BASE,
		[WIRE_MAP_END] = BASE + (1 << 20),
		[WIRE_MAP_IS_CODE] = 1,
	};
	struct symbol_files *files;
	struct wire_file described;
	size_t stack_bytes;
	uint64_t first;
	int fd;

	if (size < sizeof(first) + 64)
		return 0;
	memcpy(&first, data, sizeof(first));
	data += sizeof(first);
	size -= sizeof(first);
	stack_bytes = size / 8 < STACK_BYTES ? size / 8 : STACK_BYTES;
	fd = memfd_create("unwind", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	files = symbol_files_new();
	if (symbol_files_open(files, 1, WIRE_MAIN, fd, &described) == 0) {
		map[WIRE_MAP_ADDRESS] = BASE + first % (1 << 20);
		unwind_walk_map(symbol_files_walk(files), 1, map);
		for (int knows_rbp = 0; knows_rbp < 2; knows_rbp++)
			walk_from(files, map[WIRE_MAP_ADDRESS], knows_rbp,
				  data + size - stack_bytes, stack_bytes);
		for (uint64_t offset = 0; offset < size && offset < 65536; offset += 509)
			walk_from(files, BASE + offset, offset & 1, data + size - stack_bytes,
				  stack_bytes);
	}
	symbol_files_free(files);
	return 0;
}
