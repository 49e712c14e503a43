/* Socket options by level. Their values are in sockopt_values.c. */
#include "engine/decode/families/sockopt_values.h"

#include "engine/decode/shapes.h"
#include "engine/decode/tables.h"

/* As in linux/socket.h; some levels are missing in the UAPI headers. */
static const struct {
	uint32_t level;
	const struct constants *both, *get, *set;
} levels[] = {
	{ 0, &ip_options, &ip_get_options, &ip_set_options },
	{ 1, &socket_options, &socket_get_options, NULL },
	{ 6, &tcp_options, NULL, NULL },
	{ 17, &udp_options, NULL, NULL },
	{ 40, &vsock_options, NULL, NULL }, /* AF_VSOCK, which these sockets use as their level */
	{ 41, &ipv6_options, &ipv6_get_options, &ipv6_set_options },
	{ 101, &can_raw_options, NULL, NULL },
	{ 132, &sctp_options, NULL, NULL },
	{ 255, &raw_options, NULL, NULL },
	{ 256, &ipx_options, NULL, NULL },
	{ 257, &ax25_options, NULL, NULL },
	{ 263, &packet_options, NULL, NULL },
	{ 266, &irda_options, NULL, NULL },
	{ 268, &llc_options, NULL, NULL },
	{ 269, &dccp_options, NULL, NULL },
	{ 270, &netlink_options, NULL, NULL },
	{ 271, &tipc_options, NULL, NULL },
	{ 272, &rxrpc_options, NULL, NULL },
	{ 273, &pppol2tp_options, NULL, NULL },
	{ 274, &bluetooth_options, NULL, NULL },
	{ 275, &pnpipe_options, NULL, NULL },
	{ 276, &rds_options, NULL, NULL },
	{ 277, &iucv_options, NULL, NULL },
	{ 278, &caif_options, NULL, NULL },
	{ 279, &alg_options, NULL, NULL },
	{ 280, &nfc_options, NULL, NULL },
	{ 281, &kcm_options, NULL, NULL },
	{ 282, &tls_options, NULL, NULL },
	{ 283, &xdp_options, NULL, NULL },
};

static void print_option(struct printer *p, uint32_t option, bool get)
{
	uint32_t level = (uint32_t)p->call->args[1];

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		const struct constants *own = get ? levels[i].get : levels[i].set;
		const char *name = own ? constants_name(own, option) : NULL;

		if (levels[i].level != level)
			continue;
		if (name)
			str_add(p->out, name);
		else
			print_enum(p, option, levels[i].both);
		return;
	}
	str_addu(p->out, option);
}

static void show_set_option(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_option(p, (uint32_t)value, false);
}

static void show_get_option(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_option(p, (uint32_t)value, true);
}

static void show_set_value(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (!value)
		PUT(p, "NULL");
	else
		print_option_set(p, value, (int32_t)p->call->args[4]);
}

static void show_got_value(struct printer *p, uint64_t value, const void *data)
{
	uint64_t at = p->call->args[4];
	int32_t room, used;

	(void)data;
	if (!printer_read_enter(p, at, &room, sizeof(room)) ||
	    !printer_read(p, at, &used, sizeof(used)) || room <= 0 || used <= 0)
		show_pointer(p, value, NULL);
	else
		print_option_got(p, value, (uint32_t)room, (uint32_t)used);
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
	{ .name = "setsockopt",
	  .classes = NET,
	  .prototype = "int fd, int level, int optname, char * optval, int optlen",
	  .args = { [1] = ENUM(socket_levels),
		    [2] = SHOW(show_set_option),
		    [3] = SHOW(show_set_value) } },
	{ .name = "getsockopt",
	  .classes = NET,
	  .prototype = "int fd, int level, int optname, char * optval, int * optlen",
	  .args = { [1] = ENUM(socket_levels),
		    [2] = SHOW(show_get_option),
		    [3] = SHOW_OUT(show_got_value),
		    [4] = SHOW(show_length) } },
};

CALL_FAMILY(sockopt);
