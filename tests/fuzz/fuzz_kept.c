/* fuzz_kept - any bytes as embedded symbols and unwound stacks: names stay inside the section. */
#include "engine/recorder/embedded_stacks.h"
#include "engine/stack/embedded_names.h"
#include "engine/stack/space_maps.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *copy(const uint8_t *data, size_t size)
{
	char *bytes = mem_alloc(size + 1);

	memcpy(bytes, data, size);
	return bytes;
}

static void check_harmless(const char *text)
{
	for (; text && *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			abort();
}

static void look_at(const struct embedded_names *kept, const struct embedded_file *file)
{
	const struct embedded_reply *answer;

	for (uint64_t offset = 0; file && offset < 0x100; offset += 8) {
		answer = embedded_names_find(kept, file, offset);
		for (uint32_t i = 0; answer && i < answer->count; i++) {
			const struct embedded_frame *frame = &embedded_names_frames(kept,
										    answer)[i];

			check_harmless(embedded_names_text(kept, frame->symbol));
			check_harmless(embedded_names_text(kept, frame->file));
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mapping mapping = { .inode = 7, .path = "/a" };
	struct embedded_names *names = embedded_names_new(copy(data, size), size);
	struct embedded_stacks *kept = embedded_stacks_new(copy(data, size), size);
	struct record record = { .kind = RECORD_SWITCH_OUT };
	struct unwound unwound;
	uint64_t sum = 0;

	look_at(names, embedded_names_file(names, EMBEDDED_FILE, &mapping));
	look_at(names, embedded_names_file(names, EMBEDDED_VDSO, &mapping));
	look_at(names, embedded_names_generated(names, 7));
	look_at(names, embedded_names_kernel(names));
	for (record.time_ns = 0; kept && record.time_ns < 16; record.time_ns++)
		if (embedded_stacks_find(kept, &record, &unwound))
			for (uint16_t i = 0; i < unwound.count; i++)
				sum += unwound.ips[i];
	embedded_names_free(names);
	embedded_stacks_free(kept);
	return sum == 42;
}
