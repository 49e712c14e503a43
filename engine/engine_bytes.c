#include "engine/engine.h"

#include "engine/base/mem.h"
#include "engine/engine_private.h"

#include <stdlib.h>

void engine_bytes_copy(struct engine *e, const struct call *calls, size_t count,
		       struct engine_bytes *bytes)
{
	bool any = false;

	if (count > bytes->room) {
		bytes->ends = mem_realloc(bytes->ends, count, sizeof(*bytes->ends));
		bytes->room = count;
	}
	str_clear(&bytes->chunks);
	for (size_t i = 0; i < count; i++) {
		bytes->ends[i] = 0;
		any = any || calls[i].bytes_at;
	}
	if (!any || !atomic_load(&e->ready))
		return;
	collector_lock(e->collector);
	for (size_t i = 0; i < count; i++) {
		size_t len;
		const void *chunks = history_bytes(model_history(e->model), &calls[i], &len);

		str_addn(&bytes->chunks, chunks, len);
		bytes->ends[i] = bytes->chunks.len;
	}
	collector_unlock(e->collector);
}

const struct call_bytes *engine_bytes_of(struct engine_bytes *bytes, size_t index)
{
	size_t from = index ? bytes->ends[index - 1] : 0;

	/* Of none in the block anything may be known: then nothing was copied. */
	bytes->captured.len = bytes->ends[index] > from ? bytes->ends[index] - from : 0;
	bytes->captured.chunks = bytes->chunks.data + from;
	bytes->provider.read = captured_bytes_read;
	bytes->provider.ctx = &bytes->captured;
	return &bytes->provider;
}

void engine_bytes_release(struct engine_bytes *bytes)
{
	str_release(&bytes->chunks);
	free(bytes->ends);
	bytes->ends = NULL;
	bytes->room = 0;
}
