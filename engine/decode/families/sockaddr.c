/* Socket addresses of the common families. */
#include "engine/decode/shapes.h"

#include "engine/decode/families/sockaddr_rare.h"
#include "engine/decode/tables.h"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define LOOPBACK_INDEX 1 /* in every network namespace */

/*
 * The meaning of an index depends on the network namespace, and stxtop would need system calls to
 * look it up. Only the index of the loopback interface is the same in all namespaces.
 */
void print_interface(struct printer *p, uint32_t index)
{
	if (index == LOOPBACK_INDEX)
		PUT(p, "if_nametoindex(\"lo\")");
	else
		str_addu(p->out, index);
}

void print_inet_address(struct printer *p, const struct in_addr *address)
{
	char text[INET_ADDRSTRLEN];

	PUT(p, "inet_addr(\"");
	str_add(p->out, inet_ntop(AF_INET, address, text, sizeof(text)));
	PUT(p, "\")");
}

void print_inet6_address(struct printer *p, const struct in6_addr *address, const char *name)
{
	char text[INET6_ADDRSTRLEN];

	str_addf(p->out, "inet_pton(AF_INET6, \"%s\", &%s)",
		 inet_ntop(AF_INET6, address, text, sizeof(text)), name);
}

void print_inet_members(struct printer *p, const uint8_t *bytes)
{
	struct sockaddr_in in;
	char text[INET_ADDRSTRLEN];

	memcpy(&in, bytes, sizeof(in));
	str_addf(p->out, ", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")", ntohs(in.sin_port),
		 inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text)));
}

void print_inet6_members(struct printer *p, const uint8_t *bytes, size_t len)
{
	struct sockaddr_in6 in6;
	char text[INET6_ADDRSTRLEN];

	memset(&in6, 0, sizeof(in6));
	memcpy(&in6, bytes, len < sizeof(in6) ? len : sizeof(in6));
	str_addf(p->out, ", sin6_port=htons(%u)", ntohs(in6.sin6_port));
	if (in6.sin6_flowinfo)
		str_addf(p->out, ", sin6_flowinfo=htonl(%u)", ntohl(in6.sin6_flowinfo));
	else
		PUT(p, ", sin6_flowinfo=htonl(0)");
	str_addf(p->out, ", inet_pton(AF_INET6, \"%s\", &sin6_addr)",
		 inet_ntop(AF_INET6, &in6.sin6_addr, text, sizeof(text)));
	if (len > sizeof(in6) - sizeof(in6.sin6_scope_id)) {
		PUT(p, ", sin6_scope_id=");
		if (IN6_IS_ADDR_LINKLOCAL(&in6.sin6_addr) ||
		    IN6_IS_ADDR_MC_LINKLOCAL(&in6.sin6_addr))
			print_interface(p, in6.sin6_scope_id);
		else
			str_addu(p->out, in6.sin6_scope_id);
	}
}

/* Print a path up to its NUL or, if a NUL comes first, the bytes of an abstract name. */
static void print_unix(struct printer *p, const uint8_t *bytes, size_t len)
{
	const char *path = (const char *)bytes + 2;
	size_t path_len = len - 2;

	PUT(p, ", sun_path=");
	if (path_len > sizeof(((struct sockaddr_un *)0)->sun_path))
		path_len = sizeof(((struct sockaddr_un *)0)->sun_path);
	if (path[0]) {
		print_quoted(p, path, strnlen(path, path_len));
	} else {
		PUT(p, "@");
		print_quoted(p, path + 1, path_len - 1);
	}
}

static void print_netlink_address(struct printer *p, const uint8_t *bytes)
{
	struct sockaddr_nl nl;

	memcpy(&nl, bytes, sizeof(nl));
	if (nl.nl_pad)
		str_addf(p->out, ", nl_pad=%#x", nl.nl_pad);
	str_addf(p->out, ", nl_pid=%d, nl_groups=%#08x", (int)nl.nl_pid, nl.nl_groups);
}

static void print_packet(struct printer *p, const uint8_t *bytes, size_t len)
{
	struct sockaddr_ll ll;
	const char *name;

	memset(&ll, 0, sizeof(ll));
	memcpy(&ll, bytes, len < sizeof(ll) ? len : sizeof(ll));
	PUT(p, ", sll_protocol=htons(");
	name = constants_name(&ethernet_protocols, ntohs(ll.sll_protocol));
	if (name)
		str_add(p->out, name);
	else
		str_addf(p->out, "%#x /* ETH_P_??? */", ntohs(ll.sll_protocol));
	PUT(p, "), sll_ifindex=");
	print_interface(p, (uint32_t)ll.sll_ifindex);
	PUT(p, ", sll_hatype=");
	print_enum(p, ll.sll_hatype, &arp_hardware_types);
	PUT(p, ", sll_pkttype=");
	print_enum(p, ll.sll_pkttype, &packet_types);
	str_addf(p->out, ", sll_halen=%u", ll.sll_halen);
	if (!ll.sll_halen)
		return;
	PUT(p, ", sll_addr=[");
	for (size_t i = 0; i < ll.sll_halen; i++) {
		if (i)
			PUT(p, ", ");
		if (offsetof(struct sockaddr_ll, sll_addr) + i >= len) {
			PUT(p, "...");
			break;
		}
		/* strace prints a zero with two digits and without 0x. */
		if (bytes[offsetof(struct sockaddr_ll, sll_addr) + i])
			str_addx(p->out, bytes[offsetof(struct sockaddr_ll, sll_addr) + i]);
		else
			PUT(p, "00");
	}
	PUT(p, "]");
}

void print_sockaddr_bytes(struct printer *p, const void *given, size_t len)
{
	uint64_t words[SOCKADDR_BYTES / 8] = { 0 };
	const uint8_t *bytes = (const uint8_t *)words;
	uint16_t family;

	if (len > sizeof(words))
		len = sizeof(words);
	memcpy(words, given, len);
	if (len < sizeof(family)) {
		PUT(p, "{sa_data=");
		print_quoted(p, bytes, len);
		PUT(p, "}");
		return;
	}
	memcpy(&family, bytes, sizeof(family));
	PUT(p, "{sa_family=");
	print_enum(p, family, &socket_families);
	if (family == AF_UNIX && len > 2) {
		print_unix(p, bytes, len);
	} else if (family == AF_INET && len >= sizeof(struct sockaddr_in)) {
		print_inet_members(p, bytes);
	} else if (family == AF_INET6 && len >= sizeof(struct sockaddr_in6) - 4) {
		print_inet6_members(p, bytes, len);
	} else if (family == AF_NETLINK && len >= sizeof(struct sockaddr_nl)) {
		print_netlink_address(p, bytes);
	} else if (family == AF_PACKET && len >= sizeof(struct sockaddr_ll)) {
		print_packet(p, bytes, len);
	} else if (len > sizeof(family) && !print_rare_sockaddr(p, family, bytes, len)) {
		PUT(p, ", sa_data=");
		print_quoted(p, bytes + 2, len - 2);
	}
	PUT(p, "}");
}

void print_sockaddr(struct printer *p, uint64_t address, uint64_t len)
{
	uint64_t bytes[SOCKADDR_BYTES / 8] = { 0 };

	if (len > SOCKADDR_BYTES)
		len = SOCKADDR_BYTES;
	if (len < 2 || !printer_read(p, address, bytes, (size_t)len))
		show_pointer(p, address, NULL);
	else
		print_sockaddr_bytes(p, bytes, (size_t)len);
}
