#include "engine/recording/perfdata_convert.h"

#include "engine/source/perf/perf_open.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The fields of PERF_COMMON_SAMPLE, as in a converted record. */
struct common {
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, unused;
};

_Static_assert(sizeof(struct common) == PERF_COMMON_BYTES,
	       "struct common has the size of the common sample fields");

struct words {
	const uint64_t *at;
	size_t left;
	bool broken;
};

static uint64_t take(struct words *words)
{
	if (!words->left) {
		words->broken = true;
		return 0;
	}
	words->left--;
	return *words->at++;
}

static const uint64_t *take_many(struct words *words, uint64_t count)
{
	const uint64_t *at = words->at;

	if (count > words->left) {
		words->broken = true;
		return NULL;
	}
	words->at += count;
	words->left -= count;
	return at;
}

struct output {
	unsigned char *at, *end;
	bool full;
};

static void put(struct output *out, const void *bytes, size_t len)
{
	if (len > (size_t)(out->end - out->at)) {
		out->full = true;
		return;
	}
	memcpy(out->at, bytes, len);
	out->at += len;
}

static void put_words(struct output *out, const uint64_t *words, uint64_t count)
{
	if (words)
		put(out, words, count * sizeof(*words));
}

static void take_pair(struct words *words, uint32_t *low, uint32_t *high)
{
	uint64_t word = take(words);

	*low = (uint32_t)word;
	*high = (uint32_t)(word >> 32);
}

static struct words body_of(const struct perf_event_header *header)
{
	return (struct words){ .at = (const uint64_t *)(const void *)(header + 1),
			       .left = (header->size - sizeof(*header)) / sizeof(uint64_t) };
}

/* Return the number of sample_id_all words at the end of a record that is not a sample. */
static size_t trailer_words(uint64_t type)
{
	return (size_t)__builtin_popcountll(type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
						    PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
						    PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER));
}

uint64_t perfdata_convert_id(const struct perf_event_header *header,
			     const struct perf_event_attr *attr)
{
	struct words words = body_of(header);
	uint64_t type = attr->sample_type;
	size_t before = 0;

	if (header->type != PERF_RECORD_SAMPLE) {
		size_t trailer = trailer_words(type), behind = 0;
		if (!attr->sample_id_all || trailer > words.left)
			return 0;
		if (type & PERF_SAMPLE_IDENTIFIER)
			return words.at[words.left - 1];
		if (!(type & PERF_SAMPLE_ID))
			return 0;
		behind = (type & PERF_SAMPLE_CPU ? 1 : 0) + (type & PERF_SAMPLE_STREAM_ID ? 1 : 0);
		return words.at[words.left - 1 - behind];
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		return take(&words);
	if (!(type & PERF_SAMPLE_ID))
		return 0;
	before = (size_t)__builtin_popcountll(
		type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR));
	return before < words.left ? words.at[before] : 0;
}

/* Skip the PERF_SAMPLE_READ part: struct read_format of perf_event_open(2). */
static void skip_read(struct words *words, uint64_t format)
{
	uint64_t times = (format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1 : 0) +
			 (format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 1 : 0);
	uint64_t each = 1 + (format & PERF_FORMAT_ID ? 1 : 0) + (format & PERF_FORMAT_LOST ? 1 : 0);

	if (format & PERF_FORMAT_GROUP) {
		uint64_t count = take(words);
		take_many(words, times);
		if (count > words->left)
			words->broken = true;
		else
			take_many(words, count * each);
		return;
	}
	take_many(words, times + each);
}

static void put_raw(struct output *out, struct words *words, bool wanted)
{
	uint32_t bytes;
	const uint64_t *start = words->at;
	uint64_t count;

	if (!words->left) {
		words->broken = true;
		return;
	}
	/* A 32-bit size, the bytes, and padding; the total is a multiple of 8 bytes. */
	memcpy(&bytes, start, sizeof(bytes));
	count = ((uint64_t)bytes + sizeof(bytes) + 7) / 8;
	if (take_many(words, count) && wanted)
		put_words(out, start, count);
}

static void put_branches(struct words *words, uint64_t flags)
{
	uint64_t count = take(words);

	if (flags & PERF_SAMPLE_BRANCH_HW_INDEX)
		take(words);
	if (count > words->left)
		words->broken = true;
	else
		take_many(words, count * 3);
}

static void put_registers(struct output *out, struct words *words, uint64_t mask, bool wanted)
{
	const uint64_t *start = words->at;
	uint64_t count = 1;

	if (take(words) != PERF_SAMPLE_REGS_ABI_NONE) {
		count += (uint64_t)__builtin_popcountll(mask);
		take_many(words, count - 1);
	}
	if (!words->broken && wanted)
		put_words(out, start, count);
}

static void put_stack(struct output *out, struct words *words, bool wanted)
{
	const uint64_t *start = words->at;
	uint64_t bytes = take(words), count = 1;

	if (bytes % 8 || bytes / 8 > words->left) {
		words->broken = true;
		return;
	}
	if (bytes) {
		count += bytes / 8 + 1; /* the stack bytes, and the size of the filled part */
		take_many(words, count - 1);
	}
	if (!words->broken && wanted)
		put_words(out, start, count);
}

static void relay_sample(struct output *out, struct words *words,
			 const struct perf_event_attr *attr, uint64_t id, uint64_t parts)
{
	uint64_t type = attr->sample_type;
	struct common common = { .id = id };

	if (type & PERF_SAMPLE_IDENTIFIER)
		take(words);
	if (type & PERF_SAMPLE_IP)
		take(words);
	if (type & PERF_SAMPLE_TID)
		take_pair(words, &common.pid, &common.tid);
	if (type & PERF_SAMPLE_TIME)
		common.time_ns = take(words);
	take_many(words, (uint64_t)__builtin_popcountll(type & (PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
								PERF_SAMPLE_STREAM_ID)));
	if (type & PERF_SAMPLE_CPU)
		take_pair(words, &common.cpu, &common.unused);
	if (type & PERF_SAMPLE_PERIOD)
		take(words);
	if (type & PERF_SAMPLE_READ)
		skip_read(words, attr->read_format);
	put(out, &common, sizeof(common));
	if (type & PERF_SAMPLE_CALLCHAIN) {
		const uint64_t *start = words->at;
		uint64_t count = take(words);
		if (take_many(words, count) && (parts & PERF_SAMPLE_CALLCHAIN))
			put_words(out, start, count + 1);
	}
	if (type & PERF_SAMPLE_RAW)
		put_raw(out, words, parts & PERF_SAMPLE_RAW);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(words, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		put_registers(out, words, attr->sample_regs_user, parts & PERF_SAMPLE_REGS_USER);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(out, words, parts & PERF_SAMPLE_STACK_USER);
}

static void relay_side(struct output *out, struct words *words, const struct perf_event_attr *attr,
		       uint64_t id)
{
	uint64_t type = attr->sample_type;
	size_t trailer = attr->sample_id_all ? trailer_words(type) : 0;
	struct common common = { .id = 0 };

	if (trailer > words->left) {
		words->broken = true;
		return;
	}
	put_words(out, words->at, words->left - trailer);
	words->at += words->left - trailer;
	words->left = trailer;
	if (trailer && (type & PERF_SAMPLE_TID))
		take_pair(words, &common.pid, &common.tid);
	if (trailer && (type & PERF_SAMPLE_TIME))
		common.time_ns = take(words);
	take_many(words, trailer ? (uint64_t)__builtin_popcountll(
					   type & (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID))
				 : 0);
	if (trailer && (type & PERF_SAMPLE_CPU))
		take_pair(words, &common.cpu, &common.unused);
	/* In records other than samples, the id is last: pid and tid, time, CPU, id. */
	put(out, &common.pid, 2 * sizeof(common.pid));
	put(out, &common.time_ns, sizeof(common.time_ns));
	put(out, &common.cpu, 2 * sizeof(common.cpu));
	put(out, &id, sizeof(id));
}

const struct perf_event_header *perfdata_convert(struct perf_relaid *relaid,
						 const struct perf_event_header *header,
						 const struct perf_event_attr *attr, uint64_t id,
						 uint64_t parts)
{
	struct perf_event_header *result = (void *)relaid->bytes;
	struct words words = body_of(header);
	/* Leave the last 8 bytes unused: a 16-bit size, a multiple of 8, is at most 65,528. */
	struct output out = { .at = relaid->bytes + sizeof(*result),
			      .end = relaid->bytes + PERFDATA_CONVERT_BYTES - 8 };

	if (header->type == PERF_RECORD_SAMPLE)
		relay_sample(&out, &words, attr, id, parts);
	else
		relay_side(&out, &words, attr, id);
	if (words.broken || out.full)
		return NULL;
	*result = *header;
	result->size = (uint16_t)(out.at - relaid->bytes);
	return result;
}

uint32_t perfdata_convert_cpu(const struct perf_event_header *relaid)
{
	const unsigned char *bytes = (const unsigned char *)relaid;
	uint32_t cpu;

	memcpy(&cpu,
	       relaid->type == PERF_RECORD_SAMPLE ? bytes + sizeof(*relaid) + 24
						  : bytes + relaid->size - 16,
	       sizeof(cpu));
	return cpu;
}
