/* Messages of netlink sockets; those of NETLINK_ROUTE by their kind. */
#include "engine/decode/shapes.h"

#include "engine/decode/syscalls.h"
#include "engine/decode/tables.h"

#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#define MESSAGE_BYTES 1024 /* maximum number of bytes of a buffer that are decoded */
#define OTHER_PROTOCOL 255 /* a netlink socket of unknown protocol */

/* Message types come in groups of four: new, delete, get, set. */
enum { KIND_NEW, KIND_DELETE, KIND_GET };

static void show_index(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_interface(p, (uint32_t)value);
}

/* clang-format off */
LAYOUT(link_layout, struct ifinfomsg,
	MEMBER_ENUM(struct ifinfomsg, ifi_family, socket_families),
	MEMBER_ENUM(struct ifinfomsg, ifi_type, arp_hardware_types),
	MEMBER(struct ifinfomsg, ifi_index, show_index),
	MEMBER_FLAGS(struct ifinfomsg, ifi_flags, interface_flags),
	MEMBER(struct ifinfomsg, ifi_change, show_hex));
/* clang-format on */

struct address_message { /* struct ifaddrmsg, whose header conflicts with libc */
	uint8_t ifa_family, ifa_prefixlen, ifa_flags, ifa_scope;
	uint32_t ifa_index;
};
LAYOUT(address_layout, struct address_message,
       MEMBER_ENUM(struct address_message, ifa_family, socket_families),
       MEMBER(struct address_message, ifa_prefixlen, show_unsigned),
       MEMBER_FLAGS(struct address_message, ifa_flags, address_flags),
       MEMBER_ENUM(struct address_message, ifa_scope, route_scopes),
       MEMBER(struct address_message, ifa_index, show_index));

/* clang-format off */
LAYOUT(route_layout, struct rtmsg,
	MEMBER_ENUM(struct rtmsg, rtm_family, socket_families),
	MEMBER(struct rtmsg, rtm_dst_len, show_unsigned),
	MEMBER(struct rtmsg, rtm_src_len, show_unsigned),
	MEMBER(struct rtmsg, rtm_tos, show_hex),
	MEMBER_ENUM(struct rtmsg, rtm_table, route_tables),
	MEMBER_ENUM(struct rtmsg, rtm_protocol, route_protocols),
	MEMBER_ENUM(struct rtmsg, rtm_scope, route_scopes),
	MEMBER_ENUM(struct rtmsg, rtm_type, route_kinds),
	MEMBER_FLAGS(struct rtmsg, rtm_flags, route_flags));

LAYOUT(neighbour_layout, struct ndmsg,
	MEMBER_ENUM(struct ndmsg, ndm_family, socket_families),
	MEMBER(struct ndmsg, ndm_ifindex, show_index),
	MEMBER_FLAGS(struct ndmsg, ndm_state, neighbour_states),
	MEMBER_FLAGS(struct ndmsg, ndm_flags, neighbour_flags),
	MEMBER_ENUM(struct ndmsg, ndm_type, route_kinds));

LAYOUT(traffic_layout, struct tcmsg,
	MEMBER_ENUM(struct tcmsg, tcm_family, socket_families),
	MEMBER(struct tcmsg, tcm_ifindex, show_index),
	MEMBER(struct tcmsg, tcm_handle, show_unsigned),
	MEMBER(struct tcmsg, tcm_parent, show_unsigned),
	MEMBER(struct tcmsg, tcm_info, show_unsigned));
/* clang-format on */

/* Return the layout of a message type; NULL: only the family, its first byte, is known. */
static const struct layout *layout_of(uint16_t type)
{
	switch ((type - RTM_BASE) / 4 * 4 + RTM_BASE) {
	case RTM_NEWLINK:
		return &link_layout;
	case RTM_NEWADDR:
		return &address_layout;
	case RTM_NEWROUTE:
		return &route_layout;
	case RTM_NEWNEIGH:
		return &neighbour_layout;
	case RTM_NEWQDISC:
	case RTM_NEWTCLASS:
	case RTM_NEWTFILTER:
		return &traffic_layout;
	default:
		return NULL;
	}
}

static bool is_netlink(struct printer *p, uint64_t address, uint64_t len)
{
	uint16_t family;

	return len >= sizeof(family) && printer_read(p, address, &family, sizeof(family)) &&
	       family == AF_NETLINK;
}

int netlink_protocol(struct printer *p, int fd, uint64_t peer, uint64_t peer_len)
{
	static const char start[] = "NETLINK:[";
	char name[64] = "NETLINK_";
	size_t len = 0;

	if (p->fd_namer)
		len = p->fd_namer->name(p->fd_namer->ctx, p->call, fd, false, name,
					sizeof(name) - 1);
	if (len <= strlen(start) || len >= sizeof(name) || memcmp(name, start, strlen(start)))
		return is_netlink(p, peer, peer_len) ? OTHER_PROTOCOL : -1;
	name[len] = '\0';
	for (size_t i = 0; i < netlink_protocols.count; i++) {
		const char *protocol = netlink_protocols.list[i].name + strlen("NETLINK_");
		size_t named = strlen(protocol);

		if (!strncmp(name + strlen(start), protocol, named) &&
		    strchr(":]", name[strlen(start) + named]))
			return (int)netlink_protocols.list[i].value;
	}
	return OTHER_PROTOCOL;
}

static void print_type(struct printer *p, uint16_t type, int protocol)
{
	if (type < NLMSG_MIN_TYPE) {
		print_enum(p, type, &netlink_types);
	} else if (protocol == NETLINK_ROUTE) {
		print_enum(p, type, &route_types);
	} else {
		str_addx(p->out, type);
		if (protocol == OTHER_PROTOCOL)
			print_comment(p, "NLMSG_???");
	}
}

/* Return the names of the upper flag bits, which depend on the message type; NULL: none. */
static const struct constants *upper_flags(uint16_t type, int protocol)
{
	if (type == NLMSG_ERROR)
		return &netlink_ack_flags;
	if (type < NLMSG_MIN_TYPE || protocol != NETLINK_ROUTE)
		return NULL;
	switch (type & 3) {
	case KIND_NEW:
		return &netlink_new_flags;
	case KIND_DELETE:
		return &netlink_delete_flags;
	case KIND_GET:
		return &netlink_get_flags;
	default:
		return NULL;
	}
}

static void print_flags(struct printer *p, const struct nlmsghdr *header, int protocol)
{
	const struct constants *upper = upper_flags(header->nlmsg_type, protocol);
	uint64_t low = header->nlmsg_flags & 0xff, high = header->nlmsg_flags & 0xff00;

	if (!upper || !high) {
		show_flags(p, header->nlmsg_flags, &netlink_flags);
	} else if (print_flags_of(p, low, &netlink_flags)) {
		print_more_flags(p, high, upper);
	} else {
		show_flags(p, header->nlmsg_flags, upper);
	}
}

static void print_header(struct printer *p, const struct nlmsghdr *header, int protocol)
{
	PUT(p, "{nlmsg_len=");
	str_addu(p->out, header->nlmsg_len);
	PUT(p, ", nlmsg_type=");
	print_type(p, header->nlmsg_type, protocol);
	PUT(p, ", nlmsg_flags=");
	print_flags(p, header, protocol);
	PUT(p, ", nlmsg_seq=");
	str_addu(p->out, header->nlmsg_seq);
	PUT(p, ", nlmsg_pid=");
	str_addd(p->out, (int32_t)header->nlmsg_pid);
	PUT(p, "}");
}

/* Print the first `known` of `whole` bytes, always as \x. */
static void print_data(struct printer *p, const uint8_t *bytes, size_t known, uint64_t whole)
{
	bool hex = p->hex;
	size_t len = known < p->string_bytes ? known : p->string_bytes;

	p->hex = true;
	print_quoted(p, bytes, len);
	p->hex = hex;
	if (len < whole)
		PUT(p, "...");
}

static void print_message(struct printer *p, const uint8_t *bytes, size_t known, uint64_t whole,
			  int protocol, unsigned depth);

static void print_error(struct printer *p, const uint8_t *bytes, size_t known, uint64_t whole,
			int protocol, unsigned depth)
{
	int32_t error;
	const char *name;

	memcpy(&error, bytes, sizeof(error));
	name = error < 0 && error > INT32_MIN ? errno_name(-error) : NULL;
	PUT(p, "{error=");
	if (name)
		str_addf(p->out, "-%s", name);
	else
		str_addd(p->out, error);
	if (whole > sizeof(error)) {
		PUT(p, ", msg=");
		print_message(p, bytes + sizeof(error), known - sizeof(error),
			      whole - sizeof(error), protocol, depth + 1);
	}
	PUT(p, "}");
}

static void print_route(struct printer *p, uint16_t type, const uint8_t *bytes, size_t known,
			uint64_t whole)
{
	const struct layout *layout = layout_of(type);
	uint64_t aligned[8];

	if (!layout) {
		PUT(p, "{family=");
		print_enum(p, bytes[0], &socket_families);
		if (whole > 1) {
			PUT(p, ", data=");
			print_data(p, bytes + 1, known - 1, whole - 1);
		}
		PUT(p, "}");
		return;
	}
	if (known < layout->bytes) {
		PUT(p, "{");
		str_add(p->out, layout->fields[0].name);
		PUT(p, "=");
		print_enum(p, bytes[0], &socket_families);
		PUT(p, ", ...}");
		return;
	}
	memcpy(aligned, bytes, layout->bytes);
	element_struct(p, aligned, layout);
	/* Attributes follow. */
	if (whole > NLMSG_ALIGN(layout->bytes))
		PUT(p, ", ...");
}

static void print_payload(struct printer *p, uint16_t type, const uint8_t *bytes, size_t known,
			  uint64_t whole, int protocol, unsigned depth)
{
	int32_t number;

	if (!known) {
		PUT(p, "...");
	} else if (type == NLMSG_ERROR && known >= sizeof(number) && !depth) {
		print_error(p, bytes, known, whole, protocol, depth);
	} else if (type == NLMSG_DONE && whole == sizeof(number) && known == whole) {
		memcpy(&number, bytes, sizeof(number));
		str_addd(p->out, number);
	} else if (protocol == NETLINK_ROUTE && type >= RTM_BASE) {
		print_route(p, type, bytes, known, whole);
	} else {
		print_data(p, bytes, known, whole);
	}
}

static void print_message(struct printer *p, const uint8_t *bytes, size_t known, uint64_t whole,
			  int protocol, unsigned depth)
{
	struct nlmsghdr header;

	if (known < sizeof(header)) {
		print_data(p, bytes, known, whole);
		return;
	}
	memcpy(&header, bytes, sizeof(header));
	if (header.nlmsg_len < whole)
		whole = header.nlmsg_len;
	if (known > whole)
		known = whole;
	if (whole <= sizeof(header)) {
		print_header(p, &header, protocol);
		return;
	}
	PUT(p, "[");
	print_header(p, &header, protocol);
	PUT(p, ", ");
	print_payload(p, header.nlmsg_type, bytes + sizeof(header), known - sizeof(header),
		      whole - sizeof(header), protocol, depth);
	PUT(p, "]");
}

/* Return the distance to the next message. */
static uint64_t step_of(const uint8_t *bytes)
{
	uint32_t len;

	memcpy(&len, bytes, sizeof(len));
	return len < NLMSG_HDRLEN ? NLMSG_HDRLEN : ((uint64_t)len + 3) & ~(uint64_t)3;
}

void print_netlink(struct printer *p, uint64_t address, uint64_t len, int protocol)
{
	uint64_t words[MESSAGE_BYTES / 8];
	const uint8_t *bytes = (const uint8_t *)words;
	size_t known = 0, at = 0;
	bool cut, several;

	if (protocol >= 0)
		known = printer_read_some(p, address, words,
					  len < sizeof(words) ? (size_t)len : sizeof(words), false,
					  &cut);
	if (known < sizeof(struct nlmsghdr)) {
		print_buffer(p, address, len);
		return;
	}
	several = step_of(bytes) < len;
	if (several)
		PUT(p, "[");
	for (unsigned i = 0; at < len; i++) {
		if (i)
			PUT(p, ", ");
		if (i == printer_items(p) || known - at < sizeof(struct nlmsghdr)) {
			PUT(p, "...");
			break;
		}
		print_message(p, bytes + at, known - at, len - at, protocol, 0);
		if (step_of(bytes + at) >= len - at)
			break;
		if (step_of(bytes + at) > known - at) {
			PUT(p, ", ...");
			break;
		}
		at += step_of(bytes + at);
	}
	if (several)
		PUT(p, "]");
}
