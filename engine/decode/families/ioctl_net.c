/* Requests of sockets and network interfaces. */
#include "engine/decode/families/ioctl_args.h"

#include "engine/decode/constants/tables.h"

#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>

static void print_name(struct printer *p, const struct ifreq *request)
{
	PUT(p, "ifr_name=");
	print_char_array(p, request->ifr_name, sizeof(request->ifr_name));
}

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
	case SIOCSIFHWADDR: {
		const uint8_t *mac = (const uint8_t *)request->ifr_hwaddr.sa_data;

		PUT(p, "ifr_hwaddr={sa_family=");
		print_enum(p, request->ifr_hwaddr.sa_family, &arp_hardware_types);
		str_addf(p->out, ", sa_data=%02x:%02x:%02x:%02x:%02x:%02x}", mac[0], mac[1],
			 mac[2], mac[3], mac[4], mac[5]);
		break;
	}
	default:
		PUT(p, "...");
		break;
	}
}

/* By name, and the kernel adds what was asked for. */
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

static void show_interfaces(struct printer *p, uint64_t value, const void *data)
{
	struct ifconf before, after;
	uint64_t count;

	(void)data;
	if (!printer_read(p, value, &before, sizeof(before))) {
		show_pointer(p, value, NULL);
		return;
	}
	p->when = BYTES_AT_EXIT;
	PUT(p, "{ifc_len=");
	str_addd(p->out, before.ifc_len);
	if (before.ifc_buf)
		PUT(p, " /* 40 * sizeof(struct ifreq) */");
	if (before.ifc_buf)
		str_cut(p->out, p->out->len - strlen(" /* 40 * sizeof(struct ifreq) */"));
	if (before.ifc_buf)
		str_addf(p->out, " /* %d * sizeof(struct ifreq) */",
			 before.ifc_len / (int)sizeof(struct ifreq));
	if (!printer_succeeded(p) || !printer_read(p, value, &after, sizeof(after))) {
		PUT(p, ", ifc_buf=");
		show_pointer(p, (uintptr_t)before.ifc_buf, NULL);
		PUT(p, "}");
		return;
	}
	if (after.ifc_len != before.ifc_len)
		str_addf(p->out, " => %d", after.ifc_len);
	if (!before.ifc_buf) {
		PUT(p, ", ifc_buf=NULL}");
		return;
	}
	if (after.ifc_len != before.ifc_len)
		str_addf(p->out, " /* %d * sizeof(struct ifreq) */",
			 after.ifc_len / (int)sizeof(struct ifreq));
	count = (uint64_t)after.ifc_len / sizeof(struct ifreq);
	PUT(p, ", ifc_buf=[");
	for (uint64_t i = 0; i < count && i < ARRAY_ITEMS; i++) {
		struct ifreq request;

		if (!printer_read(p, (uintptr_t)after.ifc_buf + i * sizeof(request), &request,
				  sizeof(request)))
			break;
		str_add(p->out, i ? ", {" : "{");
		print_name(p, &request);
		PUT(p, ", ifr_addr=");
		print_sockaddr_bytes(p, &request.ifr_addr, sizeof(request.ifr_addr));
		PUT(p, "}");
	}
	PUT(p, "]}");
}

static const struct ioctl_arg ioctl_net_args_list[] = {
	{ SIOCGIFCONF, IOCTL_BOTH, show_interfaces, NULL },
	{ SIOCGIFNAME, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFINDEX, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFFLAGS, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFADDR, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFDSTADDR, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFBRDADDR, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFNETMASK, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFMETRIC, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFMTU, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFHWADDR, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCGIFTXQLEN, IOCTL_BOTH, show_get_interface, NULL },
	{ SIOCSIFFLAGS, IOCTL_WRITES, show_set_interface, NULL },
	{ SIOCSIFADDR, IOCTL_WRITES, show_set_interface, NULL },
	{ SIOCSIFDSTADDR, IOCTL_WRITES, show_set_interface, NULL },
	{ SIOCSIFBRDADDR, IOCTL_WRITES, show_set_interface, NULL },
	{ SIOCSIFNETMASK, IOCTL_WRITES, show_set_interface, NULL },
	{ SIOCSIFMETRIC, IOCTL_WRITES, show_set_interface, NULL },
	{ SIOCSIFMTU, IOCTL_WRITES, show_set_interface, NULL },
	{ SIOCSIFTXQLEN, IOCTL_WRITES, show_set_interface, NULL },
	{ SIOCATMARK, IOCTL_READS, show_pointee, &int_pointee },
	{ SIOCGPGRP, IOCTL_READS, show_pointee, &int_pointee },
	{ SIOCSPGRP, IOCTL_WRITES, show_pointee, &int_pointee },
	{ FIOGETOWN, IOCTL_READS, show_pointee, &int_pointee },
	{ FIOSETOWN, IOCTL_WRITES, show_pointee, &int_pointee },
};
IOCTL_ARGS(ioctl_net_args);
