/* Options of sockets, with their values. */
#include "engine/decode/shapes.h"

#include "engine/decode/constants/tables.h"

#include <linux/icmp.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

static const struct constants *options_of(uint32_t level)
{
	switch (level) {
	case SOL_SOCKET:
		return &socket_options;
	case SOL_IP:
		return &ip_options;
	case SOL_IPV6:
		return &ipv6_options;
	case SOL_TCP:
		return &tcp_options;
	case 17:
		return &udp_options;
	case SOL_RAW:
		return &raw_options;
	case SOL_PACKET:
		return &packet_options;
	case 270:
		return &netlink_options;
	case 279:
		return &alg_options;
	default:
		return NULL;
	}
}

static void show_option(struct printer *p, uint64_t value, const void *data)
{
	const struct constants *options = options_of((uint32_t)p->call->args[1]);

	if (options)
		print_enum(p, (uint32_t)value, options);
	else
		show_unsigned(p, value, data);
}

LAYOUT(linger_layout, struct linger,
	MEMBER(struct linger, l_onoff, show_int),
	MEMBER(struct linger, l_linger, show_int));

struct peer {
	uint32_t pid, uid, gid;
};
LAYOUT(peer_layout, struct peer,
	MEMBER(struct peer, pid, show_int),
	MEMBER(struct peer, uid, show_id),
	MEMBER(struct peer, gid, show_id));

struct group_request {
	struct in_addr imr_multiaddr, imr_interface;
};

enum value_shape {
	SHAPE_INT,
	SHAPE_TIME,
	SHAPE_LINGER,
	SHAPE_PEER,
	SHAPE_TEXT,
	SHAPE_BYTES,
	SHAPE_ERROR,
	SHAPE_TYPE,
	SHAPE_FAMILY,
	SHAPE_PROTOCOL,
	SHAPE_MEMBERSHIP,
	SHAPE_MEMBERSHIP6,
	SHAPE_SOCKADDR,
};

static const struct {
	uint32_t level, option;
	enum value_shape shape;
} shapes[] = {
	{ SOL_SOCKET, 20, SHAPE_TIME },
	{ SOL_SOCKET, 21, SHAPE_TIME },
	{ SOL_SOCKET, SO_LINGER, SHAPE_LINGER },
	{ SOL_SOCKET, SO_PEERCRED, SHAPE_PEER },
	{ SOL_SOCKET, SO_BINDTODEVICE, SHAPE_TEXT },
	{ SOL_SOCKET, SO_ERROR, SHAPE_ERROR },
	{ SOL_SOCKET, SO_ATTACH_FILTER, SHAPE_BYTES },
	{ SOL_SOCKET, SO_PEERNAME, SHAPE_BYTES },
	{ SOL_SOCKET, SO_PEERSEC, SHAPE_BYTES },
	{ SOL_SOCKET, SO_PEERGROUPS, SHAPE_BYTES },
	{ SOL_TCP, TCP_CONGESTION, SHAPE_TEXT },
	{ SOL_TCP, TCP_INFO, SHAPE_BYTES },
	{ SOL_IP, IP_ADD_MEMBERSHIP, SHAPE_MEMBERSHIP },
	{ SOL_IP, IP_DROP_MEMBERSHIP, SHAPE_MEMBERSHIP },
	{ SOL_IPV6, IPV6_ADD_MEMBERSHIP, SHAPE_MEMBERSHIP6 },
	{ SOL_IPV6, IPV6_DROP_MEMBERSHIP, SHAPE_MEMBERSHIP6 },
};

static enum value_shape shape_of(uint32_t level, uint32_t option)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (shapes[i].level == level && shapes[i].option == option)
			return shapes[i].shape;
	return options_of(level) ? SHAPE_INT : SHAPE_BYTES;
}

static void print_membership(struct printer *p, uint64_t address, uint64_t len)
{
	struct group_request group;

	if (len < sizeof(group) || !printer_read(p, address, &group, sizeof(group))) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "{imr_multiaddr=");
	print_inet_address(p, &group.imr_multiaddr);
	PUT(p, ", imr_interface=");
	print_inet_address(p, &group.imr_interface);
	PUT(p, "}");
}

static void print_membership6(struct printer *p, uint64_t address, uint64_t len)
{
	struct {
		struct in6_addr ipv6mr_multiaddr;
		int32_t ipv6mr_ifindex;
	} group;

	if (len < sizeof(group) || !printer_read(p, address, &group, sizeof(group))) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "{");
	print_inet6_address(p, &group.ipv6mr_multiaddr, "ipv6mr_multiaddr");
	PUT(p, ", ipv6mr_interface=");
	print_interface(p, (uint32_t)group.ipv6mr_ifindex);
	PUT(p, "}");
}

/* A number of fewer bytes than an int, or of so many that it is none, is text. */
static void print_number(struct printer *p, uint64_t address, uint64_t len)
{
	int32_t number;

	if (len < sizeof(number))
		print_buffer(p, address, len);
	else if (printer_read(p, address, &number, sizeof(number)))
		str_addf(p->out, "[%d]", number);
	else
		show_pointer(p, address, NULL);
}

static void print_named_number(struct printer *p, uint64_t address, uint64_t len,
			       enum value_shape shape)
{
	int32_t number;

	if (len < sizeof(number) || !printer_read(p, address, &number, sizeof(number))) {
		print_number(p, address, len);
		return;
	}
	PUT(p, "[");
	if (shape == SHAPE_ERROR && number && errno_name(number))
		str_add(p->out, errno_name(number));
	else
		str_addd(p->out, number);
	PUT(p, "]");
}

static void print_time(struct printer *p, uint64_t address, uint64_t len)
{
	if (len >= sizeof(struct timeval))
		show_struct(p, address, &timeval_layout);
	else
		print_buffer(p, address, len);
}

static void print_value(struct printer *p, uint64_t address, uint64_t len)
{
	uint32_t level = (uint32_t)p->call->args[1], option = (uint32_t)p->call->args[2];
	enum value_shape shape = shape_of(level, option);

	switch (shape) {
	case SHAPE_TIME:
		print_time(p, address, len);
		break;
	case SHAPE_LINGER:
		if (len >= sizeof(struct linger))
			show_struct(p, address, &linger_layout);
		else
			print_buffer(p, address, len);
		break;
	case SHAPE_PEER:
		if (len >= sizeof(struct peer))
			show_struct(p, address, &peer_layout);
		else
			print_buffer(p, address, len);
		break;
	case SHAPE_MEMBERSHIP:
		print_membership(p, address, len);
		break;
	case SHAPE_MEMBERSHIP6:
		print_membership6(p, address, len);
		break;
	case SHAPE_TEXT:
	case SHAPE_BYTES:
	case SHAPE_SOCKADDR:
		print_buffer(p, address, len);
		break;
	case SHAPE_ERROR:
	case SHAPE_TYPE:
	case SHAPE_FAMILY:
	case SHAPE_PROTOCOL:
		print_named_number(p, address, len, shape);
		break;
	case SHAPE_INT:
		print_number(p, address, len);
		break;
	}
}

static void show_set_value(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if ((int32_t)p->call->args[4] < 0)
		show_pointer(p, value, NULL);
	else if (!value)
		PUT(p, "NULL");
	else
		print_value(p, value, (uint32_t)p->call->args[4]);
}

static void show_got_value(struct printer *p, uint64_t value, const void *data)
{
	uint64_t at = p->call->args[4];
	uint32_t room, used;

	(void)data;
	if (!printer_read_enter(p, at, &room, sizeof(room)) ||
	    !printer_read(p, at, &used, sizeof(used))) {
		show_pointer(p, value, NULL);
		return;
	}
	print_value(p, value, used < room ? used : room);
}

static void show_length(struct printer *p, uint64_t value, const void *data)
{
	uint32_t before, after;

	(void)data;
	if (!printer_read_enter(p, value, &before, sizeof(before))) {
		show_pointer(p, value, NULL);
		return;
	}
	p->when = BYTES_AT_EXIT;
	PUT(p, "[");
	str_addd(p->out, (int32_t)before);
	if (printer_succeeded(p) && printer_read(p, value, &after, sizeof(after)) &&
	    after != before) {
		PUT(p, " => ");
		str_addd(p->out, (int32_t)after);
	}
	PUT(p, "]");
}

static const struct call_form sockopt_forms[] = {
	{ .name = "setsockopt", .classes = NET,
	  .prototype = "int fd, int level, int optname, char * optval, int optlen",
	  .args = { [1] = ENUM(socket_levels), [2] = SHOW(show_option),
		    [3] = SHOW(show_set_value) } },
	{ .name = "getsockopt", .classes = NET,
	  .prototype = "int fd, int level, int optname, char * optval, int * optlen",
	  .args = { [1] = ENUM(socket_levels), [2] = SHOW(show_option),
		    [3] = SHOW_OUT(show_got_value), [4] = SHOW(show_length) } },
};

CALL_FAMILY(sockopt);
