#include "engine/recorder/perfdata_seek_index_writer.h"

#include "engine/recording/perfdata_compress.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_seek_index_bytes.h"

#include <string.h>

/* Of a file, so many pieces and tellings are enough: there are more of them in front. */
#define PIECES 4096
#define TELLINGS 256
#define TELLING_MIN ((uint64_t)16 << 20)
/* What is compressed begins anew with each, and would become larger. */
#define FRAME_MIN ((uint64_t)256 << 10)

void perf_survey_writer_init(struct perf_survey_writer *writer, bool packed)
{
	memset(writer, 0, sizeof(*writer));
	perf_survey_init(&writer->survey, 0);
	if (packed)
		perf_survey_set_packed(&writer->survey);
}

void perf_survey_writer_release(struct perf_survey_writer *writer)
{
	perf_survey_release(&writer->survey);
}

static uint64_t at_least(uint64_t value, uint64_t low)
{
	return value > low ? value : low;
}

static void add(struct perf_survey_writer *writer, const struct perf_event_header *record,
		struct perf_sight *sight)
{
	sight->side = perf_sight_is_side(record, true);
	sight->time_ns = perf_own_time(record);
	perf_sight_own_step(record, sight);
	perf_survey_add(&writer->survey, sight);
}

void perf_survey_writer_add(struct perf_survey_writer *writer, const void *records, size_t len,
			    uint64_t at)
{
	const char *bytes = records;

	writer->survey.index.piece_bytes = at_least(at / PIECES, PERF_INDEX_PIECE_MIN);
	for (size_t i = 0; i < len;) {
		const struct perf_event_header *record = (const void *)(bytes + i);
		struct perf_sight sight = { .at = at + i, .entry = true };

		add(writer, record, &sight);
		i += record->size;
	}
}

bool perf_survey_writer_ends_frame(const struct perf_survey_writer *writer, uint64_t at)
{
	return writer->within && at - writer->frame >= at_least(at / PIECES, FRAME_MIN);
}

void perf_survey_writer_add_packed(struct perf_survey_writer *writer, const void *records,
				   size_t len, const struct str *packed, uint64_t at, bool ended)
{
	struct perf_event_header header;
	size_t in = 0; /* in `packed`: the record that has what is looked at */
	uint64_t which = 0, end = PERF_PACK_BYTES;
	bool entry = !writer->within;

	if (entry)
		writer->frame = at;
	/* Pieces begin where frames do. */
	writer->survey.index.piece_bytes = entry ? 1 : UINT64_MAX;
	for (size_t i = 0; i < len;) {
		const struct perf_event_header *record = (const void *)((const char *)records + i);
		struct perf_sight sight = { .packed = true, .entry = entry };

		i += record->size;
		/* It is found in the one that has its end. */
		while (i > end) {
			memcpy(&header, packed->data + in, sizeof(header));
			in += header.size;
			end += PERF_PACK_BYTES;
			which = 0;
		}
		sight.at = at + in;
		sight.which = ++which;
		add(writer, record, &sight);
		entry = false;
		writer->survey.index.piece_bytes = UINT64_MAX;
	}
	writer->within = !ended;
}

bool perf_survey_writer_has_news(const struct perf_survey_writer *writer)
{
	return writer->survey.index.count;
}

bool perf_survey_writer_is_due(const struct perf_survey_writer *writer, uint64_t bytes)
{
	return !writer->within && perf_survey_writer_has_news(writer) &&
	       bytes - writer->upto >= at_least(bytes / TELLINGS, TELLING_MIN);
}

void perf_survey_writer_tell(struct perf_survey_writer *writer, uint64_t at, struct str *out)
{
	perf_survey_write(&writer->survey, at, at, &writer->last, out);
	writer->upto = at;
	/* The newest time of all goes on to be known. */
	writer->survey.index.count = 0;
	long_calls_forget_ended(&writer->survey.calls);
}

uint64_t perf_survey_writer_last(const struct perf_survey_writer *writer)
{
	return writer->last;
}
