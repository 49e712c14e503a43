/*
 * tracepoint - where the fields of a tracepoint's raw bytes are.
 *
 * The one home of libtraceevent. Formats come from tracefs or from a
 * recording; no offset or size is assumed. Reading a field is inline and
 * checks the bounds that were learned from the format against the sample once.
 * As text an event is what `perf script` shows behind its name. One thread at a time.
 */
#ifndef SOURCE_TRACEPOINT_H
#define SOURCE_TRACEPOINT_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tracepoint_field {
	uint16_t offset;
	uint16_t bytes; /* of one element; 0: this format has no such field */
	uint16_t count; /* elements; 1 unless it is an array */
	bool is_signed;
};

struct str;
struct tracepoint;

/* Reads events/SYSTEM/NAME/format below tracefs. -errno with a sentence. */
int tracepoint_load(struct tracepoint **tracepoint, const char *tracefs, const char *system,
		    const char *name, struct err *err);
/* The same from the text of a format file. Fields alone: such have no text of their own. */
int tracepoint_parse(struct tracepoint **tracepoint, const char *system, const char *text,
		     size_t bytes, struct err *err);
/*
 * With how they are printed too; foreign: anybody may have written it, so what is malformed is
 * refused, and of what could do harm when it is printed the fields are listed in place of that.
 */
int tracepoint_parse_text(struct tracepoint **tracepoint, const char *system, const char *text,
			  size_t bytes, bool foreign, struct err *err);
void tracepoint_free(struct tracepoint *tracepoint);

uint64_t tracepoint_id(const struct tracepoint *tracepoint); /* perf_event_attr.config */
const char *tracepoint_name(const struct tracepoint *tracepoint);

/*
 * A field, common ones included. -ENOENT with a sentence (*field has 0 bytes) where
 * the format does not have it, -EINVAL where its shape is none we can read.
 */
int tracepoint_field(const struct tracepoint *tracepoint, const char *name,
		     struct tracepoint_field *field, struct err *err);

/*
 * The fields of eight bytes that follow each other from `offset` on: how many, and their names,
 * which belong to the tracepoint.
 */
unsigned tracepoint_words(const struct tracepoint *tracepoint, uint16_t offset, const char **names,
			  unsigned max);
/* Where a field of the kind __data_loc has its place and length; false: there is none. */
bool tracepoint_loc(const struct tracepoint *tracepoint, const char *name, uint16_t *offset);

/* What must follow the raw bytes that have a text: zeros that may be read. */
#define TRACEPOINT_SLACK (192u << 10)

/* Whether all fields are where the format says, those of varying length included. */
bool tracepoint_holds(const struct tracepoint *tracepoint, const void *raw, size_t bytes);
/*
 * Adds the text of an event that tracepoint_holds() and that TRACEPOINT_SLACK zeros follow; raw,
 * as it has strings of other processes in it, and unbounded.
 */
void tracepoint_add_text(const struct tracepoint *tracepoint, const void *raw, size_t bytes,
			 uint32_t cpu, struct str *out);
/* The same field by field, but for those that all events have; raw too. */
typedef void tracepoint_field_fn(void *ctx, const char *name, const char *value);
void tracepoint_each_field(const struct tracepoint *tracepoint, const void *raw, size_t bytes,
			   tracepoint_field_fn *each, void *ctx);

/* The bytes a sample must have so that this field is inside. */
static inline size_t tracepoint_field_end(const struct tracepoint_field *field)
{
	return (size_t)field->offset + (size_t)field->bytes * field->count;
}

/* Element `index`, widened; raw must hold tracepoint_field_end() bytes. */
static inline uint64_t tracepoint_value(const struct tracepoint_field *field, const void *raw,
					size_t index)
{
	const unsigned char *at = (const unsigned char *)raw + field->offset + index * field->bytes;
	uint64_t wide = 0;
	uint32_t word;
	uint16_t half;

	switch (field->bytes) {
	case 8:
		memcpy(&wide, at, 8);
		return wide;
	case 4:
		memcpy(&word, at, 4);
		return field->is_signed ? (uint64_t)(int64_t)(int32_t)word : word;
	case 2:
		memcpy(&half, at, 2);
		return field->is_signed ? (uint64_t)(int64_t)(int16_t)half : half;
	case 1:
		return field->is_signed ? (uint64_t)(int64_t)(int8_t)*at : *at;
	default:
		return 0;
	}
}

#endif
