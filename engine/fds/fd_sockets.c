#include "engine/fds/fd_sockets.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/fds/fd_socket.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_NS (200 * NS_PER_MS) /* maximum age of a list */
#define LIST_MAX 65536 /* sockets per list */
#define LINE_BYTES 512

struct listed {
	char local[64], remote[64];
};

struct fd_sockets {
	int diag_fd; /* -1: unavailable */
	/* The list that was read last. */
	char name[8];
	uint64_t namespace_inode, read_ns;
	struct idmap by_inode; /* -> struct listed */
};

struct fd_sockets *fd_sockets_new(void)
{
	struct fd_sockets *sockets = mem_zalloc(1, sizeof(*sockets));

	sockets->diag_fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	idmap_init(&sockets->by_inode);
	return sockets;
}

static void forget_list(struct fd_sockets *sockets)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&sockets->by_inode, &cursor)))
		free(slot->value);
	idmap_clear(&sockets->by_inode);
}

/* -- Internet sockets ------------------------------------------------------------------------ */

/* "0100007F:1F90": 32-bit words of the address in memory order, and the port. */
static bool parse_address(char out[64], const char *text)
{
	const char *colon = strchr(text, ':');
	size_t digits = colon ? (size_t)(colon - text) : 0;
	char address[INET6_ADDRSTRLEN];
	uint32_t words[4];
	unsigned port;

	if ((digits != 8 && digits != 32) || sscanf(colon + 1, "%4x", &port) != 1)
		return false;
	for (size_t i = 0; i < digits / 8; i++)
		if (sscanf(text + i * 8, "%8" SCNx32, &words[i]) != 1)
			return false;
	out[0] = '\0';
	if (!port)
		return true;
	if (digits == 8)
		snprintf(out, 64, "%s:%u", inet_ntop(AF_INET, words, address, sizeof(address)),
			 port);
	else
		snprintf(out, 64, "[%s]:%u", inet_ntop(AF_INET6, words, address, sizeof(address)),
			 port);
	return true;
}

/* Line of /proc/net/tcp: "sl: local remote st tx:rx tr:when retrnsmt uid timeout inode …". */
static void take_line(struct fd_sockets *sockets, const char *line)
{
	char local[64], remote[64];
	struct listed *listed;
	uint64_t inode;

	if (sscanf(line, " %*u: %63s %63s %*x %*s %*s %*s %*u %*u %" SCNu64, local, remote,
		   &inode) != 3 ||
	    !inode || idmap_get(&sockets->by_inode, inode))
		return;
	listed = mem_zalloc(1, sizeof(*listed));
	if (parse_address(listed->local, local) && parse_address(listed->remote, remote))
		idmap_put(&sockets->by_inode, inode, listed);
	else
		free(listed);
}

static void read_list(struct fd_sockets *sockets, uint32_t pid, const char *name)
{
	char path[64], line[LINE_BYTES];
	FILE *file;

	forget_list(sockets);
	snprintf(path, sizeof(path), "/proc/%u/net/%s", pid, name);
	file = fopen(path, "re");
	if (!file)
		return;
	while (sockets->by_inode.count < LIST_MAX && fgets(line, sizeof(line), file))
		take_line(sockets, line);
	fclose(file);
}

/* Raw sockets are excluded: their list has the protocol in place of the port. */
static const char *list_of(const char *protocol)
{
	static const char *const lists[][2] = {
		{ "TCP", "tcp" },
		{ "TCPv6", "tcp6" },
		{ "UDP", "udp" },
		{ "UDPv6", "udp6" },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(protocol, lists[i][0]))
			return lists[i][1];
	return NULL;
}

static void find_inet(struct fd_sockets *sockets, uint32_t pid, struct fd_socket *socket,
		      const char *list)
{
	uint64_t now_ns = clock_now_ns(), space;
	const struct listed *listed;
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u/ns/net", pid);
	space = stat(path, &st) ? 0 : st.st_ino;
	listed = idmap_get(&sockets->by_inode, socket->inode);
	/* A socket that is missing can be newer than the list: read the list again sooner. */
	if (strcmp(sockets->name, list) || sockets->namespace_inode != space ||
	    now_ns - sockets->read_ns > (listed ? LIST_NS : LIST_NS / 8)) {
		read_list(sockets, pid, list);
		snprintf(sockets->name, sizeof(sockets->name), "%s", list);
		sockets->namespace_inode = space;
		sockets->read_ns = clock_now_ns();
		listed = idmap_get(&sockets->by_inode, socket->inode);
	}
	if (!listed)
		return;
	snprintf(socket->local, sizeof(socket->local), "%s", listed->local);
	snprintf(socket->remote, sizeof(socket->remote), "%s", listed->remote);
}

/* -- Unix sockets ---------------------------------------------------------------------------- */

struct unix_request {
	struct nlmsghdr header;
	struct unix_diag_req request;
};

static void take_attributes(struct fd_socket *socket, const struct nlmsghdr *header)
{
	const struct unix_diag_msg *message = NLMSG_DATA(header);
	const struct nlattr *attribute = (const void *)(message + 1);
	size_t left = header->nlmsg_len - NLMSG_LENGTH(sizeof(*message));

	while (left >= sizeof(*attribute) && attribute->nla_len >= sizeof(*attribute) &&
	       attribute->nla_len <= left) {
		const char *value = (const char *)(attribute + 1);
		size_t len = attribute->nla_len - sizeof(*attribute);
		size_t step = NLA_ALIGN(attribute->nla_len);
		uint32_t peer;

		if (attribute->nla_type == UNIX_DIAG_PEER && len >= sizeof(peer)) {
			memcpy(&peer, value, sizeof(peer));
			snprintf(socket->remote, sizeof(socket->remote), "%" PRIu32, peer);
		} else if (attribute->nla_type == UNIX_DIAG_NAME && len &&
			   len < sizeof(socket->local)) {
			size_t at = 0;

			for (; at < len && (value[at] || !*value); at++)
				socket->local[at] = value[at] ? value[at] : '@';
			socket->local[at] = '\0';
		}
		if (step >= left)
			break;
		left -= step;
		attribute = (const void *)((const char *)attribute + step);
	}
}

static void find_unix(struct fd_sockets *sockets, struct fd_socket *socket)
{
	struct unix_request request = {
		.header = { .nlmsg_len = sizeof(request),
			    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			    .nlmsg_flags = NLM_F_REQUEST },
		.request = { .sdiag_family = AF_UNIX,
			     .udiag_states = UINT32_MAX,
			     .udiag_ino = (uint32_t)socket->inode,
			     .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER,
			     .udiag_cookie = { UINT32_MAX, UINT32_MAX } },
	};
	union {
		struct nlmsghdr header;
		char bytes[4096];
	} reply;
	ssize_t got;

	if (sockets->diag_fd < 0 ||
	    send(sockets->diag_fd, &request, sizeof(request), 0) != sizeof(request))
		return;
	got = recv(sockets->diag_fd, &reply, sizeof(reply), 0);
	if (got < (ssize_t)sizeof(reply.header) || !NLMSG_OK(&reply.header, (size_t)got) ||
	    reply.header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    reply.header.nlmsg_len < NLMSG_LENGTH(sizeof(struct unix_diag_msg)))
		return;
	take_attributes(socket, &reply.header);
}

/* Netlink sockets are rare: read the list for each query. */
static void find_netlink(uint32_t pid, struct fd_socket *socket)
{
	char path[64], line[LINE_BYTES];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/net/netlink", pid);
	file = fopen(path, "re");
	for (unsigned i = 0; file && i < LIST_MAX && fgets(line, sizeof(line), file); i++) {
		unsigned protocol, port;
		uint64_t inode;

		if (sscanf(line, "%*s %u %u %*x %*d %*d %*d %*d %*u %" SCNu64, &protocol, &port,
			   &inode) != 3 ||
		    inode != socket->inode)
			continue;
		snprintf(socket->local, sizeof(socket->local), "%s:%u",
			 fd_socket_bare_address(AF_NETLINK, (int)protocol), port);
		break;
	}
	if (file)
		fclose(file);
}

void fd_sockets_find(struct fd_sockets *sockets, uint32_t pid, struct fd_socket *socket)
{
	const char *list = list_of(socket->protocol);

	if (list)
		find_inet(sockets, pid, socket, list);
	else if (!strncmp(socket->protocol, "UNIX", 4))
		find_unix(sockets, socket);
	else if (!strcmp(socket->protocol, "NETLINK"))
		find_netlink(pid, socket);
}
