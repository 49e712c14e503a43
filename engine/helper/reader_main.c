#include "engine/helper/reader_main.h"

#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/helper/descriptor.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define PRIORITY (-20) /* the collector holds back records until it gets a reply */

struct packet {
	struct reader_reply reply;
	_Alignas(8) unsigned char bytes[READER_BYTES_MAX];
};

struct message {
	struct reader_request request;
	unsigned char payload[READER_PAYLOAD_MAX];
};

void reader_handle(reader_handle_fn *const *handlers, void **states,
		   const struct reader_request *request, const void *payload, const int *fds,
		   struct reader_reply *reply, struct reader_result *result)
{
	result->len = 0;
	result->more = false;
	result->fd = -1;
	*reply = (struct reader_reply){ .number = request->number, .error = -ENOSYS };
	if (request->what < READER_WHAT_COUNT && handlers[request->what])
		reply->error = handlers[request->what](&states[request->what], request, payload,
						       fds, result);
	reply->bytes = (uint32_t)result->len;
	reply->more = result->more;
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

void reader_serve(int socket_fd, reader_handle_fn *const *handlers, bool raised)
{
	struct packet *packet = mem_zalloc(1, sizeof(*packet));
	struct message *message = mem_zalloc(1, sizeof(*message));
	void *states[READER_WHAT_COUNT] = { NULL };

	prctl(PR_SET_NAME, "stxtop-reader", 0, 0, 0);
	if (raised)
		privilege_raise();
	/* Set it again: the kernel clears it when credentials change. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* if permitted */
	for (;;) {
		const struct reader_request *request = &message->request;
		struct reader_result result = { .bytes = packet->bytes };
		int fds[DESCRIPTORS_MAX], code;
		ssize_t got = descriptor_receive_both(socket_fd, message, sizeof(*message), fds);

		if (got < (ssize_t)sizeof(*request) ||
		    (size_t)got != sizeof(*request) + request->payload_bytes)
			return;
		reader_handle(handlers, states, request, message->payload, fds, &packet->reply,
			      &result);
		code = descriptor_send(socket_fd, packet,
				       sizeof(packet->reply) + packet->reply.bytes, result.fd);
		if (code)
			return;
		/* Close them last: close() can block too, but now the reply is already sent. */
		close_file(result.fd);
		close_file(fds[0]);
		close_file(fds[1]);
	}
}
