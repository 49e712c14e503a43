/*
 * tracepoint - locates the fields in the raw bytes of a tracepoint.
 *
 * The only user of libtraceevent. Formats come from tracefs or from a recording; no offset or size
 * is assumed. A field is read inline, after one check of the sample's size against the bounds of
 * the format. The text of an event is what `perf script` shows after its name. One thread at a
 * time.
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
	uint16_t bytes; /* size of one element; 0: the format lacks this field */
	uint16_t count; /* number of elements; 1 unless an array */
	bool is_signed;
};

struct str;
struct tracepoint;

/* Load events/SYSTEM/NAME/format below tracefs. -errno with a message. */
int tracepoint_load(struct tracepoint **tracepoint, const char *tracefs, const char *system,
		    const char *name, struct err *err);
/*
 * Parse the text of a format file without its print format: events are printed field by field.
 * -errno with a message.
 */
int tracepoint_parse(struct tracepoint **tracepoint, const char *system, const char *text,
		     size_t bytes, struct err *err);
/*
 * Parse the fields and the print format. foreign: the text comes from an untrusted file, so
 * malformed text is refused. If the print format could do harm, events are printed field by field.
 */
int tracepoint_parse_text(struct tracepoint **tracepoint, const char *system, const char *text,
			  size_t bytes, bool foreign, struct err *err);
void tracepoint_free(struct tracepoint *tracepoint);

uint64_t tracepoint_id(const struct tracepoint *tracepoint); /* perf_event_attr.config */
const char *tracepoint_name(const struct tracepoint *tracepoint);

/*
 * Find a field, common fields included. -ENOENT if the format lacks it, -EINVAL if its layout is
 * not supported. On failure err has a message and *field has 0 bytes.
 */
int tracepoint_field(const struct tracepoint *tracepoint, const char *name,
		     struct tracepoint_field *field, struct err *err);

/*
 * Get the names of consecutive 8-byte fields, the first at `offset`. Return their number, at most
 * max. The names belong to the tracepoint.
 */
unsigned tracepoint_words(const struct tracepoint *tracepoint, uint16_t offset, const char **names,
			  unsigned max);
/*
 * Get the offset of a __data_loc field, whose word holds place and length. False if there is none.
 */
bool tracepoint_loc(const struct tracepoint *tracepoint, const char *name, uint16_t *offset);

/* Number of zero bytes that must follow the raw bytes for tracepoint_add_text(). */
#define TRACEPOINT_SLACK (192u << 10)

/* True if all fields, those of variable length included, are within `bytes`. */
bool tracepoint_holds(const struct tracepoint *tracepoint, const void *raw, size_t bytes);
/*
 * Append the text of an event, unescaped and unbounded; its strings come from other processes.
 * Requires tracepoint_holds(), and TRACEPOINT_SLACK zeros after the raw bytes.
 */
void tracepoint_add_text(const struct tracepoint *tracepoint, const void *raw, size_t bytes,
			 uint32_t cpu, struct str *out);
/* Call each() for each field except common ones, unescaped. No-op unless tracepoint_holds(). */
typedef void tracepoint_field_fn(void *ctx, const char *name, const char *value);
void tracepoint_each_field(const struct tracepoint *tracepoint, const void *raw, size_t bytes,
			   tracepoint_field_fn *each, void *ctx);

/* Return the size that a sample needs to contain this field. */
static inline size_t tracepoint_field_end(const struct tracepoint_field *field)
{
	return (size_t)field->offset + (size_t)field->bytes * field->count;
}

/* Return element `index`, widened. Requires tracepoint_field_end() bytes at raw. */
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
