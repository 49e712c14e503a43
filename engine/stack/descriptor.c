#include "engine/stack/descriptor.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

int descriptor_send(int socket_fd, const void *bytes, size_t len, int fd)
{
	struct iovec iov = { .iov_base = (void *)(size_t)bytes, .iov_len = len };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	union control control;
	ssize_t sent;

	if (fd >= 0) {
		memset(&control, 0, sizeof(control));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control.bytes);
	}
	do {
		sent = sendmsg(socket_fd, &message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

ssize_t descriptor_receive(int socket_fd, void *bytes, size_t max, int *fd)
{
	struct iovec iov = { .iov_base = bytes, .iov_len = max };
	union control control;
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *header;
	ssize_t got;

	if (fd) {
		*fd = -1;
		message.msg_control = &control;
		message.msg_controllen = sizeof(control.bytes);
	}
	do {
		got = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	header = fd ? CMSG_FIRSTHDR(&message) : NULL;
	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(fd, CMSG_DATA(header), sizeof(int));
	if (message.msg_flags & MSG_TRUNC) {
		if (fd && *fd >= 0)
			close(*fd);
		return -EMSGSIZE;
	}
	return got;
}
