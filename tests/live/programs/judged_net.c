/*
 * judged_net - a server and a client on the loopback for each kind of socket, and each way to wait
 * for them. The order of calls is fixed.
 */
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char request[] = "GET /index.html HTTP/1.0\r\nHost: localhost\r\n\r\n";

static struct sockaddr *any(void *address)
{
	return address;
}

static void client(const struct sockaddr_in *to)
{
	struct iovec parts[] = { { (char *)request, 16 },
				 { (char *)request + 16, 10 },
				 { (char *)request + 26, sizeof(request) - 27 } };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP), one = 1;
	struct sockaddr_in from;
	socklen_t len = sizeof(from);
	char reply[256];

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	connect(fd, (const struct sockaddr *)to, sizeof(*to));
	getsockname(fd, any(&from), &len);
	writev(fd, parts, 3);
	recv(fd, reply, sizeof(reply), MSG_WAITALL);
	shutdown(fd, SHUT_WR);
	close(fd);
}

static void tcp(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1, accepted;
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP, .data.fd = fd };
	struct epoll_event events[8];
	socklen_t len = sizeof(address);
	char line[128], page[256];

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	bind(fd, any(&address), sizeof(address));
	listen(fd, SOMAXCONN);
	getsockname(fd, any(&address), &len);
	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
	if (!fork()) {
		client(&address);
		_exit(0);
	}
	epoll_wait(epoll, events, 8, -1);
	len = sizeof(address);
	accepted = accept4(fd, any(&address), &len, SOCK_CLOEXEC);
	recv(accepted, line, sizeof(request) - 1, MSG_WAITALL);
	memset(page, 'x', sizeof(page));
	send(accepted, page, sizeof(page), MSG_NOSIGNAL);
	read(accepted, line, sizeof(line));
	event.data.u64 = 0x123456789;
	epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
	epoll_pwait(epoll, events, 8, 0, NULL);
	wait(NULL);
	close(accepted);
	close(epoll);
	close(fd);
}

static void udp(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) },
			   from;
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int server = socket(AF_INET, SOCK_DGRAM, 0), peer = socket(AF_INET, SOCK_DGRAM, 0);
	int on = 1, other = socket(AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, IPPROTO_UDP);
	struct pollfd waits[2] = { { server, POLLIN, 0 }, { peer, POLLIN | POLLPRI, 0 } };
	struct timespec second = { 1, 0 };
	struct timeval tick = { 0, 0 };
	socklen_t len = sizeof(address);
	char control[256], text[64];
	struct iovec into[2] = { { text, 4 }, { text + 8, 40 } };
	struct msghdr message = { .msg_name = &from,
				  .msg_namelen = sizeof(from),
				  .msg_iov = into,
				  .msg_iovlen = 2,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct mmsghdr two[2] = { { .msg_hdr = { .msg_iov = into, .msg_iovlen = 1 } },
				  { .msg_hdr = { .msg_iov = into + 1, .msg_iovlen = 1 } } };
	fd_set ready;

	bind(server, any(&address), sizeof(address));
	getsockname(server, any(&address), &len);
	setsockopt(server, IPPROTO_IP, IP_PKTINFO, &on, sizeof(on));
	poll(waits, 2, 0);
	sendto(peer, "first\0\377", 7, 0, any(&address), sizeof(address));
	sendto(peer, request, sizeof(request), MSG_DONTWAIT, any(&address), sizeof(address));
	poll(waits, 2, -1);
	recvmsg(server, &message, 0);
	FD_ZERO(&ready);
	FD_SET(server, &ready);
	FD_SET(peer, &ready);
	select(other + 1, &ready, NULL, NULL, &tick);
	len = sizeof(from);
	recvfrom(server, text, sizeof(text), MSG_TRUNC, any(&from), &len);
	ppoll(waits, 2, &(struct timespec){ 0, 0 }, NULL);
	connect(peer, any(&address), sizeof(address));
	sendmmsg(peer, two, 2, 0);
	recvmmsg(server, two, 2, MSG_WAITFORONE, &second);
	bind(other, any(&six), sizeof(six));
	len = sizeof(six);
	getsockname(other, any(&six), &len);
	sendto(other, "six", 3, 0, any(&six), sizeof(six));
	len = sizeof(six);
	recvfrom(other, text, sizeof(text), 0, any(&six), &len);
	recvfrom(other, text, sizeof(text), 0, any(&six), &len);
	close(other);
	close(peer);
	close(server);
}

static void unix_sockets(void)
{
	struct sockaddr_un name = { AF_UNIX, "server.sock" }, from;
	struct ucred peer;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), pipes[2], one = 1;
	int to = socket(AF_UNIX, SOCK_STREAM, 0), accepted;
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(2 * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
	} control = { .header = { CMSG_LEN(2 * sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	char text[16];
	struct iovec out = { "descriptors", 11 }, in = { text, sizeof(text) };
	struct msghdr message = { .msg_iov = &out,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = CMSG_SPACE(2 * sizeof(int)) };
	socklen_t len = sizeof(peer);

	bind(fd, any(&name), sizeof(name));
	listen(fd, 1);
	connect(to, any(&name), sizeof(name));
	len = sizeof(from);
	accepted = accept(fd, any(&from), &len);
	len = sizeof(peer);
	getsockopt(accepted, SOL_SOCKET, SO_PEERCRED, &peer, &len);
	setsockopt(accepted, SOL_SOCKET, SO_PASSCRED, &one, sizeof(one));
	pipe(pipes);
	memcpy(CMSG_DATA(&control.header), pipes, sizeof(pipes));
	sendmsg(to, &message, 0);
	message.msg_iov = &in;
	message.msg_controllen = sizeof(control);
	recvmsg(accepted, &message, MSG_CMSG_CLOEXEC);
	write(to, "line\n", 5);
	readv(accepted, &in, 1);
	unlink("server.sock");
	close(accepted);
	close(to);
	close(fd);
}

/* Request the loopback interface, as `ip link` does, and send an unknown request. */
static void netlink(void)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
	} ask = { { sizeof(ask), RTM_GETLINK, NLM_F_REQUEST, 7, 0 }, { .ifi_index = 1 } };
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	socklen_t len = sizeof(address);
	char reply[8192];

	bind(fd, any(&address), sizeof(address));
	getsockname(fd, any(&address), &len);
	sendto(fd, &ask, sizeof(ask), 0, NULL, 0);
	recv(fd, reply, 16, MSG_PEEK);
	recv(fd, reply, sizeof(reply), 0);
	ask.header.nlmsg_type = RTM_GETROUTE + 1000;
	send(fd, &ask, sizeof(ask), 0);
	recv(fd, reply, sizeof(reply), 0);
	close(fd);
}

int main(void)
{
	tcp();
	udp();
	unix_sockets();
	netlink();
	return 0;
}
