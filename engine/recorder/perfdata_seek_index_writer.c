#include "engine/recorder/perfdata_seek_index_writer.h"

#include "engine/recording/perfdata_compress.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_seek_index_bytes.h"

#include <string.h>

/* Approximate number of pieces and index records of a file; near its beginning they are denser. */
#define PIECES 4096
#define TELLINGS 256
#define TELLING_MIN ((uint64_t)16 << 20)
/* Compression restarts with each frame, so smaller frames compress worse. */
#define FRAME_MIN ((uint64_t)256 << 10)

void perfdata_seek_index_writer_init(struct perfdata_seek_index_writer *writer, bool packed)
{
	memset(writer, 0, sizeof(*writer));
	perfdata_seek_index_init(&writer->seek_index, 0);
	if (packed)
		perfdata_seek_index_set_packed(&writer->seek_index);
}

void perfdata_seek_index_writer_release(struct perfdata_seek_index_writer *writer)
{
	perfdata_seek_index_release(&writer->seek_index);
}

static uint64_t at_least(uint64_t value, uint64_t low)
{
	return value > low ? value : low;
}

static void add(struct perfdata_seek_index_writer *writer, const struct perf_event_header *record,
		struct perfdata_record_info *info)
{
	info->side = perfdata_record_info_is_side(record, true);
	info->time_ns = perfdata_ext_time(record);
	perfdata_record_info_own_step(record, info);
	perfdata_seek_index_add(&writer->seek_index, info);
}

void perfdata_seek_index_writer_add(struct perfdata_seek_index_writer *writer, const void *records,
				    size_t len, uint64_t at)
{
	const char *bytes = records;

	writer->seek_index.index.piece_bytes = at_least(at / PIECES, PERFDATA_TIME_INDEX_PIECE_MIN);
	for (size_t i = 0; i < len;) {
		const struct perf_event_header *record = (const void *)(bytes + i);
		struct perfdata_record_info info = { .at = at + i, .entry = true };

		add(writer, record, &info);
		i += record->size;
	}
}

bool perfdata_seek_index_writer_ends_frame(const struct perfdata_seek_index_writer *writer,
					   uint64_t at)
{
	return writer->within && at - writer->frame >= at_least(at / PIECES, FRAME_MIN);
}

void perfdata_seek_index_writer_add_packed(struct perfdata_seek_index_writer *writer,
					   const void *records, size_t len,
					   const struct str *packed, uint64_t at, bool ended)
{
	struct perf_event_header header;
	/* offset in `packed` of the compressed record that holds the current record */
	size_t in = 0;
	uint64_t which = 0, end = PERFDATA_COMPRESS_BYTES;
	bool entry = !writer->within;

	if (entry)
		writer->frame = at;
	/* Pieces begin only where frames begin. */
	writer->seek_index.index.piece_bytes = entry ? 1 : UINT64_MAX;
	for (size_t i = 0; i < len;) {
		const struct perf_event_header *record = (const void *)((const char *)records + i);
		struct perfdata_record_info info = { .packed = true, .entry = entry };

		i += record->size;
		/* A record belongs to the compressed record that holds its end. */
		while (i > end) {
			memcpy(&header, packed->data + in, sizeof(header));
			in += header.size;
			end += PERFDATA_COMPRESS_BYTES;
			which = 0;
		}
		info.at = at + in;
		info.which = ++which;
		add(writer, record, &info);
		entry = false;
		writer->seek_index.index.piece_bytes = UINT64_MAX;
	}
	writer->within = !ended;
}

bool perfdata_seek_index_writer_has_news(const struct perfdata_seek_index_writer *writer)
{
	return writer->seek_index.index.count;
}

bool perfdata_seek_index_writer_is_due(const struct perfdata_seek_index_writer *writer,
				       uint64_t bytes)
{
	return !writer->within && perfdata_seek_index_writer_has_news(writer) &&
	       bytes - writer->upto >= at_least(bytes / TELLINGS, TELLING_MIN);
}

void perfdata_seek_index_writer_emit(struct perfdata_seek_index_writer *writer, uint64_t at,
				     struct str *out)
{
	perfdata_seek_index_write(&writer->seek_index, at, at, &writer->last, out);
	writer->upto = at;
	/* index.newest_ns stays: it is that of the whole file. */
	writer->seek_index.index.count = 0;
	long_calls_forget_ended(&writer->seek_index.calls);
}

uint64_t perfdata_seek_index_writer_last(const struct perfdata_seek_index_writer *writer)
{
	return writer->last;
}
