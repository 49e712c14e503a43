/* Sockets: creating, naming and connecting. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/in.h>
#include <sys/socket.h>

#define TYPE_BITS 0xfu

static void show_socket_type(struct printer *p, uint64_t value, const void *data)
{
	print_kind_and_flags(p, (uint32_t)value, TYPE_BITS, data, &socket_flags);
}

static void show_protocol(struct printer *p, uint64_t value, const void *data)
{
	uint32_t protocol = (uint32_t)value;
	const char *name;

	switch ((uint32_t)p->call->args[0]) {
	case AF_INET:
	case AF_INET6:
		print_enum(p, protocol, &inet_protocols);
		break;
	case AF_NETLINK:
		print_enum(p, protocol, &netlink_protocols);
		break;
	case AF_PACKET:
		PUT(p, "htons(");
		name = constants_name(&ethernet_protocols,
				      (uint16_t)(protocol >> 8 & 0xff) | (protocol & 0xff) << 8);
		if (name)
			str_add(p->out, name);
		else
			str_addf(p->out, "%#x /* ETH_P_??? */",
				 (protocol >> 8 & 0xff) | (protocol & 0xff) << 8);
		PUT(p, ")");
		break;
	case AF_BLUETOOTH:
		print_enum(p, protocol, &bluetooth_protocols);
		break;
	default:
		show_ulong(p, value, data);
		break;
	}
}

/* Show an input address; the next argument is its length. */
static void show_given_sockaddr(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_sockaddr(p, value, (uint32_t)p->call->args[p->arg + 1]);
}

/*
 * Show an output address. The next argument points to its length: the buffer size before the call,
 * the address length after it. The kernel can return a length above the buffer size.
 */
static void show_filled_sockaddr(struct printer *p, uint64_t value, const void *data)
{
	uint64_t at = p->call->args[p->arg + 1];
	uint32_t room, used;

	(void)data;
	if (!printer_read_enter(p, at, &room, sizeof(room)) ||
	    !printer_read(p, at, &used, sizeof(used))) {
		show_pointer(p, value, NULL);
		return;
	}
	print_sockaddr(p, value, used < room ? used : room);
}

/* Show "[128 => 16]", or "[16]" if the call failed or did not change the value. */
static void show_sockaddr_length(struct printer *p, uint64_t value, const void *data)
{
	uint32_t before, after;

	(void)data;
	if (!printer_read_enter(p, value, &before, sizeof(before))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	str_addd(p->out, (int32_t)before);
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &after, sizeof(after)) &&
	    after != before) {
		PUT(p, " => ");
		str_addd(p->out, (int32_t)after);
	}
	PUT(p, "]");
}

static void show_pair(struct printer *p, uint64_t value, const void *data)
{
	int32_t fds[2];

	(void)data;
	if (!printer_read(p, value, fds, sizeof(fds))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	show_fd(p, (uint32_t)fds[0], NULL);
	PUT(p, ", ");
	show_fd(p, (uint32_t)fds[1], NULL);
	PUT(p, "]");
}

static void show_sent(struct printer *p, uint64_t value, const void *data)
{
	const uint64_t *args = p->call->args;

	(void)data;
	print_netlink(p, value, args[2],
		      netlink_protocol(p, (int)args[0], args[4], (uint32_t)args[5]));
}

static void show_received(struct printer *p, uint64_t value, const void *data)
{
	const uint64_t *args = p->call->args;

	(void)data;
	/* Assume that the peer address has at least its family, 2 bytes; *addrlen is not read. */
	print_netlink(p, value, (uint64_t)p->call->ret,
		      netlink_protocol(p, (int)args[0], args[4], args[5] ? 2 : 0));
}

/* clang-format off */
static const struct call_form socket_forms[] = {
	{ .name = "socket", .classes = NET,
	  .prototype = "int family, int type, int protocol",
	  .args = { [0] = ENUM(socket_families), [1] = SHOW_WITH(show_socket_type, &socket_types),
		    [2] = SHOW(show_protocol) },
	  .result = result_fd },
	{ .name = "socketpair", .classes = NET,
	  .prototype = "int family, int type, int protocol, int * usockvec",
	  .args = { [0] = ENUM(socket_families), [1] = SHOW_WITH(show_socket_type, &socket_types),
		    [2] = SHOW(show_ulong), [3] = SHOW_OUT(show_pair) } },
	{ .name = "bind", .classes = NET,
	  .prototype = "int fd, struct sockaddr * umyaddr, int addrlen",
	  .args = { [1] = SHOW(show_given_sockaddr) } },
	{ .name = "connect", .classes = NET,
	  .prototype = "int fd, struct sockaddr * uservaddr, int addrlen",
	  .args = { [1] = SHOW(show_given_sockaddr) } },
	{ .name = "listen", .classes = NET,
	  .prototype = "int fd, int backlog" },
	{ .name = "accept", .classes = NET,
	  .prototype = "int fd, struct sockaddr * upeer_sockaddr, int * upeer_addrlen",
	  .args = { [1] = SHOW_OUT(show_filled_sockaddr), [2] = SHOW(show_sockaddr_length) },
	  .result = result_fd },
	{ .name = "accept4", .classes = NET,
	  .prototype = "int fd, struct sockaddr * upeer_sockaddr, int * upeer_addrlen, "
		       "int flags",
	  .args = { [1] = SHOW_OUT(show_filled_sockaddr), [2] = SHOW(show_sockaddr_length),
		    [3] = FLAGS(accept_flags) },
	  .result = result_fd },
	{ .name = "getsockname", .classes = NET,
	  .prototype = "int fd, struct sockaddr * usockaddr, int * usockaddr_len",
	  .args = { [1] = SHOW_OUT(show_filled_sockaddr), [2] = SHOW(show_sockaddr_length) } },
	{ .name = "getpeername", .classes = NET,
	  .prototype = "int fd, struct sockaddr * usockaddr, int * usockaddr_len",
	  .args = { [1] = SHOW_OUT(show_filled_sockaddr), [2] = SHOW(show_sockaddr_length) } },
	{ .name = "sendto", .classes = NET,
	  .prototype = "int fd, void * buff, size_t len, unsigned int flags, "
		       "struct sockaddr * addr, int addr_len",
	  .args = { [1] = SHOW(show_sent), [3] = FLAGS(message_flags),
		    [4] = SHOW(show_given_sockaddr) } },
	{ .name = "recvfrom", .classes = NET,
	  .prototype = "int fd, void * ubuf, size_t size, unsigned int flags, "
		       "struct sockaddr * addr, int * addr_len",
	  .args = { [1] = SHOW_OUT(show_received), [3] = FLAGS(message_flags),
		    [4] = SHOW_OUT(show_filled_sockaddr), [5] = SHOW(show_sockaddr_length) } },
	{ .name = "shutdown", .classes = NET,
	  .prototype = "int fd, int how",
	  .args = { [1] = ENUM(shutdown_hows) } },
	{ .name = "getpmsg", .classes = NET,
	  .arguments = 5 },
	{ .name = "putpmsg", .classes = NET,
	  .arguments = 5 },
};
/* clang-format on */

CALL_FAMILY(socket);
