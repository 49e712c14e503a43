#include "engine/late/late_probe.h"

#include "engine/base/mem.h"
#include "engine/late/file_constants.h"
#include "engine/late/futex_owner.h"
#include "engine/process/build_id.h"
#include "engine/process/process_memory.h"
#include "engine/stack/file_probe.h"
#include "engine/stack/mapped_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY_TEXT = 1 << 0 };

/* Precedes the bytes in a reply. */
struct memory_head {
	struct image_file file;
	_Alignas(8) bool image;
};

struct reader *late_probe_new_here(void)
{
	static reader_handle_fn *const handlers[READER_WHAT_COUNT] = {
		[READER_LATE] = late_probe_handle_memory,
		[READER_CONSTANT] = late_probe_handle_constant,
		[READER_MAP_LOOKUP] = late_probe_handle_map_lookup,
		[READER_BUILD_ID] = late_probe_handle_build_id,
		[READER_MEMORY] = memory_handle,
		[READER_FUTEX_OWNER] = futex_owner_handle,
	};

	return reader_new_here(handlers);
}

size_t late_probe_answering(const void *bytes, bool text, size_t want, size_t len)
{
	const unsigned char *end = text && len ? memchr(bytes, '\0', len) : NULL;

	if (end)
		return (size_t)(end - (const unsigned char *)bytes) + 1;
	return len == want ? len : 0;
}

/* -- Memory ----------------------------------------------------------------------------------- */

int late_probe_handle_memory(void **state, const struct reader_request *request,
			     const void *payload, const int *fds, struct reader_result *answer)
{
	struct memory_head *head = reader_result_take(answer, sizeof(*head));
	struct image_bytes *image = *state;
	uint64_t since_ns;
	long len;

	(void)fds;
	if (request->payload_bytes != sizeof(since_ns) || request->length > LATE_PROBE_BYTES_MAX)
		return -EINVAL;
	if (!image)
		*state = image = image_bytes_new();
	memcpy(&since_ns, payload, sizeof(since_ns));
	memset(head, 0, sizeof(*head));
	len = memory_read(request->pid, request->address, head + 1, (size_t)request->length);
	if (len < 0)
		return (int)len;
	len = (long)late_probe_answering(head + 1, request->flags & MEMORY_TEXT,
					 (size_t)request->length, (size_t)len);
	head->image = len && since_ns &&
		      image_bytes_has(image, request->pid, request->address, head + 1, (size_t)len,
				      since_ns, &head->file);
	answer->len += (size_t)len;
	return 0;
}

long late_probe_memory(struct reader *reader, uint32_t pid, uint64_t address, void *to, size_t len,
		       bool text, uint64_t since_ns, bool *image, struct image_file *file)
{
	const struct reader_request request = {
		.what = READER_LATE,
		.flags = text ? MEMORY_TEXT : 0,
		.pid = pid,
		.address = address,
		.length = len,
		.payload_bytes = sizeof(since_ns),
	};
	struct reader_result answer;
	struct memory_head head = { .image = false };
	long got = 0;
	int code;

	reader_lock(reader);
	code = reader_ask(reader, &request, &since_ns, NULL, &answer);
	if (!code && answer.len >= sizeof(head) && answer.len - sizeof(head) <= len) {
		memcpy(&head, answer.bytes, sizeof(head));
		got = (long)(answer.len - sizeof(head));
		memcpy(to, answer.bytes + sizeof(head), (size_t)got);
	}
	reader_unlock(reader);
	*image = head.image;
	*file = head.file;
	return code ? code : got;
}

/* -- Constants -------------------------------------------------------------------------------- */

int late_probe_handle_constant(void **state, const struct reader_request *request,
			       const void *payload, const int *fds, struct reader_result *answer)
{
	struct file_constants *constants = *state;
	struct reader_request rest = *request;
	struct mapping mapping;
	uint64_t since_ns;

	(void)fds;
	if (request->payload_bytes <= sizeof(since_ns) || request->length > LATE_PROBE_BYTES_MAX)
		return -EINVAL;
	memcpy(&since_ns, payload, sizeof(since_ns));
	rest.payload_bytes -= (uint32_t)sizeof(since_ns);
	if (!file_probe_take_mapping(&rest, (const unsigned char *)payload + sizeof(since_ns),
				     &mapping))
		return -EINVAL;
	if (!constants)
		*state = constants = file_constants_new();
	answer->len = file_constants_read(constants, &mapping, request->address, answer->bytes,
					  (size_t)request->length, since_ns);
	return 0;
}

size_t late_probe_constant(struct reader *reader, const struct mapping *mapping, uint64_t address,
			   void *to, size_t len, uint64_t since_ns)
{
	struct reader_request request = { .what = READER_CONSTANT,
					  .address = address,
					  .length = len };
	unsigned char *rest = file_probe_put_mapping(mapping, &request), *payload;
	struct reader_result answer;
	size_t got = 0;

	payload = mem_alloc(sizeof(since_ns) + request.payload_bytes);
	memcpy(payload, &since_ns, sizeof(since_ns));
	memcpy(payload + sizeof(since_ns), rest, request.payload_bytes);
	request.payload_bytes += (uint32_t)sizeof(since_ns);
	reader_lock(reader);
	if (!reader_ask(reader, &request, payload, NULL, &answer) && answer.len <= len) {
		got = answer.len;
		memcpy(to, answer.bytes, got);
	}
	reader_unlock(reader);
	free(payload);
	free(rest);
	return got;
}

/* -- Mappings and files ----------------------------------------------------------------------- */

int late_probe_handle_map_lookup(void **state, const struct reader_request *request,
				 const void *payload, const int *fds, struct reader_result *answer)
{
	struct map_lookup *mapped = reader_result_take(answer, sizeof(*mapped));

	(void)state;
	(void)payload;
	(void)fds;
	memset(mapped, 0, sizeof(*mapped));
	return map_lookup_find(request->pid, request->address, mapped) ? 0 : -ENOENT;
}

bool late_probe_map_lookup(struct reader *reader, uint32_t pid, uint64_t address,
			   struct map_lookup *mapped)
{
	const struct reader_request request = { .what = READER_MAP_LOOKUP,
						.pid = pid,
						.address = address };
	struct reader_result answer;
	bool found;

	reader_lock(reader);
	found = !reader_ask(reader, &request, NULL, NULL, &answer) && answer.len == sizeof(*mapped);
	if (found)
		memcpy(mapped, answer.bytes, sizeof(*mapped));
	reader_unlock(reader);
	mapped->path[sizeof(mapped->path) - 1] = '\0';
	return found;
}

int late_probe_handle_build_id(void **state, const struct reader_request *request,
			       const void *payload, const int *fds, struct reader_result *answer)
{
	struct mapping mapping;
	const char *note;
	int fd;

	(void)state;
	(void)fds;
	if (!file_probe_take_mapping(request, payload, &mapping))
		return -EINVAL;
	fd = mapped_file_open(request->pid, &mapping, &note);
	if (fd < 0)
		return fd;
	answer->len = build_id_read(fd, answer->bytes);
	close(fd);
	return 0;
}

uint32_t late_probe_build_id(struct reader *reader, uint32_t pid, const struct mapping *mapping,
			     uint8_t *id, size_t max)
{
	struct reader_request request = { .what = READER_BUILD_ID, .pid = pid };
	void *payload = file_probe_put_mapping(mapping, &request);
	struct reader_result answer;
	uint32_t bytes = 0;

	reader_lock(reader);
	if (!reader_ask(reader, &request, payload, NULL, &answer) && answer.len <= max) {
		bytes = (uint32_t)answer.len;
		memcpy(id, answer.bytes, bytes);
	}
	reader_unlock(reader);
	free(payload);
	return bytes;
}
