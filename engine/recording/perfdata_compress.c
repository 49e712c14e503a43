#include "engine/recording/perfdata_compress.h"

#include "engine/base/mem.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define TYPE_COMPRESSED 81 /* PERF_RECORD_COMPRESSED of perf */
#define ROOM_BYTES (UINT16_MAX - sizeof(struct perf_event_header))

_Static_assert(ZSTD_COMPRESSBOUND(PERFDATA_COMPRESS_BYTES) + 64 < ROOM_BYTES,
	       "a compressed block fits in one record");

struct perfdata_compress {
	ZSTD_CStream *stream;
	char room[ROOM_BYTES];
};

struct perfdata_compress *perfdata_compress_new(int level)
{
	struct perfdata_compress *pack = mem_zalloc(1, sizeof(*pack));

	pack->stream = ZSTD_createCStream();
	if (pack->stream &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(pack->stream, ZSTD_c_compressionLevel, level)))
		return pack;
	perfdata_compress_free(pack);
	return NULL;
}

void perfdata_compress_free(struct perfdata_compress *pack)
{
	if (!pack)
		return;
	ZSTD_freeCStream(pack->stream);
	free(pack);
}

static int add_piece(struct perfdata_compress *pack, const char *from, size_t len,
		     ZSTD_EndDirective directive, struct str *out)
{
	struct perf_event_header header = { .type = TYPE_COMPRESSED };
	ZSTD_inBuffer input = { .src = from, .size = len };
	ZSTD_outBuffer output = { .dst = pack->room, .size = sizeof(pack->room) };

	/* ZSTD_compressStream2() returns the number of bytes still to flush, or an error. */
	if (ZSTD_compressStream2(pack->stream, &output, &input, directive))
		return -EIO;
	header.size = (uint16_t)(sizeof(header) + output.pos);
	str_addn(out, (const char *)&header, sizeof(header));
	str_addn(out, pack->room, output.pos);
	return 0;
}

int perfdata_compress_add(struct perfdata_compress *pack, const void *records, size_t len, bool end,
			  struct str *out)
{
	const char *from = records;
	int rc = 0;

	while (len && !rc) {
		size_t piece = len < PERFDATA_COMPRESS_BYTES ? len : PERFDATA_COMPRESS_BYTES;

		rc = add_piece(pack, from, piece, end && piece == len ? ZSTD_e_end : ZSTD_e_flush,
			       out);
		from += piece;
		len -= piece;
	}
	return rc;
}

int perfdata_compress_all(const void *bytes, size_t len, struct str *out)
{
	size_t room = ZSTD_compressBound(len), packed;
	char *to = mem_alloc(room);

	packed = ZSTD_compress(to, room, bytes, len, PERFDATA_COMPRESS_LEVEL_DEFAULT);
	if (!ZSTD_isError(packed))
		str_addn(out, to, packed);
	free(to);
	return ZSTD_isError(packed) ? -ENOMEM : 0;
}
