#include "engine/source/perf/deferred_close.h"

#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FDS_AT_ONCE 250 /* per message; below SCM_MAX_FD, 253 */

union fd_message {
	char bytes[CMSG_SPACE(FDS_AT_ONCE * sizeof(int))];
	struct cmsghdr aligned;
};

/* If the message cannot be sent, the caller's close(2) releases the objects, which blocks. */
static void send_fds(int to, const int *fds, size_t count)
{
	char byte = 0;
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	union fd_message control = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = CMSG_SPACE(count * sizeof(*fds)) };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(count * sizeof(*fds));
	memcpy(CMSG_DATA(header), fds, count * sizeof(*fds));
	sendmsg(to, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void deferred_close(const int *fds, size_t count)
{
	int ends[2]; /* a message sent to one end is queued in the other */
	bool sent = count && !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);

	for (size_t i = 0; sent && i < count; i += FDS_AT_ONCE)
		send_fds(ends[0], fds + i, count - i < FDS_AT_ONCE ? count - i : FDS_AT_ONCE);
	if (sent)
		send_fds(ends[0], &ends[1], 1);
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
	if (sent) {
		close(ends[0]);
		close(ends[1]);
	}
}
