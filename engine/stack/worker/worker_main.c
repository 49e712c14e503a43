#include "engine/stack/worker/worker_main.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/helper/descriptor.h"
#include "engine/helper/sandbox.h"
#include "engine/stack/worker/symbol_files.h"
#include "engine/stack/worker/unwind_walk.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/*
 * Time limit per reply. worker_timeout.h allows more, but for all offsets together. So the reply
 * ends after this time, and stxtop requests the remaining offsets again.
 */
#define REPLY_NS (200 * NS_PER_MS)

/* Resolve the first offsets, as many as room and time allow. */
static size_t reply_offsets(struct symbol_files *files, const struct wire_request *request,
			    struct wire_reply *reply, unsigned char *data, size_t max)
{
	struct wire_writer writer = { .at = data, .end = data + max };
	uint64_t end_ns = clock_now_ns() + REPLY_NS;

	while (reply->count < request->count) {
		unsigned char *before = writer.at;
		uint64_t offset = request->offsets[reply->count];

		if (request->kind == WIRE_NAMES)
			symbol_files_name(files, request->file, offset, &writer);
		else
			symbol_files_lines(files, request->file, offset, &writer);
		if (writer.full)
			return (size_t)(before - data);
		reply->count++;
		if (clock_now_ns() > end_ns)
			break;
	}
	return (size_t)(writer.at - data);
}

size_t worker_handle(struct symbol_files *files, const struct wire_request *request, int fd,
		     struct wire_reply *reply, unsigned char *data, size_t max)
{
	struct wire_writer writer = { .at = data, .end = data + max };
	struct wire_file described;

	switch ((enum wire_kind)request->kind) {
	case WIRE_OPEN:
		reply->error = symbol_files_open(files, request->file, request->role, fd,
						 &described);
		if (reply->error)
			return 0;
		memcpy(data, &described, sizeof(described));
		return sizeof(described);
	case WIRE_NAMES:
	case WIRE_LINES:
		return reply_offsets(files, request, reply, data, max);
	case WIRE_RING:
		reply->error = request->count == 1 ? unwind_walk_ring(symbol_files_walk(files), fd,
								      request->offsets[0])
						   : -EINVAL;
		return 0;
	case WIRE_MAP:
		reply->error = request->count == WIRE_MAP_COUNT
				       ? unwind_walk_map(symbol_files_walk(files), request->file,
							 request->offsets)
				       : -EINVAL;
		return 0;
	case WIRE_FORGET:
		for (uint32_t i = 0; i < request->count; i++)
			unwind_walk_forget(symbol_files_walk(files), (uint32_t)request->offsets[i]);
		return 0;
	case WIRE_UNWIND:
		for (; reply->count < request->count && !writer.full; reply->count++) {
			unsigned char *before = writer.at;

			unwind_walk_sample(symbol_files_walk(files), request->offsets[reply->count],
					   &writer);
			if (writer.full)
				return (size_t)(before - data);
		}
		return (size_t)(writer.at - data);
	default:
		reply->error = -EINVAL;
		return 0;
	}
}

struct message {
	struct wire_reply reply;
	unsigned char data[WIRE_BYTES_MAX - sizeof(struct wire_reply)];
};

static bool send_reply(int socket_fd, struct message *message, uint32_t kind, size_t bytes)
{
	message->reply.kind = kind;
	message->reply.bytes = (uint32_t)bytes;
	return descriptor_send(socket_fd, message, sizeof(message->reply) + bytes, -1) == 0;
}

void worker_serve_with(int socket_fd, worker_handle_fn *handle)
{
	struct message *message = mem_zalloc(1, sizeof(*message));
	struct symbol_files *files = symbol_files_new();

	message->reply.error = sandbox_enter();
	if (!send_reply(socket_fd, message, WIRE_HELLO, 0) || message->reply.error)
		return;
	for (;;) {
		struct wire_request request;
		size_t head = offsetof(struct wire_request, offsets), bytes;
		ssize_t got;
		int fd;

		got = descriptor_receive(socket_fd, &request, sizeof(request), &fd);
		if (got < (ssize_t)head || request.count > WIRE_OFFSETS_MAX ||
		    (size_t)got != head + request.count * sizeof(request.offsets[0]))
			return;
		memset(&message->reply, 0, sizeof(message->reply));
		bytes = handle(files, &request, fd, &message->reply, message->data,
			       sizeof(message->data));
		if (!send_reply(socket_fd, message, request.kind, bytes))
			return;
	}
}

void worker_serve(int socket_fd)
{
	worker_serve_with(socket_fd, worker_handle);
}
