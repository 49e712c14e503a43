/* Requests of sockets and network interfaces. */
#include "engine/decode/ioctl_args.h"

#include "engine/decode/tables.h"

#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>

static void print_name(struct printer *p, const struct ifreq *request)
{
	PUT(p, "ifr_name=");
	print_char_array(p, request->ifr_name, sizeof(request->ifr_name));
}

/* Return the address length of a hardware type (linux/if_arp.h); `room` if unknown. */
static size_t hardware_bytes(unsigned kind, size_t room)
{
	static const struct {
		uint16_t kind;
		uint8_t bytes;
	} known[] = {
		{ 7, 1 },   { 290, 1 }, { 773, 1 }, { 820, 1 }, { 821, 1 }, { 822, 1 },
		{ 15, 2 },  { 768, 4 }, { 776, 4 }, { 777, 4 }, { 778, 4 }, { 779, 4 },
		{ 783, 4 }, { 270, 5 }, { 271, 5 }, { 1, 6 },   { 6, 6 },   { 772, 6 },
		{ 774, 6 }, { 780, 6 }, { 801, 6 }, { 802, 6 }, { 803, 6 }, { 0, 7 },
		{ 3, 7 },   { 27, 8 },  { 804, 8 }, { 805, 8 }, { 825, 8 }, { 826, 8 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].kind == kind)
			return known[i].bytes;
	return room;
}

static void print_hardware_address(struct printer *p, const struct sockaddr *address)
{
	const uint8_t *bytes = (const uint8_t *)address->sa_data;
	size_t len = hardware_bytes(address->sa_family, sizeof(address->sa_data));

	PUT(p, "{sa_family=");
	print_enum(p, address->sa_family, &arp_hardware_types);
	PUT(p, ", sa_data=");
	for (size_t i = 0; i < len; i++)
		str_addf(p->out, "%s%02x", i ? ":" : "", bytes[i]);
	PUT(p, "}");
}

/* clang-format off */
LAYOUT(map_layout, struct ifmap,
	MEMBER(struct ifmap, mem_start, show_hex_long),
	MEMBER(struct ifmap, mem_end, show_hex_long),
	MEMBER(struct ifmap, base_addr, show_hex),
	MEMBER(struct ifmap, irq, show_hex),
	MEMBER(struct ifmap, dma, show_hex),
	MEMBER(struct ifmap, port, show_hex));
/* clang-format on */

static void print_interface_value(struct printer *p, uint32_t code, const struct ifreq *request)
{
	switch (code) {
	case SIOCGIFINDEX:
		str_addf(p->out, "ifr_ifindex=%d", request->ifr_ifindex);
		break;
	case SIOCGIFFLAGS:
	case SIOCSIFFLAGS:
		PUT(p, "ifr_flags=");
		show_flags(p, (uint16_t)request->ifr_flags, &interface_flags);
		break;
	case SIOCGIFMTU:
	case SIOCSIFMTU:
		str_addf(p->out, "ifr_mtu=%d", request->ifr_mtu);
		break;
	case SIOCGIFMETRIC:
	case SIOCSIFMETRIC:
		str_addf(p->out, "ifr_metric=%d", request->ifr_metric);
		break;
	case SIOCGIFTXQLEN:
	case SIOCSIFTXQLEN:
		str_addf(p->out, "ifr_qlen=%d", request->ifr_qlen);
		break;
	case SIOCGIFADDR:
	case SIOCSIFADDR:
		PUT(p, "ifr_addr=");
		print_sockaddr_bytes(p, &request->ifr_addr, sizeof(request->ifr_addr));
		break;
	case SIOCGIFDSTADDR:
	case SIOCSIFDSTADDR:
		PUT(p, "ifr_dstaddr=");
		print_sockaddr_bytes(p, &request->ifr_addr, sizeof(request->ifr_addr));
		break;
	case SIOCGIFBRDADDR:
	case SIOCSIFBRDADDR:
		PUT(p, "ifr_broadaddr=");
		print_sockaddr_bytes(p, &request->ifr_addr, sizeof(request->ifr_addr));
		break;
	case SIOCGIFNETMASK:
	case SIOCSIFNETMASK:
		PUT(p, "ifr_netmask=");
		print_sockaddr_bytes(p, &request->ifr_addr, sizeof(request->ifr_addr));
		break;
	case SIOCGIFHWADDR:
	case SIOCSIFHWADDR:
	case SIOCSIFHWBROADCAST:
	case SIOCADDMULTI:
	case SIOCDELMULTI:
		PUT(p, "ifr_hwaddr=");
		print_hardware_address(p, &request->ifr_hwaddr);
		break;
	case SIOCGIFSLAVE:
	case SIOCSIFSLAVE:
		PUT(p, "ifr_slave=");
		print_char_array(p, request->ifr_slave, sizeof(request->ifr_slave));
		break;
	case SIOCSIFNAME:
		PUT(p, "ifr_newname=");
		print_char_array(p, request->ifr_newname, sizeof(request->ifr_newname));
		break;
	case SIOCGIFMAP:
	case SIOCSIFMAP:
		PUT(p, "ifr_map=");
		element_struct(p, &request->ifr_map, &map_layout);
		break;
	default:
		PUT(p, "...");
		break;
	}
}

/* Show the name of the interface and the value that the kernel stored. */
static void show_get_interface(struct printer *p, uint64_t value, const void *data)
{
	struct ifreq request;
	uint32_t code = (uint32_t)p->call->args[1];

	(void)data;
	if (!printer_read(p, value, &request, sizeof(request))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{");
	if (code == SIOCGIFNAME) {
		str_addf(p->out, "ifr_ifindex=%d", request.ifr_ifindex);
		p->when = BYTES_AT_EXIT;
		if (printer_succeeded(p) && printer_read(p, value, &request, sizeof(request))) {
			PUT(p, ", ");
			print_name(p, &request);
		}
	} else {
		print_name(p, &request);
		p->when = BYTES_AT_EXIT;
		if (printer_succeeded(p) && printer_read(p, value, &request, sizeof(request))) {
			PUT(p, ", ");
			print_interface_value(p, code, &request);
		}
	}
	PUT(p, "}");
}

static void show_set_interface(struct printer *p, uint64_t value, const void *data)
{
	struct ifreq request;

	(void)data;
	if (!printer_read(p, value, &request, sizeof(request))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{");
	print_name(p, &request);
	PUT(p, ", ");
	print_interface_value(p, (uint32_t)p->call->args[1], &request);
	PUT(p, "}");
}

/* Print the length, and as a comment the number of elements. */
static void print_list_length(struct printer *p, int len)
{
	str_addd(p->out, len);
	if (len > 0 && len % (int)sizeof(struct ifreq) == 0)
		str_addf(p->out, " /* %d * sizeof(struct ifreq) */",
			 len / (int)sizeof(struct ifreq));
}

static void element_interface(struct printer *p, const void *element, const void *data)
{
	struct ifreq request;

	(void)data;
	memcpy(&request, element, sizeof(request));
	PUT(p, "{");
	print_name(p, &request);
	PUT(p, ", ifr_addr=");
	print_sockaddr_bytes(p, &request.ifr_addr, sizeof(request.ifr_addr));
	PUT(p, "}");
}

/* Without a buffer the kernel stores the required length. */
static void show_interfaces(struct printer *p, uint64_t value, const void *data)
{
	struct ifconf before, after;
	bool known;

	if (!printer_read_enter(p, value, &before, sizeof(before))) {
		show_pointer(p, value, NULL);
		return;
	}
	after = before;
	p->when = BYTES_AT_EXIT;
	known = p->call->state == CALL_DONE && printer_read(p, value, &after, sizeof(after));
	PUT(p, "{ifc_len=");
	if (before.ifc_buf)
		print_list_length(p, before.ifc_len);
	if (before.ifc_buf && after.ifc_len != before.ifc_len)
		PUT(p, " => ");
	if (!before.ifc_buf || after.ifc_len != before.ifc_len)
		print_list_length(p, after.ifc_len);
	PUT(p, ", ifc_buf=");
	if (before.ifc_buf && known && printer_succeeded(p))
		print_array(p, (uintptr_t)after.ifc_buf,
			    (uint32_t)after.ifc_len / sizeof(struct ifreq), sizeof(struct ifreq),
			    element_interface, data);
	else
		show_pointer(p, (uintptr_t)before.ifc_buf, NULL);
	PUT(p, "}");
}

static void show_bridge_name(struct printer *p, uint64_t value, const void *data)
{
	char name[IFNAMSIZ];

	(void)data;
	if (!printer_read(p, value, name, sizeof(name))) {
		show_pointer(p, value, NULL);
		return;
	}
	print_quoted(p, name, strnlen(name, sizeof(name)));
	if (!memchr(name, '\0', sizeof(name)))
		PUT(p, "...");
}

static void show_bridge_member(struct printer *p, uint64_t value, const void *data)
{
	struct ifreq request;

	(void)data;
	if (!printer_read(p, value, &request, sizeof(request))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{ifr_ifindex=");
	print_interface(p, (uint32_t)request.ifr_ifindex);
	PUT(p, "}");
}

/* Arguments that strace shows only as a pointer. */
/* clang-format off */
#define POINTER(code) { code, IOCTL_WRITES, show_pointer, NULL, 0 }

static const struct ioctl_arg ioctl_net_args_list[] = {
	{ SIOCGIFCONF, IOCTL_BOTH, show_interfaces, NULL, sizeof(struct ifconf) },
	{ SIOCGIFNAME, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFINDEX, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFFLAGS, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFADDR, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFDSTADDR, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFBRDADDR, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFNETMASK, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFMETRIC, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFMTU, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFHWADDR, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFTXQLEN, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFFLAGS, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFADDR, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFDSTADDR, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFBRDADDR, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFNETMASK, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFMETRIC, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFMTU, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFTXQLEN, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFSLAVE, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCGIFMAP, IOCTL_BOTH, show_get_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFSLAVE, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFMAP, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFNAME, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFHWADDR, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCSIFHWBROADCAST, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCADDMULTI, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCDELMULTI, IOCTL_WRITES, show_set_interface, NULL, sizeof(struct ifreq) },
	{ SIOCBRADDBR, IOCTL_WRITES, show_bridge_name, NULL, IFNAMSIZ },
	{ SIOCBRDELBR, IOCTL_WRITES, show_bridge_name, NULL, IFNAMSIZ },
	{ SIOCBRADDIF, IOCTL_WRITES, show_bridge_member, NULL, sizeof(struct ifreq) },
	{ SIOCBRDELIF, IOCTL_WRITES, show_bridge_member, NULL, sizeof(struct ifreq) },
	{ SIOCGIFENCAP, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ SIOCSIFENCAP, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ SIOCOUTQNSD, IOCTL_READS, show_pointee, &int_pointee, 0 },
	POINTER(SIOCADDDLCI), POINTER(SIOCADDRT), POINTER(SIOCBONDCHANGEACTIVE),
	POINTER(SIOCBONDENSLAVE), POINTER(SIOCBONDINFOQUERY), POINTER(SIOCBONDRELEASE),
	POINTER(SIOCBONDSETHWADDR), POINTER(SIOCBONDSLAVEINFOQUERY), POINTER(SIOCDARP),
	POINTER(SIOCDELDLCI), POINTER(SIOCDELRT), POINTER(SIOCDIFADDR),
	POINTER(SIOCDRARP), POINTER(SIOCETHTOOL), POINTER(SIOCGARP),
	POINTER(SIOCGHWTSTAMP), POINTER(SIOCGIFBR), POINTER(SIOCGIFCOUNT),
	POINTER(SIOCGIFMEM), POINTER(SIOCGIFPFLAGS), POINTER(SIOCGIFVLAN),
	POINTER(SIOCGMIIPHY), POINTER(SIOCGMIIREG), POINTER(SIOCGRARP),
	POINTER(SIOCGSKNS), POINTER(SIOCGSTAMP_OLD), POINTER(0x80108906u),
	POINTER(SIOCGSTAMPNS_OLD), POINTER(0x80108907u), POINTER(SIOCRTMSG),
	POINTER(SIOCSARP), POINTER(SIOCSHWTSTAMP), POINTER(SIOCSIFBR),
	POINTER(SIOCSIFLINK), POINTER(SIOCSIFMEM), POINTER(SIOCSIFPFLAGS),
	POINTER(SIOCSIFVLAN), POINTER(SIOCSMIIREG), POINTER(SIOCSRARP),
	POINTER(SIOCWANDEV),
	{ SIOCATMARK, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ SIOCGPGRP, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ SIOCSPGRP, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ FIOGETOWN, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ FIOSETOWN, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
};
/* clang-format on */
IOCTL_ARGS(ioctl_net_args);
