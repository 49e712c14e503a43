#include "engine/decode/families/sockopt_values.h"

#include "engine/decode/shapes.h"
#include "engine/decode/struct_layout.h"
#include "engine/decode/syscalls.h"
#include "engine/decode/tables.h"

#include <linux/icmp.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#define SOCKADDR_STORAGE 128
#define REUSEPORT_FILTER 51 /* SO_ATTACH_REUSEPORT_CBPF */
/* Option numbers of machines with a 64-bit long. */
#define RECEIVE_TIMEOUT 20
#define SEND_TIMEOUT 21
#define TXREHASH 74 /* SO_TXREHASH */
#define LEVEL_NETLINK 270

LAYOUT(linger_layout, struct linger, MEMBER(struct linger, l_onoff, show_int),
       MEMBER(struct linger, l_linger, show_int));

struct peer {
	uint32_t pid, uid, gid;
};
LAYOUT(peer_layout, struct peer, MEMBER(struct peer, pid, show_int),
       MEMBER(struct peer, uid, show_id), MEMBER(struct peer, gid, show_id));

struct packet_counts {
	uint32_t tp_packets, tp_drops, tp_freeze_q_cnt;
};
LAYOUT(packet_counts_layout, struct packet_counts,
       MEMBER(struct packet_counts, tp_packets, show_unsigned),
       MEMBER(struct packet_counts, tp_drops, show_unsigned),
       MEMBER(struct packet_counts, tp_freeze_q_cnt, show_unsigned));

LAYOUT(packet_ring_layout, struct tpacket_req,
       MEMBER(struct tpacket_req, tp_block_size, show_unsigned),
       MEMBER(struct tpacket_req, tp_block_nr, show_unsigned),
       MEMBER(struct tpacket_req, tp_frame_size, show_unsigned),
       MEMBER(struct tpacket_req, tp_frame_nr, show_unsigned));

static void print_hex_bytes(struct printer *p, const void *bytes, size_t len)
{
	bool hex = p->hex;

	p->hex = true;
	print_quoted(p, bytes, len);
	p->hex = hex;
}

/* Print the members within len bytes; a partial member is shown as bytes. */
static void print_part(struct printer *p, uint64_t address, uint32_t len,
		       const struct layout *layout)
{
	uint8_t bytes[32];

	if (len > layout->bytes)
		len = layout->bytes;
	if (!printer_read(p, address, bytes, len)) {
		show_pointer(p, address, NULL);
		return;
	}
	for (uint32_t i = 0; i < layout->count && layout->fields[i].offset < len; i++) {
		const struct field *field = &layout->fields[i];

		str_add(p->out, i ? ", " : "{");
		str_add(p->out, field->name);
		PUT(p, "=");
		if (field->offset + field->bytes <= len)
			print_field(p, bytes, field);
		else
			print_hex_bytes(p, bytes + field->offset, len - field->offset);
	}
	PUT(p, "}");
}

/* Print the struct if it is complete, else its address. */
static void print_whole(struct printer *p, uint64_t address, bool whole,
			const struct layout *layout)
{
	if (whole)
		show_struct(p, address, layout);
	else
		show_pointer(p, address, NULL);
}

static void print_membership(struct printer *p, uint64_t address, int32_t len)
{
	struct {
		struct in_addr imr_multiaddr, imr_interface;
	} group;

	if (len < (int32_t)sizeof(group) || !printer_read(p, address, &group, sizeof(group))) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "{imr_multiaddr=");
	print_inet_address(p, &group.imr_multiaddr);
	PUT(p, ", imr_interface=");
	print_inet_address(p, &group.imr_interface);
	PUT(p, "}");
}

static void print_membership6(struct printer *p, uint64_t address, int32_t len)
{
	struct {
		struct in6_addr ipv6mr_multiaddr;
		uint32_t ipv6mr_interface;
	} group;

	if (len < (int32_t)sizeof(group) || !printer_read(p, address, &group, sizeof(group))) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "{");
	print_inet6_address(p, &group.ipv6mr_multiaddr, "ipv6mr_multiaddr");
	PUT(p, ", ipv6mr_interface=");
	print_interface(p, group.ipv6mr_interface);
	PUT(p, "}");
}

/* struct group_req, for IPv4 and IPv6. */
static void print_group(struct printer *p, uint64_t address, int32_t len)
{
	struct {
		uint32_t gr_interface;
		uint64_t gr_group[SOCKADDR_STORAGE / 8];
	} group;

	if (len < (int32_t)sizeof(group) || !printer_read(p, address, &group, sizeof(group))) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "{gr_interface=");
	print_interface(p, group.gr_interface);
	PUT(p, ", gr_group=");
	print_sockaddr_bytes(p, group.gr_group, sizeof(group.gr_group));
	PUT(p, "}");
}

static void print_packet_membership(struct printer *p, uint64_t address, int32_t len)
{
	struct packet_mreq request;
	unsigned bytes;

	if (len != (int32_t)sizeof(request) ||
	    !printer_read(p, address, &request, sizeof(request))) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "{mr_ifindex=");
	print_interface(p, (uint32_t)request.mr_ifindex);
	PUT(p, ", mr_type=");
	print_enum(p, request.mr_type, &packet_memberships);
	str_addf(p->out, ", mr_alen=%u, mr_address=", request.mr_alen);
	bytes = request.mr_alen < sizeof(request.mr_address) ? request.mr_alen
							     : sizeof(request.mr_address);
	for (unsigned i = 0; i < bytes; i++)
		str_addf(p->out, "%s%02x", i ? ":" : "", request.mr_address[i]);
	PUT(p, "}");
}

/* Show the blocked ICMP types in the form of a signal set. */
static void print_icmp_filter(struct printer *p, uint64_t address, int32_t len)
{
	uint32_t bits = UINT32_MAX;
	bool any = false;

	if (len <= 0 || !printer_read(p, address, &bits,
				      len < (int32_t)sizeof(bits) ? (size_t)len : sizeof(bits))) {
		show_pointer(p, address, NULL);
		return;
	}
	if (__builtin_popcount(bits) >= 32 * 2 / 3) {
		PUT(p, "~");
		bits = ~bits;
	}
	PUT(p, "[");
	for (uint32_t i = 0; i < 32; i++) {
		if (!(bits >> i & 1))
			continue;
		if (any)
			PUT(p, " ");
		any = true;
		print_enum(p, i, &icmp_types);
	}
	PUT(p, "]");
}

static void show_error(struct printer *p, uint64_t value, const void *data)
{
	const char *name = errno_name((int32_t)value);

	(void)data;
	if (name)
		str_add(p->out, name);
	else
		str_addd(p->out, (int32_t)value);
}

static void show_rehash(struct printer *p, uint64_t value, const void *data)
{
	const struct constants *table = data;
	const char *name = constants_name(table, value);

	if (name) {
		str_add(p->out, name);
		return;
	}
	str_addu(p->out, (uint32_t)value);
	print_comment(p, table->unknown);
}

static const struct pointee error_pointee = { 4, show_error, NULL };
static const struct pointee rehash_pointee = { 4, show_rehash, &socket_rehashes };

/* Print a number. If the kernel returned only some of its bytes, print those bytes. */
static void print_number_part(struct printer *p, uint64_t address, uint32_t len,
			      const struct pointee *pointee)
{
	uint8_t bytes[4];

	if (len >= sizeof(bytes))
		show_pointee(p, address, pointee);
	else if (printer_read(p, address, bytes, len))
		print_hex_bytes(p, bytes, len);
	else
		show_pointer(p, address, NULL);
}

/* Return the type of a SOL_SOCKET option that is an int, whatever its length; NULL: another one. */
static const struct pointee *number_of(uint32_t level, uint32_t option)
{
	static const uint8_t numbers[] = {
		1,  2,  5,  6,  7,  8,  9,  10, 11, 12, 14, 15, 16, 18, 19,
		27, 29, 30, 32, 33, 34, 35, 36, 37, 40, 41, 42, 43, 44, 45,
		46, 49, 53, 56, 60, 63, 64, 65, 68, 69, 70, 73, 75,
	};

	if (level != SOL_SOCKET)
		return NULL;
	if (option == SO_ERROR)
		return &error_pointee;
	if (option == TXREHASH)
		return &rehash_pointee;
	for (size_t i = 0; i < sizeof(numbers); i++)
		if (numbers[i] == option)
			return &int_pointee;
	return NULL;
}

static void print_plain(struct printer *p, uint64_t address, int32_t len)
{
	if (len == sizeof(int32_t))
		show_pointee(p, address, &int_pointee);
	else
		print_buffer(p, address, (uint64_t)(int64_t)len);
}

/* Print an option that looks the same when set and when got; false: another option. */
static bool print_either(struct printer *p, uint64_t address, int32_t len)
{
	uint32_t level = (uint32_t)p->call->args[1], option = (uint32_t)p->call->args[2];

	if (level == SOL_SOCKET && (option == RECEIVE_TIMEOUT || option == SEND_TIMEOUT) &&
	    len >= (int32_t)sizeof(struct timeval))
		show_struct(p, address, &timeval_layout);
	else if (level == IPPROTO_RAW && option == ICMP_FILTER)
		print_icmp_filter(p, address, len);
	else
		return false;
	return true;
}

static bool print_group_set(struct printer *p, uint64_t address, int32_t len)
{
	uint32_t level = (uint32_t)p->call->args[1], option = (uint32_t)p->call->args[2];

	if ((level == IPPROTO_IP || level == IPPROTO_IPV6) &&
	    (option == MCAST_JOIN_GROUP || option == MCAST_LEAVE_GROUP))
		print_group(p, address, len);
	else if (level == IPPROTO_IP &&
		 (option == IP_ADD_MEMBERSHIP || option == IP_DROP_MEMBERSHIP))
		print_membership(p, address, len);
	else if (level == IPPROTO_IPV6 &&
		 (option == IPV6_ADD_MEMBERSHIP || option == IPV6_DROP_MEMBERSHIP ||
		  option == IPV6_JOIN_ANYCAST || option == IPV6_LEAVE_ANYCAST))
		print_membership6(p, address, len);
	else if (level == SOL_PACKET &&
		 (option == PACKET_ADD_MEMBERSHIP || option == PACKET_DROP_MEMBERSHIP))
		print_packet_membership(p, address, len);
	else
		return false;
	return true;
}

void print_option_set(struct printer *p, uint64_t address, int32_t len)
{
	uint32_t level = (uint32_t)p->call->args[1], option = (uint32_t)p->call->args[2];

	const struct pointee *number = number_of(level, option);

	if (print_either(p, address, len) || print_group_set(p, address, len))
		return;
	if (number && option != SO_ERROR && len < (int32_t)sizeof(int32_t))
		show_pointer(p, address, NULL);
	else if (number && option != SO_ERROR)
		show_pointee(p, address, number);
	else if (level == SOL_SOCKET && option == SO_LINGER)
		print_whole(p, address, len >= (int32_t)sizeof(struct linger), &linger_layout);
	else if (level == SOL_SOCKET && len == 16 &&
		 (option == SO_ATTACH_FILTER || option == REUSEPORT_FILTER))
		show_filter_program(p, address, NULL);
	else if (level == SOL_SOCKET && (option == SO_ATTACH_FILTER || option == REUSEPORT_FILTER))
		show_pointer(p, address, NULL);
	else if (level == SOL_PACKET && (option == PACKET_RX_RING || option == PACKET_TX_RING))
		print_whole(p, address, len == (int32_t)sizeof(struct tpacket_req),
			    &packet_ring_layout);
	else if (level == LEVEL_NETLINK && len < (int32_t)sizeof(int32_t))
		show_pointer(p, address, NULL);
	else if (level == LEVEL_NETLINK)
		show_pointee(p, address, &int_pointee);
	else
		print_plain(p, address, len);
}

void print_option_got(struct printer *p, uint64_t address, uint32_t room, uint32_t used)
{
	uint32_t level = (uint32_t)p->call->args[1], option = (uint32_t)p->call->args[2];

	const struct pointee *number = number_of(level, option);

	if (print_either(p, address, (int32_t)used))
		return;
	if (number)
		print_number_part(p, address, used, number);
	else if (level == SOL_SOCKET && option == SO_LINGER)
		print_part(p, address, used, &linger_layout);
	else if (level == SOL_SOCKET && option == SO_PEERCRED)
		print_part(p, address, used, &peer_layout);
	else if (level == SOL_SOCKET && option == SO_GET_FILTER)
		show_pointer(p, address, NULL); /* the address of a program, as strace */
	else if (level == SOL_PACKET && option == PACKET_STATISTICS)
		print_part(p, address, used, &packet_counts_layout);
	else if (level == LEVEL_NETLINK && option == 9) /* NETLINK_LIST_MEMBERSHIPS */
		print_array(p, address, (used < room ? used : room) / 4, 4, element_unsigned, NULL);
	else if (level == LEVEL_NETLINK)
		show_pointee(p, address, &int_pointee);
	else
		print_plain(p, address, (int32_t)(used < room ? used : room));
}
