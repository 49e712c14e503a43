#include "engine/process/reader_main.h"

#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/stack/descriptor.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define PRIORITY (-20) /* the collector holds back records until it has an answer */

struct packet {
	struct reader_reply reply;
	_Alignas(8) unsigned char bytes[READER_BYTES_MAX];
};

struct question {
	struct reader_request request;
	unsigned char payload[READER_PAYLOAD_MAX];
};

void reader_handle(reader_handle_fn *const *handlers, void **states,
		   const struct reader_request *request, const void *payload, int fd,
		   struct reader_reply *reply, unsigned char *bytes)
{
	struct reader_answer answer = { .bytes = bytes };

	*reply = (struct reader_reply){ .number = request->number, .error = -ENOSYS };
	if (request->what < READER_WHAT_COUNT && handlers[request->what])
		reply->error = handlers[request->what](&states[request->what], request, payload,
						       fd, &answer);
	reply->bytes = (uint32_t)answer.len;
	reply->more = answer.more;
}

void reader_serve(int socket_fd, reader_handle_fn *const *handlers)
{
	struct packet *packet = mem_zalloc(1, sizeof(*packet));
	struct question *question = mem_zalloc(1, sizeof(*question));
	void *states[READER_WHAT_COUNT] = { NULL };

	prctl(PR_SET_NAME, "stxtop-reader", 0, 0, 0);
	privilege_raise();
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* where it may */
	for (;;) {
		const struct reader_request *request = &question->request;
		int fd;
		ssize_t got = descriptor_receive(socket_fd, question, sizeof(*question), &fd);

		if (got < (ssize_t)sizeof(*request) ||
		    (size_t)got != sizeof(*request) + request->payload_bytes)
			return;
		reader_handle(handlers, states, request, question->payload, fd, &packet->reply,
			      packet->bytes);
		if (fd >= 0)
			close(fd);
		if (descriptor_send(socket_fd, packet,
				    sizeof(packet->reply) + packet->reply.bytes, -1))
			return;
	}
}
