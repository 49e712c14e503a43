/* fuzz_kept - what a recording says of its stacks, of anything: names stay inside of it. */
#include "engine/recorder/embedded_stacks.h"
#include "engine/stack/embedded_names.h"

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

static void look_at(const struct kept_names *kept, const struct kept_file *file)
{
	const struct kept_answer *answer;

	for (uint64_t offset = 0; file && offset < 0x100; offset += 8) {
		answer = kept_names_find(kept, file, offset);
		for (uint32_t i = 0; answer && i < answer->count; i++) {
			const struct kept_frame *frame = &kept_names_frames(kept, answer)[i];

			check_harmless(kept_names_text(kept, frame->symbol));
			check_harmless(kept_names_text(kept, frame->file));
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mapping mapping = { .inode = 7, .path = "/a" };
	struct kept_names *names = kept_names_new(copy(data, size), size);
	struct kept_unwound *kept = kept_unwound_new(copy(data, size), size);
	struct record record = { .kind = RECORD_SWITCH_OUT };
	struct unwound unwound;
	uint64_t sum = 0;

	look_at(names, kept_names_file(names, KEPT_FILE, &mapping));
	look_at(names, kept_names_file(names, KEPT_VDSO, &mapping));
	look_at(names, kept_names_generated(names, 7));
	look_at(names, kept_names_kernel(names));
	for (record.time_ns = 0; kept && record.time_ns < 16; record.time_ns++)
		if (kept_unwound_find(kept, &record, &unwound))
			for (uint16_t i = 0; i < unwound.count; i++)
				sum += unwound.ips[i];
	kept_names_free(names);
	kept_unwound_free(kept);
	return sum == 42;
}
