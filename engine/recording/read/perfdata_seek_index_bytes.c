#include "engine/recording/read/perfdata_seek_index_bytes.h"

#include "engine/recording/perfdata_ext.h"

#include <string.h>

/* -- Writing ----------------------------------------------------------------------------- */

struct writing {
	struct str *out;
	size_t start; /* offset of the current record in `out` */
	uint64_t at; /* file offset of the first record */
	size_t first; /* offset of the first record in `out` */
	struct perfdata_ext_index head;
};

static void begin(struct writing *writing)
{
	writing->start = writing->out->len;
	writing->head.pieces = writing->head.call_bytes = 0;
	str_addn(writing->out, (const char *)&writing->head, sizeof(writing->head));
}

static void finish(struct writing *writing)
{
	writing->head.own.header.size = (uint16_t)(writing->out->len - writing->start);
	memcpy(writing->out->data + writing->start, &writing->head, sizeof(writing->head));
	writing->head.before = writing->at + (writing->start - writing->first);
}

/* Begin another record if this one has no room. */
static void need(struct writing *writing, size_t bytes)
{
	if (writing->out->len - writing->start + bytes <= PERFDATA_EXT_RECORD_MAX)
		return;
	finish(writing);
	begin(writing);
}

static void write_pieces(struct writing *writing, const struct perfdata_time_index *index)
{
	for (size_t i = 0; i < index->count; i++) {
		const struct perfdata_ext_piece piece = {
			.at = index->pieces[i].at,
			.oldest_ns = index->pieces[i].oldest_ns,
			.newest_ns = index->pieces[i].newest_ns,
			.records = index->pieces[i].records,
			.flags = index->pieces[i].side ? PERFDATA_EXT_PIECE_SIDE : 0,
		};

		need(writing, sizeof(piece));
		str_addn(writing->out, (const char *)&piece, sizeof(piece));
		writing->head.pieces++;
	}
}

static void write_call(void *ctx, const struct long_call *call)
{
	struct writing *writing = ctx;
	const struct perfdata_ext_call reported = {
		.end = call->end,
		.tid = call->tid,
		.count = (uint16_t)call->count,
		.flags = call->partial ? PERFDATA_EXT_CALL_PARTIAL : 0,
	};
	size_t places = call->count * sizeof(*call->places);

	need(writing, sizeof(reported) + places);
	str_addn(writing->out, (const char *)&reported, sizeof(reported));
	str_addn(writing->out, (const char *)call->places, places);
	writing->head.call_bytes += (uint32_t)(sizeof(reported) + places);
}

static struct perfdata_ext own_record(uint16_t kind, uint16_t bytes)
{
	struct perfdata_ext own = { .header = { .type = PERFDATA_EXT_TYPE, .size = bytes },
				    .kind = kind };

	memcpy(own.magic, PERFDATA_EXT_MAGIC, sizeof(own.magic));
	return own;
}

void perfdata_seek_index_write(const struct perfdata_seek_index *seek_index, uint64_t at,
			       uint64_t upto, uint64_t *last, struct str *out)
{
	struct writing writing = {
		.out = out,
		.at = at,
		.first = out->len,
		.head = { .own = own_record(PERFDATA_EXT_INDEX, 0), .before = *last, .upto = upto },
	};

	begin(&writing);
	write_pieces(&writing, &seek_index->index);
	long_calls_each(&seek_index->calls, true, write_call, &writing);
	long_calls_each(&seek_index->calls, false, write_call, &writing);
	finish(&writing);
	*last = writing.head.before;
}

void perfdata_seek_index_write_at(struct str *out, uint64_t last)
{
	const struct perfdata_ext_index_at at = {
		.own = own_record(PERFDATA_EXT_INDEX_AT, sizeof(at)),
		.last = last,
	};

	str_addn(out, (const char *)&at, sizeof(at));
}

/* -- Reading ------------------------------------------------------------------------------- */

static bool is_own(const struct perfdata_ext *own, uint16_t kind)
{
	return own->header.type == PERFDATA_EXT_TYPE && own->kind == kind &&
	       !memcmp(own->magic, PERFDATA_EXT_MAGIC, sizeof(own->magic));
}

bool perfdata_seek_index_read_at(const void *record, size_t len, uint64_t *last)
{
	struct perfdata_ext_index_at at;

	if (len < sizeof(at))
		return false;
	memcpy(&at, record, sizeof(at));
	if (!is_own(&at.own, PERFDATA_EXT_INDEX_AT) || at.own.header.size != sizeof(at))
		return false;
	*last = at.last;
	return true;
}

bool perfdata_seek_index_read_head(const void *record, size_t len, struct perfdata_ext_index *head)
{
	if (len < sizeof(*head))
		return false;
	memcpy(head, record, sizeof(*head));
	return is_own(&head->own, PERFDATA_EXT_INDEX) &&
	       head->own.header.size ==
		       sizeof(*head) + (uint64_t)head->pieces * sizeof(struct perfdata_ext_piece) +
			       head->call_bytes;
}

/* from, upto: range of valid offsets. */
static bool read_piece(struct perfdata_time_index *index, const struct perfdata_ext_piece *piece,
		       uint64_t from, uint64_t upto)
{
	if (piece->at < from || piece->at >= upto || piece->oldest_ns > piece->newest_ns ||
	    piece->newest_ns >= PERFDATA_FILE_TIME_MAX || !piece->records ||
	    (index->count && piece->at <= index->pieces[index->count - 1].at))
		return false;
	perfdata_time_index_append(index, &(struct perfdata_time_index_piece){
						  .at = piece->at,
						  .oldest_ns = piece->oldest_ns,
						  .newest_ns = piece->newest_ns,
						  .records = piece->records,
						  .side = piece->flags & PERFDATA_EXT_PIECE_SIDE,
						  .entry = true,
					  });
	return true;
}

/* True if the places ascend and none is after the end of the call. */
static bool are_sound(const uint64_t *places, size_t count, uint64_t end)
{
	for (size_t i = 1; i < count; i++)
		if (places[i] <= places[i - 1])
			return false;
	return places[count - 1] <= end;
}

/* Return the number of bytes of the encoded call; 0: invalid. */
static size_t read_call(struct perfdata_seek_index *seek_index, const char *bytes, size_t len,
			uint64_t upto, bool open)
{
	uint64_t places[LONG_CALL_PLACES];
	struct long_call call = { .places = places };
	struct perfdata_ext_call reported;
	size_t place_bytes;

	if (len < sizeof(reported))
		return 0;
	memcpy(&reported, bytes, sizeof(reported));
	place_bytes = reported.count * sizeof(*places);
	if (!reported.count || reported.count > LONG_CALL_PLACES ||
	    place_bytes > len - sizeof(reported))
		return 0;
	memcpy(places, bytes + sizeof(reported), place_bytes);
	call.tid = reported.tid;
	call.count = reported.count;
	call.partial = reported.flags & PERFDATA_EXT_CALL_PARTIAL;
	call.end = reported.end;
	if (!are_sound(places, reported.count, reported.end) ||
	    place_at(places[reported.count - 1]) >= upto)
		return 0;
	if (open || reported.end != UINT64_MAX)
		long_calls_add(&seek_index->calls, &call);
	return sizeof(reported) + place_bytes;
}

bool perfdata_seek_index_read(struct perfdata_seek_index *seek_index, const void *record,
			      size_t len, uint64_t from, bool open)
{
	const char *bytes = record;
	size_t at = sizeof(struct perfdata_ext_index);
	struct perfdata_ext_piece piece;
	struct perfdata_ext_index head;

	if (!perfdata_seek_index_read_head(record, len, &head) || head.own.header.size > len)
		return false;
	for (uint32_t i = 0; i < head.pieces; i++, at += sizeof(piece)) {
		memcpy(&piece, bytes + at, sizeof(piece));
		if (!read_piece(&seek_index->index, &piece, from, head.upto))
			return false;
	}
	while (at < head.own.header.size) {
		size_t took = read_call(seek_index, bytes + at, head.own.header.size - at,
					head.upto, open);

		if (!took)
			return false;
		at += took;
	}
	return true;
}
