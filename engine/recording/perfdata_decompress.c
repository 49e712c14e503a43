#include "engine/recording/perfdata_decompress.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Buffer size: room for the largest record and for one output block of the decoder. */
#define BUFFER_BYTES ((size_t)256 << 10)
/* Log2 of the maximum window; perf uses no larger ones, which would only cost memory. */
#define WINDOW_LOG_MAX 27

struct perfdata_decompress {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	char *buffer;
	size_t begin, end; /* range of the output that was not returned yet */
	size_t left; /* maximum number of bytes that the piece can still yield */
	bool broken;
	bool more; /* the buffer was full: the decoder can hold more output */
	bool between; /* a frame has ended, and the next one has not begun */
};

struct perfdata_decompress *perfdata_decompress_new(void)
{
	struct perfdata_decompress *unpack = mem_zalloc(1, sizeof(*unpack));

	unpack->stream = ZSTD_createDStream();
	unpack->buffer = mem_alloc_lines(BUFFER_BYTES);
	perfdata_decompress_reset(unpack);
	return unpack;
}

void perfdata_decompress_free(struct perfdata_decompress *unpack)
{
	if (!unpack)
		return;
	ZSTD_freeDStream(unpack->stream);
	free(unpack->buffer);
	free(unpack);
}

void perfdata_decompress_reset(struct perfdata_decompress *unpack)
{
	unpack->in = (ZSTD_inBuffer){ 0 };
	unpack->begin = unpack->end = 0;
	unpack->more = false;
	unpack->between = true;
	unpack->broken = !unpack->stream ||
			 ZSTD_isError(ZSTD_DCtx_reset(unpack->stream, ZSTD_reset_session_only)) ||
			 ZSTD_isError(ZSTD_DCtx_setParameter(unpack->stream, ZSTD_d_windowLogMax,
							     WINDOW_LOG_MAX));
}

bool perfdata_decompress_is_broken(const struct perfdata_decompress *unpack)
{
	return unpack->broken;
}

bool perfdata_decompress_is_entry(const struct perfdata_decompress *unpack)
{
	return unpack->between && unpack->begin == unpack->end;
}

void perfdata_decompress_feed(struct perfdata_decompress *unpack, const void *bytes, size_t len,
			      size_t most)
{
	unpack->left = most;
	unpack->in = (ZSTD_inBuffer){ .src = bytes, .size = len };
}

/* False: no more output from this piece. */
static bool decode(struct perfdata_decompress *unpack)
{
	ZSTD_outBuffer out = { .dst = unpack->buffer, .size = BUFFER_BYTES };
	size_t result, bytes = unpack->end - unpack->begin;

	if (unpack->in.pos == unpack->in.size && !unpack->more)
		return false;
	memmove(unpack->buffer, unpack->buffer + unpack->begin, bytes);
	unpack->begin = 0;
	out.pos = bytes;
	result = ZSTD_decompressStream(unpack->stream, &out, &unpack->in);
	unpack->more = out.pos == out.size;
	unpack->between = !result;
	unpack->end = out.pos;
	unpack->broken = ZSTD_isError(result) || out.pos - bytes > unpack->left;
	unpack->left -= out.pos - bytes;
	return !unpack->broken && out.pos > bytes;
}

const struct perf_event_header *perfdata_decompress_next(struct perfdata_decompress *unpack)
{
	while (!unpack->broken) {
		const struct perf_event_header *header =
			(const void *)(unpack->buffer + unpack->begin);
		size_t bytes = unpack->end - unpack->begin;

		if (bytes >= sizeof(*header)) {
			unpack->broken = header->size < sizeof(*header) || header->size % 8;
			if (!unpack->broken && bytes >= header->size) {
				unpack->begin += header->size;
				return header;
			}
		}
		if (unpack->broken || !decode(unpack))
			return NULL;
	}
	return NULL;
}

char *perfdata_decompress_all(const void *bytes, size_t bytes_len, size_t max, size_t *len)
{
	unsigned long long reported = ZSTD_getFrameContentSize(bytes, bytes_len);
	size_t result;
	char *all;

	if (reported == ZSTD_CONTENTSIZE_ERROR || reported == ZSTD_CONTENTSIZE_UNKNOWN ||
	    reported > max)
		return NULL;
	all = mem_alloc((size_t)reported + 1);
	result = ZSTD_decompress(all, (size_t)reported, bytes, bytes_len);
	if (ZSTD_isError(result) || result != reported) {
		free(all);
		return NULL;
	}
	all[reported] = '\0';
	*len = (size_t)reported;
	return all;
}
