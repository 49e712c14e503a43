#include "engine/source/perf/syscall_event_fields.h"

#include <stdio.h>

#define NAME_BYTES 64

void syscall_event_fields_learn(struct syscall_event_fields *fields, const struct tracepoint *enter,
				uint16_t offset)
{
	const char *names[SYSCALL_ARGS];

	memset(fields, 0, sizeof(*fields));
	fields->offset = offset;
	fields->args = (uint8_t)tracepoint_words(enter, offset, names, SYSCALL_ARGS);
	for (uint8_t arg = 0; arg < fields->args && fields->texts < SINGLE_TEXTS; arg++) {
		char name[NAME_BYTES];

		snprintf(name, sizeof(name), "__%s_val", names[arg]);
		if (!tracepoint_loc(enter, name, &fields->text[fields->texts].offset))
			continue;
		fields->text[fields->texts++].arg = arg;
	}
}

void syscall_event_fields_args(const struct syscall_event_fields *fields, const unsigned char *raw,
			       size_t bytes, uint64_t args[SYSCALL_ARGS])
{
	size_t count = bytes > fields->offset ? (bytes - fields->offset) / sizeof(*args) : 0;

	if (count > fields->args)
		count = fields->args;
	memset(args, 0, SYSCALL_ARGS * sizeof(*args));
	memcpy(args, raw + fields->offset, count * sizeof(*args));
}

/* Remove a trailing "...", which the kernel appends to truncated text. */
static size_t without_dots(const unsigned char *text, size_t len, bool *cut)
{
	size_t end = len && !text[len - 1] ? len - 1 : len;

	*cut = end >= 3 && !memcmp(text + end - 3, "...", 3);
	return *cut ? end - 3 : len;
}

size_t syscall_event_fields_copies(const struct syscall_event_fields *fields,
				   const unsigned char *raw, size_t bytes,
				   const uint64_t args[SYSCALL_ARGS], uint8_t origin,
				   unsigned char chunks[SINGLE_CHUNK_BYTES])
{
	size_t filled = 0;

	for (uint8_t i = 0; i < fields->texts; i++) {
		struct capture_chunk chunk = { .arg = fields->text[i].arg, .origin = origin };
		size_t at, len;
		uint32_t place;
		bool cut;

		if (bytes < fields->text[i].offset + sizeof(place))
			break;
		memcpy(&place, raw + fields->text[i].offset, sizeof(place));
		at = place & 0xffff;
		len = place >> 16;
		if (!len || at > bytes || len > bytes - at)
			continue;
		len = without_dots(raw + at, len, &cut);
		if (!len || filled + CAPTURE_CHUNK_BYTES(len) > SINGLE_CHUNK_BYTES)
			continue;
		chunk.address = args[chunk.arg];
		chunk.len = (uint32_t)len;
		chunk.flags = cut ? CAPTURE_CUT : 0;
		memcpy(chunks + filled, &chunk, sizeof(chunk));
		memset(chunks + filled + CAPTURE_CHUNK_BYTES(len) - 8, 0, 8);
		memcpy(chunks + filled + sizeof(chunk), raw + at, len);
		filled += CAPTURE_CHUNK_BYTES(len);
	}
	return filled;
}
