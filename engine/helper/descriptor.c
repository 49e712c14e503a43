#include "engine/helper/descriptor.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
};

int descriptor_send_both(int socket_fd, const void *bytes, size_t len,
			 const int fds[DESCRIPTORS_MAX])
{
	struct iovec iov = { .iov_base = (void *)(size_t)bytes, .iov_len = len };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	size_t count = fds[0] < 0 ? 0 : fds[1] < 0 ? 1 : 2;
	union control control;
	ssize_t sent;

	if (count) {
		memset(&control, 0, sizeof(control));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(&control.header), fds, count * sizeof(int));
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
	}
	do {
		sent = sendmsg(socket_fd, &message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

int descriptor_send(int socket_fd, const void *bytes, size_t len, int fd)
{
	return descriptor_send_both(socket_fd, bytes, len, (const int[]){ fd, -1 });
}

static void take_descriptors(const struct msghdr *message, int fds[DESCRIPTORS_MAX])
{
	const struct cmsghdr *header = CMSG_FIRSTHDR(message);
	size_t bytes;

	fds[0] = fds[1] = -1;
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return;
	bytes = header->cmsg_len - CMSG_LEN(0);
	memcpy(fds, CMSG_DATA(header),
	       bytes < DESCRIPTORS_MAX * sizeof(int) ? bytes : DESCRIPTORS_MAX * sizeof(int));
}

static void close_both(const int fds[DESCRIPTORS_MAX])
{
	for (int i = 0; i < DESCRIPTORS_MAX; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static ssize_t receive(int socket_fd, void *bytes, size_t max, int *fds)
{
	struct iovec iov = { .iov_base = bytes, .iov_len = max };
	union control control;
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t got;

	if (fds) {
		fds[0] = fds[1] = -1;
		message.msg_control = &control;
		message.msg_controllen = sizeof(control.bytes);
	}
	do {
		got = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (fds)
		take_descriptors(&message, fds);
	if (message.msg_flags & MSG_TRUNC) {
		if (fds)
			close_both(fds);
		return -EMSGSIZE;
	}
	return got;
}

ssize_t descriptor_receive_both(int socket_fd, void *bytes, size_t max, int fds[DESCRIPTORS_MAX])
{
	return receive(socket_fd, bytes, max, fds);
}

ssize_t descriptor_receive(int socket_fd, void *bytes, size_t max, int *fd)
{
	int fds[DESCRIPTORS_MAX];
	ssize_t got = receive(socket_fd, bytes, max, fd ? fds : NULL);

	if (!fd)
		return got;
	*fd = -1;
	if (got < 0)
		return got;
	*fd = fds[0];
	/* The caller takes only one descriptor. */
	if (fds[1] >= 0)
		close(fds[1]);
	return got;
}
