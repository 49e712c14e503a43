#include "engine/fds/fd_socket.h"

#include "engine/base/escape.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define TYPE_BITS 0xf /* SOCK_TYPE_MASK of the kernel's include/linux/net.h */

/* Names of struct proto in the kernel, which strace reads from system.sockprotoname. */
static const struct {
	int domain, type;
	const char *name;
} protocols[] = {
	{ AF_INET, SOCK_STREAM, "TCP" },
	{ AF_INET, SOCK_DGRAM, "UDP" },
	{ AF_INET, SOCK_RAW, "RAW" },
	{ AF_INET6, SOCK_STREAM, "TCPv6" },
	{ AF_INET6, SOCK_DGRAM, "UDPv6" },
	{ AF_INET6, SOCK_RAW, "RAWv6" },
	{ AF_UNIX, SOCK_STREAM, "UNIX-STREAM" },
	{ AF_UNIX, 0, "UNIX" },
	{ AF_NETLINK, 0, "NETLINK" },
	{ AF_PACKET, 0, "PACKET" },
	{ AF_VSOCK, 0, "AF_VSOCK" },
	{ AF_ALG, 0, "ALG" },
};

const char *fd_socket_protocol(int domain, int type)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++)
		if (protocols[i].domain == domain &&
		    (!protocols[i].type || protocols[i].type == (type & TYPE_BITS)))
			return protocols[i].name;
	return "";
}

/* From linux/netlink.h. */
const char *fd_socket_bare_address(int domain, int protocol)
{
	static const char *const names[] = {
		"ROUTE",          "UNUSED",    "USERSOCK",  "FIREWALL",      "SOCK_DIAG",
		"NFLOG",          "XFRM",      "SELINUX",   "ISCSI",         "AUDIT",
		"FIB_LOOKUP",     "CONNECTOR", "NETFILTER", "IP6_FW",        "DNRTMSG",
		"KOBJECT_UEVENT", "GENERIC",   "",          "SCSITRANSPORT", "ECRYPTFS",
		"RDMA",           "CRYPTO",    "SMC",
	};

	if (domain != AF_NETLINK || protocol < 0 ||
	    (size_t)protocol >= sizeof(names) / sizeof(names[0]))
		return "";
	return names[protocol];
}

static void unix_address(char out[FD_ADDRESS_BYTES], const char *path, size_t len)
{
	/* An abstract name ends with the address length; strace shows its NUL as @. */
	size_t named = *path ? strnlen(path, len) : len;
	size_t at = 0;

	for (size_t i = 0; i < named && at < FD_ADDRESS_BYTES - 1; i++)
		out[at++] = path[i] ? path[i] : '@';
	out[at] = '\0';
}

void fd_socket_address(char out[FD_ADDRESS_BYTES], const void *sockaddr, size_t len)
{
	char address[INET6_ADDRSTRLEN];
	struct sockaddr_in6 in6;
	struct sockaddr_in in;
	sa_family_t family;

	out[0] = '\0';
	if (len < sizeof(family))
		return;
	memcpy(&family, sockaddr, sizeof(family));
	if (family == AF_INET && len >= sizeof(in)) {
		memcpy(&in, sockaddr, sizeof(in));
		if (in.sin_port)
			snprintf(out, FD_ADDRESS_BYTES, "%s:%u",
				 inet_ntop(AF_INET, &in.sin_addr, address, sizeof(address)),
				 ntohs(in.sin_port));
	} else if (family == AF_INET6 && len >= 24) {
		memset(&in6, 0, sizeof(in6));
		memcpy(&in6, sockaddr, len < sizeof(in6) ? len : sizeof(in6));
		if (in6.sin6_port)
			snprintf(out, FD_ADDRESS_BYTES, "[%s]:%u",
				 inet_ntop(AF_INET6, &in6.sin6_addr, address, sizeof(address)),
				 ntohs(in6.sin6_port));
	} else if (family == AF_UNIX && len > sizeof(family)) {
		unix_address(out, (const char *)sockaddr + sizeof(family), len - sizeof(family));
	}
}

/* The @ of an abstract name stays outside the quotes. */
static void add_unix_name(struct str *out, const char *name)
{
	if (*name == '@')
		str_addc(out, *name++);
	str_addc(out, '"');
	str_add_escaped(out, name, strlen(name), ESCAPE_QUOTED);
	str_addc(out, '"');
}

void fd_socket_text(struct str *out, const struct fd_socket *socket)
{
	bool is_unix = !strncmp(socket->protocol, "UNIX", 4);

	str_add(out, *socket->protocol ? socket->protocol : "socket");
	if (is_unix && (socket->inode || *socket->local)) {
		str_add(out, ":[");
		if (socket->inode)
			str_addu(out, socket->inode);
		if (*socket->remote)
			str_addf(out, "->%s", socket->remote);
		if (*socket->local && socket->inode)
			str_addc(out, ',');
		if (*socket->local)
			add_unix_name(out, socket->local);
		str_addc(out, ']');
	} else if (!is_unix && *socket->remote) {
		str_addf(out, ":[%s->%s]", *socket->local ? socket->local : "?", socket->remote);
	} else if (!is_unix && *socket->local) {
		str_addf(out, ":[%s]", socket->local);
	} else if (socket->inode) {
		str_add(out, ":[");
		str_addu(out, socket->inode);
		str_addc(out, ']');
	}
}
