#include "tests/fuzz/recording_damage.h"

#include "engine/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Offsets and sizes in the file header, see perf.data-file-format.txt. */
#define HEADER_BYTES 104
#define PIPE_HEADER_BYTES 16
#define ATTRS_AT 24
#define ATTRS_BYTES 32
#define DATA_AT 40
#define DATA_BYTES 48
#define FEATURES_AT 72
#define FEATURES 256
#define OWN_FEATURE_FIRST 240
#define OWN_HEAD_BYTES 8 /* size of an extension section's header, before the compressed bytes */
#define SECTION_BYTES 16 /* size of an entry in the section table */

#define RECORD_COMPRESSED 81
#define RECORD_MAX 65528
#define UNPACKED_MAX ((size_t)4 << 20)
#define CHANGES_MAX 4
#define NONE SIZE_MAX

struct damage {
	uint8_t *data;
	size_t size, max;
	unsigned int seed;
	bool pipe;
	size_t begin, end; /* range of the records */
};

static unsigned int next_random(struct damage *d)
{
	return (unsigned int)rand_r(&d->seed);
}

static unsigned int one_of(struct damage *d, size_t count)
{
	return next_random(d) % (unsigned int)count;
}

static uint64_t get64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void put64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

static uint32_t type_of(const uint8_t *record)
{
	uint32_t type;

	memcpy(&type, record, sizeof(type));
	return type;
}

static size_t size_of(const uint8_t *record)
{
	uint16_t size;

	memcpy(&size, record + 6, sizeof(size));
	return size;
}

static void set_size(uint8_t *record, size_t bytes)
{
	uint16_t size = (uint16_t)bytes;

	memcpy(record + 6, &size, sizeof(size));
}

/* Find the range of the records; false if there is none. */
static bool look(struct damage *d)
{
	uint64_t at, bytes;

	if (d->size < HEADER_BYTES)
		return false;
	d->pipe = get64(d->data + 8) == PIPE_HEADER_BYTES;
	at = d->pipe ? PIPE_HEADER_BYTES : get64(d->data + DATA_AT);
	if (at >= d->size)
		return false;
	bytes = d->pipe ? d->size - at : get64(d->data + DATA_BYTES);
	d->begin = (size_t)at;
	d->end = bytes < d->size - at ? (size_t)(at + bytes) : d->size;
	return true;
}

/* Return the offset of a random record in the range, or NONE. */
static size_t some_record(struct damage *d, const uint8_t *data, size_t begin, size_t end)
{
	unsigned int steps = next_random(d) % 300;
	size_t at = begin, found = NONE;

	while (at + 8 <= end) {
		size_t bytes = size_of(data + at);

		if (bytes < 8 || bytes > end - at)
			break;
		found = at;
		if (!steps--)
			break;
		at += bytes;
	}
	return found;
}

/* -- Numbers ------------------------------------------------------------------------------- */

static uint64_t some_number(struct damage *d, uint64_t now)
{
	static const uint64_t numbers[] = {
		0,
		1,
		7,
		8,
		0xff,
		0xffff,
		0x7fffffff,
		0xffffffff,
		1ULL << 32,
		1ULL << 47,
		1ULL << 62,
		1ULL << 63,
		UINT64_MAX,
		UINT64_MAX - 7,
		UINT64_MAX - 127,
		UINT64_MAX - 511,
	};
	unsigned int choice = one_of(d, 24);

	if (choice < sizeof(numbers) / sizeof(numbers[0]))
		return numbers[choice];
	if (choice == 23)
		return (uint64_t)next_random(d) << 31 ^ next_random(d);
	return now + (uint64_t)next_random(d) % 64 - 32;
}

/* Replace an aligned number of 2, 4 or 8 bytes. */
static void change_number(struct damage *d, uint8_t *at, size_t bytes)
{
	size_t width = (size_t)1 << (1 + one_of(d, 6) % 4 % 3), where;
	uint64_t value = 0;

	if (bytes < width)
		return;
	where = one_of(d, bytes / width) * width;
	memcpy(&value, at + where, width);
	value = some_number(d, value);
	memcpy(at + where, &value, width);
}

static void change_head(struct damage *d, uint8_t *record)
{
	uint32_t type = one_of(d, 3) ? one_of(d, 22) : 64 + one_of(d, 20);
	uint16_t misc = (uint16_t)next_random(d);

	switch (one_of(d, 3)) {
	case 0:
		memcpy(record, &type, sizeof(type));
		break;
	case 1:
		memcpy(record + 4, &misc, sizeof(misc));
		break;
	default:
		set_size(record, misc & ~7u);
		break;
	}
}

/* -- Sizes and number of records ------------------------------------------------------------- */

/* Adjust the header: the sections after the records have moved by `by` bytes. */
static void emit_header(struct damage *d, int64_t by)
{
	size_t table = d->end;

	if (d->pipe)
		return;
	put64(d->data + DATA_BYTES, d->end - d->begin);
	for (unsigned int bit = 0; bit < FEATURES; bit++) {
		if (!(d->data[FEATURES_AT + bit / 8] >> bit % 8 & 1))
			continue;
		if (table + SECTION_BYTES > d->size)
			return;
		put64(d->data + table, get64(d->data + table) + (uint64_t)by);
		table += SECTION_BYTES;
	}
}

static bool put_in(struct damage *d, size_t at, const uint8_t *bytes, size_t count)
{
	if (count > d->max - d->size)
		return false;
	memmove(d->data + at + count, d->data + at, d->size - at);
	memcpy(d->data + at, bytes, count);
	d->size += count;
	d->end += count;
	emit_header(d, (int64_t)count);
	return true;
}

static void leave_out(struct damage *d, size_t at, size_t count)
{
	memmove(d->data + at, d->data + at + count, d->size - at - count);
	d->size -= count;
	d->end -= count;
	emit_header(d, -(int64_t)count);
}

static void grow(struct damage *d, size_t at)
{
	size_t bytes = size_of(d->data + at), count = 8 * (1 + one_of(d, 12)), where;
	uint8_t more[96];

	if (bytes + count > RECORD_MAX)
		return;
	where = 8 + one_of(d, bytes / 8) * 8;
	for (size_t i = 0; i < count; i++)
		more[i] = one_of(d, 2) ? (uint8_t)next_random(d) : d->data[at + i % bytes];
	/* The number before the new bytes can count elements or bytes: often adjust it. */
	if (put_in(d, at + where, more, count)) {
		set_size(d->data + at, bytes + count);
		if (one_of(d, 2) && where >= 16)
			put64(d->data + at + where - 8,
			      get64(d->data + at + where - 8) + (one_of(d, 2) ? count / 8 : count));
	}
}

static void shorten(struct damage *d, size_t at)
{
	size_t bytes = size_of(d->data + at), count = 8 * (1 + one_of(d, 12)), where;

	if (bytes < count + 16 || bytes % 8)
		return;
	where = 8 + one_of(d, (bytes - count - 8) / 8) * 8;
	set_size(d->data + at, bytes - count);
	leave_out(d, at + where, count);
}

static void copy_record(struct damage *d, size_t at)
{
	size_t bytes = size_of(d->data + at), to = some_record(d, d->data, d->begin, d->end);
	uint8_t *copy = mem_alloc(bytes);

	memcpy(copy, d->data + at, bytes);
	put_in(d, to != NONE ? to : d->begin, copy, bytes);
	free(copy);
}

static void change_record(struct damage *d, size_t at)
{
	size_t bytes = size_of(d->data + at);

	switch (one_of(d, 12)) {
	case 0:
		change_head(d, d->data + at);
		break;
	case 1:
		grow(d, at);
		break;
	case 2:
		shorten(d, at);
		break;
	case 3:
		copy_record(d, at);
		break;
	case 4:
		leave_out(d, at, bytes);
		break;
	case 5: /* libFuzzer's own mutation, useful in texts */
		LLVMFuzzerMutate(d->data + at + 8, bytes - 8, bytes - 8);
		break;
	default:
		change_number(d, d->data + at + 8, bytes - 8);
		break;
	}
}

static void change_some_records(struct damage *d)
{
	for (unsigned int i = 1 + one_of(d, CHANGES_MAX); i; i--) {
		size_t at = some_record(d, d->data, d->begin, d->end);

		if (at != NONE)
			change_record(d, at);
	}
}

/* -- Compressed data ------------------------------------------------------------------------ */

/* Remove the compressed records and return their content. *first: their offset; 0: none. */
static uint8_t *take_packed(struct damage *d, size_t *len, size_t *first)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	uint8_t *all = mem_alloc(UNPACKED_MAX);
	ZSTD_outBuffer out = { .dst = all, .size = UNPACKED_MAX };
	size_t at = d->begin;

	ZSTD_initDStream(stream);
	*first = 0;
	while (at + 8 <= d->end) {
		ZSTD_inBuffer in = { .src = d->data + at + 8 };
		size_t bytes = size_of(d->data + at);

		if (bytes < 8 || bytes > d->end - at)
			break;
		if (type_of(d->data + at) != RECORD_COMPRESSED) {
			at += bytes;
			continue;
		}
		*first = *first ? *first : at;
		in.size = bytes - 8;
		while (in.pos < in.size && out.pos < out.size)
			if (ZSTD_isError(ZSTD_decompressStream(stream, &out, &in)))
				break;
		leave_out(d, at, bytes);
	}
	ZSTD_freeDStream(stream);
	*len = out.pos;
	return all;
}

static void put_packed(struct damage *d, size_t at, const uint8_t *bytes, size_t len)
{
	size_t room = ZSTD_compressBound(len), packed_len, done = 0;
	uint8_t *packed = mem_alloc(room), *record = mem_zalloc(1, RECORD_MAX + 8);
	uint32_t type = RECORD_COMPRESSED;

	packed_len = ZSTD_compress(packed, room, bytes, len, 1);
	while (done < packed_len) {
		size_t piece = packed_len - done < 4096 ? packed_len - done : 4096;

		memcpy(record, &type, sizeof(type));
		set_size(record, piece + 8);
		memcpy(record + 8, packed + done, piece);
		if (!put_in(d, at, record, piece + 8))
			break;
		at += piece + 8;
		done += piece;
	}
	free(record);
	free(packed);
}

/* Change some of the compressed records. */
static void change_packed(struct damage *d)
{
	struct damage inner = { .seed = next_random(d), .pipe = true };
	size_t len, first;
	uint8_t *all = take_packed(d, &len, &first);

	inner.data = all;
	inner.size = inner.end = len;
	inner.max = UNPACKED_MAX;
	if (len >= 8)
		change_some_records(&inner);
	if (first)
		put_packed(d, first, all, inner.size);
	free(all);
}

/* Return the offset of a random extension section's table entry; 0: none. */
static size_t own_section(struct damage *d)
{
	size_t table = d->end, found = 0;
	unsigned int seen = 0;

	for (unsigned int bit = 0; bit < FEATURES; bit++) {
		if (!(d->data[FEATURES_AT + bit / 8] >> bit % 8 & 1))
			continue;
		if (table + SECTION_BYTES > d->size)
			break;
		if (bit >= OWN_FEATURE_FIRST && !one_of(d, ++seen))
			found = table;
		table += SECTION_BYTES;
	}
	return found;
}

/* Change the content of an extension section and append it, compressed, to the file. */
static void change_section(struct damage *d)
{
	size_t entry = d->pipe ? 0 : own_section(d), room, len, at, bytes;
	uint8_t *all, *packed;

	if (!entry)
		return;
	at = (size_t)get64(d->data + entry);
	bytes = (size_t)get64(d->data + entry + 8);
	if (at > d->size || bytes > d->size - at || bytes < OWN_HEAD_BYTES)
		return;
	all = mem_alloc(UNPACKED_MAX);
	len = ZSTD_decompress(all, UNPACKED_MAX, d->data + at + OWN_HEAD_BYTES,
			      bytes - OWN_HEAD_BYTES);
	if (!ZSTD_isError(len) && len) {
		for (unsigned int i = 1 + one_of(d, CHANGES_MAX); i; i--)
			change_number(d, all, len);
		if (!one_of(d, 3))
			len = LLVMFuzzerMutate(all, len,
					       len + 256 < UNPACKED_MAX ? len + 256 : len);
		room = ZSTD_compressBound(len) + OWN_HEAD_BYTES;
		packed = mem_alloc(room);
		memcpy(packed, d->data + at, OWN_HEAD_BYTES);
		bytes = ZSTD_compress(packed + OWN_HEAD_BYTES, room - OWN_HEAD_BYTES, all, len, 1) +
			OWN_HEAD_BYTES;
		/* Overwrite the old section only if it is the last one. */
		if (at + get64(d->data + entry + 8) == d->size)
			d->size = at;
		if (bytes <= d->max - d->size) {
			memcpy(d->data + d->size, packed, bytes);
			put64(d->data + entry, d->size);
			put64(d->data + entry + 8, bytes);
			d->size += bytes;
		}
		free(packed);
	}
	free(all);
}

/* -- Header and tables ------------------------------------------------------------------------ */

static void change_frame(struct damage *d)
{
	uint64_t attrs = get64(d->data + ATTRS_AT), bytes = get64(d->data + ATTRS_BYTES);
	size_t table = d->end, table_bytes = d->size - table < 512 ? d->size - table : 512;

	switch (d->pipe ? 3 : one_of(d, 4)) {
	case 0:
		if (attrs < d->size && bytes <= d->size - attrs && bytes) {
			change_number(d, d->data + attrs, (size_t)bytes);
			break;
		}
		/* fall through */
	case 1: /* ids, between the header and the records */
		if (d->begin > HEADER_BYTES)
			change_number(d, d->data + HEADER_BYTES, d->begin - HEADER_BYTES);
		break;
	case 2:
		if (table_bytes >= 8)
			change_number(d, d->data + table, table_bytes);
		break;
	default:
		change_number(d, d->data, d->pipe ? PIPE_HEADER_BYTES : HEADER_BYTES);
		break;
	}
}

size_t recording_damage(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct damage d = { .data = data, .size = size, .max = max, .seed = seed };
	unsigned int choice = next_random(&d) % 16;

	if (!look(&d) || choice == 0)
		return LLVMFuzzerMutate(data, size, max);
	if (choice == 1)
		change_frame(&d);
	else if (choice < 4)
		change_section(&d);
	else if (choice < 8)
		change_packed(&d);
	else
		change_some_records(&d);
	return d.size;
}

size_t recording_damage_mix(const uint8_t *one, size_t one_size, const uint8_t *two,
			    size_t two_size, uint8_t *out, size_t max, unsigned int seed)
{
	struct damage d = { .data = out, .size = one_size, .max = max, .seed = seed };
	struct damage other = { .data = mem_alloc(two_size + 1), .size = two_size };

	if (one_size > max) {
		free(other.data);
		return 0;
	}
	memcpy(out, one, one_size);
	memcpy(other.data, two, two_size);
	if (look(&d) && look(&other)) {
		for (unsigned int i = 1 + one_of(&d, 2 * CHANGES_MAX); i; i--) {
			size_t from = some_record(&d, other.data, other.begin, other.end);
			size_t to = some_record(&d, out, d.begin, d.end);

			if (from != NONE)
				put_in(&d, to != NONE ? to : d.begin, other.data + from,
				       size_of(other.data + from));
		}
	}
	free(other.data);
	return d.size;
}
