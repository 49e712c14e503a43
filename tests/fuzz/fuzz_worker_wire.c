/* fuzz_worker_wire - any bytes as the reply of a compromised worker: texts stay inside it. */
#include "engine/helper/worker_wire.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_reader reader = { data, data + size };
	struct wire_file file;
	uint32_t count;

	wire_read_file(&reader, &file);
	reader.at = data;
	while (wire_read_count(&reader, &count))
		for (uint32_t i = 0; i < count; i++) {
			struct wire_frame frame;
			const char *name, *path;

			if (!wire_read_frame(&reader, &frame, &name, &path))
				return 0;
			if ((const uint8_t *)name < data ||
			    (const uint8_t *)path + frame.path_bytes > data + size)
				abort();
		}
	return 0;
}
