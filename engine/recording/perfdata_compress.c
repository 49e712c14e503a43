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

_Static_assert(ZSTD_COMPRESSBOUND(PERF_PACK_BYTES) + 64 < ROOM_BYTES, "one record has room for it");

struct perf_pack {
	ZSTD_CStream *stream;
	char room[ROOM_BYTES];
};

struct perf_pack *perf_pack_new(int level)
{
	struct perf_pack *pack = mem_zalloc(1, sizeof(*pack));

	pack->stream = ZSTD_createCStream();
	if (pack->stream &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(pack->stream, ZSTD_c_compressionLevel, level)))
		return pack;
	perf_pack_free(pack);
	return NULL;
}

void perf_pack_free(struct perf_pack *pack)
{
	if (!pack)
		return;
	ZSTD_freeCStream(pack->stream);
	free(pack);
}

static int add_piece(struct perf_pack *pack, const char *from, size_t len,
		     ZSTD_EndDirective directive, struct str *out)
{
	struct perf_event_header header = { .type = TYPE_COMPRESSED };
	ZSTD_inBuffer input = { .src = from, .size = len };
	ZSTD_outBuffer output = { .dst = pack->room, .size = sizeof(pack->room) };

	/* What is left to be flushed, or an error. */
	if (ZSTD_compressStream2(pack->stream, &output, &input, directive))
		return -EIO;
	header.size = (uint16_t)(sizeof(header) + output.pos);
	str_addn(out, (const char *)&header, sizeof(header));
	str_addn(out, pack->room, output.pos);
	return 0;
}

int perf_pack_add(struct perf_pack *pack, const void *records, size_t len, bool end,
		  struct str *out)
{
	const char *from = records;
	int rc = 0;

	while (len && !rc) {
		size_t piece = len < PERF_PACK_BYTES ? len : PERF_PACK_BYTES;

		rc = add_piece(pack, from, piece, end && piece == len ? ZSTD_e_end : ZSTD_e_flush,
			       out);
		from += piece;
		len -= piece;
	}
	return rc;
}

int perf_pack_all(const void *bytes, size_t len, struct str *out)
{
	size_t room = ZSTD_compressBound(len), packed;
	char *to = mem_alloc(room);

	packed = ZSTD_compress(to, room, bytes, len, PERF_PACK_LEVEL_DEFAULT);
	if (!ZSTD_isError(packed))
		str_addn(out, to, packed);
	free(to);
	return ZSTD_isError(packed) ? -ENOMEM : 0;
}
