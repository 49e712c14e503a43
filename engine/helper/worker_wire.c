#include "engine/helper/worker_wire.h"

#include <string.h>

void wire_write_bytes(struct wire_writer *writer, const void *bytes, size_t len)
{
	if (writer->full || (size_t)(writer->end - writer->at) < len) {
		writer->full = true;
		return;
	}
	memcpy(writer->at, bytes, len);
	writer->at += len;
}

void wire_write_count(struct wire_writer *writer, uint32_t count)
{
	wire_write_bytes(writer, &count, sizeof(count));
}

void wire_write_frame(struct wire_writer *writer, const char *name, const char *path,
		      uint64_t offset, uint32_t line, bool inlined)
{
	struct wire_frame frame;

	memset(&frame, 0, sizeof(frame)); /* clears the padding too: it must not leak memory */
	frame.offset = offset;
	frame.line = line;
	frame.name_bytes = (uint16_t)strnlen(name, WIRE_NAME_MAX);
	frame.path_bytes = path ? (uint16_t)strnlen(path, WIRE_PATH_MAX) : 0;
	frame.inlined = inlined;
	wire_write_bytes(writer, &frame, sizeof(frame));
	wire_write_bytes(writer, name, frame.name_bytes);
	wire_write_bytes(writer, path ? path : "", frame.path_bytes);
}

static bool take(struct wire_reader *reader, void *to, size_t len)
{
	if ((size_t)(reader->end - reader->at) < len)
		return false;
	memcpy(to, reader->at, len);
	reader->at += len;
	return true;
}

bool wire_read_count(struct wire_reader *reader, uint32_t *count)
{
	return take(reader, count, sizeof(*count)) && *count <= WIRE_FRAMES_MAX;
}

bool wire_read_frame(struct wire_reader *reader, struct wire_frame *frame, const char **name,
		     const char **path)
{
	if (!take(reader, frame, sizeof(*frame)) || frame->name_bytes > WIRE_NAME_MAX ||
	    frame->path_bytes > WIRE_PATH_MAX ||
	    (size_t)(reader->end - reader->at) < (size_t)frame->name_bytes + frame->path_bytes)
		return false;
	*name = (const char *)reader->at;
	*path = *name + frame->name_bytes;
	reader->at += frame->name_bytes + frame->path_bytes;
	return true;
}

bool wire_read_unwound(struct wire_reader *reader, struct wire_unwound *unwound,
		       const uint64_t **ips, const struct wire_read **reads)
{
	size_t bytes;

	if (!take(reader, unwound, sizeof(*unwound)) ||
	    unwound->state >= WIRE_UNWOUND_STATE_COUNT ||
	    unwound->frames > WIRE_UNWIND_FRAMES_MAX || unwound->reads > WIRE_READS_MAX)
		return false;
	bytes = unwound->frames * sizeof(**ips) + unwound->reads * sizeof(**reads);
	if ((size_t)(reader->end - reader->at) < bytes)
		return false;
	*ips = (const void *)reader->at;
	*reads = (const void *)(reader->at + unwound->frames * sizeof(**ips));
	reader->at += bytes;
	return true;
}

bool wire_read_file(struct wire_reader *reader, struct wire_file *file)
{
	if (!take(reader, file, sizeof(*file)) || file->build_id_bytes > WIRE_ID_MAX ||
	    file->alt_id_bytes > WIRE_ID_MAX)
		return false;
	return memchr(file->debuglink, '\0', sizeof(file->debuglink)) != NULL;
}
