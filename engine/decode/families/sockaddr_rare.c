#include "engine/decode/families/sockaddr_rare.h"

#include "engine/decode/shapes.h"
#include "engine/decode/tables.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* Literal values: linux/ax25.h and similar headers are not installed everywhere. */
#define AX25_CALL_BYTES 7
#define AX25_DIGIPEATERS 8
#define FAMILY_MCTP 45

static void print_hex_bytes(struct printer *p, const void *bytes, size_t len)
{
	bool hex = p->hex;

	p->hex = true;
	print_quoted(p, bytes, len);
	p->hex = hex;
}

static void print_hardware_address(struct printer *p, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		str_addf(p->out, "%s%02x", i ? ":" : "", bytes[i]);
}

/* Print the number, with its name as a comment. */
static void print_remarked(struct printer *p, uint32_t value, const struct constants *table)
{
	const char *name = constants_name(table, value);

	str_addx(p->out, value);
	if (name || table->unknown)
		print_comment(p, name ? name : table->unknown);
}

static uint16_t half_at(const uint8_t *bytes)
{
	uint16_t half;

	memcpy(&half, bytes, sizeof(half));
	return half;
}

static uint32_t word_at(const uint8_t *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* -- Radio --------------------------------------------------------------------------------- */

enum call_sign {
	SIGN_SANE,
	SIGN_ODD, /* shown as bytes */
	SIGN_NONE
};

/* Check a call sign: six letters shifted left by one bit, space-padded, and a number byte. */
static enum call_sign judge_call_sign(const uint8_t *call)
{
	enum call_sign sign = SIGN_SANE;
	bool space = false, letters = false;

	for (unsigned i = 0; i < AX25_CALL_BYTES - 1; i++) {
		uint8_t c = call[i] >> 1;

		if (c < ' ' || c > '~' || c == '*' || c == '/')
			return SIGN_NONE;
		if (call[i] & 1 || (c != ' ' && space) ||
		    ((c < '0' || c > '9') && (c < 'A' || c > 'Z') && c != ' '))
			sign = SIGN_ODD;
		if (c == ' ')
			space = true;
		else
			letters = true;
	}
	if (call[AX25_CALL_BYTES - 1] & ~0x1e || (!letters && call[AX25_CALL_BYTES - 1]))
		sign = SIGN_ODD;
	return sign;
}

static void print_call_sign(struct printer *p, const uint8_t *call)
{
	enum call_sign sign = judge_call_sign(call);
	unsigned end = AX25_CALL_BYTES - 1, station = call[AX25_CALL_BYTES - 1] >> 1 & 15;

	if (sign != SIGN_SANE) {
		PUT(p, "{ax25_call=");
		print_hex_bytes(p, call, AX25_CALL_BYTES);
		PUT(p, "}");
	}
	if (sign == SIGN_NONE)
		return;
	if (sign == SIGN_ODD)
		PUT(p, " /* ");
	while (end && call[end - 1] >> 1 == ' ')
		end--;
	for (unsigned i = 0; i < end; i++)
		str_addc(p->out, (char)(call[i] >> 1));
	if (end || station)
		str_addf(p->out, "-%u", station);
	else
		PUT(p, "*");
	if (sign == SIGN_ODD)
		PUT(p, " */");
}

static void print_ax25(struct printer *p, const uint8_t *bytes, size_t len)
{
	int32_t wanted = (int32_t)word_at(bytes + 12);
	bool full = wanted || len > 16;
	size_t known = (len - 16) / AX25_CALL_BYTES, shown;

	str_add(p->out, full ? ", fsa_ax25={sax25_call=" : ", sax25_call=");
	print_call_sign(p, bytes + 2);
	str_addf(p->out, ", sax25_ndigis=%d", wanted);
	if (!full)
		return;
	PUT(p, "}");
	known = known < AX25_DIGIPEATERS ? known : AX25_DIGIPEATERS;
	shown = wanted < 0 ? 0 : wanted < AX25_DIGIPEATERS ? (size_t)wanted : AX25_DIGIPEATERS;
	if (shown) {
		PUT(p, ", fsa_digipeater=[");
		for (size_t i = 0; i < shown && i < known; i++) {
			if (i)
				PUT(p, ", ");
			print_call_sign(p, bytes + 16 + i * AX25_CALL_BYTES);
		}
		if (shown > known)
			str_add(p->out, known ? ", ..." : "...");
		PUT(p, "]");
	}
	if (len > 16 + known * AX25_CALL_BYTES)
		PUT(p, ", ...");
}

static void print_htobs(struct printer *p, uint16_t value, const struct constants *table,
			const char *dynamic)
{
	const char *name = constants_name(table, value);

	PUT(p, "htobs(");
	if (name)
		str_add(p->out, name);
	else if (dynamic)
		str_add(p->out, dynamic);
	else
		print_enum(p, value, table);
	PUT(p, ")");
}

/* Dynamically assigned channels are shown relative to the first: "L2CAP_PSM_DYN_START+5". */
static void print_psm(struct printer *p, uint16_t psm)
{
	char dynamic[40];

	if (psm >= 0x1001)
		snprintf(dynamic, sizeof(dynamic), "L2CAP_PSM_DYN_START+%u", psm - 0x1001u);
	else if (psm >= 0x80 && psm <= 0xff)
		snprintf(dynamic, sizeof(dynamic), "L2CAP_PSM_LE_DYN_START+%u", psm - 0x80u);
	else
		dynamic[0] = '\0';
	print_htobs(p, psm, &bluetooth_psms, dynamic[0] ? dynamic : NULL);
}

static void print_channel(struct printer *p, uint16_t cid)
{
	char dynamic[40];

	snprintf(dynamic, sizeof(dynamic), "L2CAP_CID_DYN_START+%u", cid - 0x40u);
	print_htobs(p, cid, &bluetooth_cids, cid >= 0x40 ? dynamic : NULL);
}

/* Print one of five structs, which only the length distinguishes. */
static bool print_bluetooth(struct printer *p, const uint8_t *bytes, size_t len)
{
	switch (len) {
	case 4:
	case 6:
		str_addf(p->out, ", hci_dev=htobs(%u)", half_at(bytes + 2));
		if (len == 6) {
			PUT(p, ", hci_channel=");
			print_enum(p, half_at(bytes + 4), &bluetooth_channels);
		}
		return true;
	case 8:
		PUT(p, ", sco_bdaddr=");
		print_hardware_address(p, bytes + 2, 6);
		return true;
	case 10:
		PUT(p, ", rc_bdaddr=");
		print_hardware_address(p, bytes + 2, 6);
		str_addf(p->out, ", rc_channel=%u", bytes[8]);
		return true;
	case 12:
	case 14:
		PUT(p, ", l2_psm=");
		print_psm(p, half_at(bytes + 2));
		PUT(p, ", l2_bdaddr=");
		print_hardware_address(p, bytes + 4, 6);
		PUT(p, ", l2_cid=");
		print_channel(p, half_at(bytes + 10));
		if (len == 14) {
			PUT(p, ", l2_bdaddr_type=");
			print_enum(p, bytes[12], &bluetooth_address_types);
		}
		return true;
	default:
		return false;
	}
}

static void print_ieee802154(struct printer *p, const uint8_t *bytes)
{
	uint32_t type = word_at(bytes + 4);

	PUT(p, ", addr={addr_type=");
	print_remarked(p, type, &ieee802154_types);
	PUT(p, ", pan_id=");
	print_remarked(p, half_at(bytes + 8), &ieee802154_pan_ids);
	if (type == 2) { /* IEEE802154_ADDR_SHORT */
		PUT(p, ", short_addr=");
		print_remarked(p, half_at(bytes + 10), &ieee802154_addresses);
	} else if (type) {
		PUT(p, ", hwaddr=");
		print_hardware_address(p, bytes + 10, 8);
	}
	PUT(p, "}");
}

static void print_nfc(struct printer *p, const uint8_t *bytes, size_t len)
{
	uint64_t name_len;

	PUT(p, ", dev_idx=");
	print_interface(p, word_at(bytes + 4));
	PUT(p, ", target_idx=");
	str_addx(p->out, word_at(bytes + 8));
	PUT(p, ", nfc_protocol=");
	print_enum(p, word_at(bytes + 12), &nfc_protocols);
	if (len < 96) {
		if (len > 16)
			PUT(p, ", ...");
		return;
	}
	memcpy(&name_len, bytes + 88, sizeof(name_len));
	PUT(p, ", dsap=");
	print_remarked(p, bytes[16], &nfc_access_points);
	PUT(p, ", ssap=");
	print_remarked(p, bytes[17], &nfc_access_points);
	PUT(p, ", service_name=");
	print_quoted(p, bytes + 18, name_len < 63 ? (size_t)name_len : 63);
	PUT(p, ", service_name_len=");
	str_addu(p->out, name_len);
}

/* -- Networks of other kinds ----------------------------------------------------------------- */

/* Print one byte with 0x, but a zero as "00". */
static void print_byte(struct printer *p, uint8_t byte)
{
	if (byte)
		str_addx(p->out, byte);
	else
		PUT(p, "00");
}

static void print_ipx(struct printer *p, const uint8_t *bytes)
{
	str_addf(p->out, ", sipx_port=htons(%u), sipx_network=htonl(", ntohs(half_at(bytes + 2)));
	str_addx(p->out, ntohl(word_at(bytes + 4)));
	PUT(p, "), sipx_node=[");
	for (unsigned i = 0; i < 6; i++) {
		if (i)
			PUT(p, ", ");
		print_byte(p, bytes[8 + i]);
	}
	PUT(p, "], sipx_type=");
	print_byte(p, bytes[14]);
	if (bytes[15])
		str_addf(p->out, ", sipx_zero=%#x", bytes[15]);
}

static void print_tipc(struct printer *p, const uint8_t *bytes)
{
	int scope = (int8_t)bytes[3];
	uint32_t a = word_at(bytes + 4), b = word_at(bytes + 8), c = word_at(bytes + 12);

	PUT(p, ", addrtype=");
	print_enum(p, bytes[2], &tipc_types);
	str_add(p->out, scope < 0 ? ", scope=-" : ", scope=");
	print_enum(p, (uint32_t)(scope < 0 ? -scope : scope), &tipc_scopes);
	PUT(p, ", addr=");
	switch (bytes[2]) {
	case 1: /* TIPC_SERVICE_RANGE */
		str_addf(p->out, "{nameseq={type=%u, lower=%u, upper=%u}}", a, b, c);
		break;
	case 2: /* TIPC_SERVICE_ADDR */
		str_addf(p->out, "{name={name={type=%u, instance=%u}, domain=", a, b);
		str_addx(p->out, c);
		PUT(p, "}}");
		break;
	case 3: /* TIPC_SOCKET_ADDR */
		str_addf(p->out, "{id={ref=%u, node=", a);
		str_addx(p->out, b);
		PUT(p, "}}");
		break;
	default:
		print_quoted(p, bytes + 4, 12);
		break;
	}
}

/* Print an rxrpc address, which contains the address of its transport. */
static void print_rxrpc(struct printer *p, const uint8_t *bytes, size_t len)
{
	uint16_t transport_len = half_at(bytes + 6), family = half_at(bytes + 8);
	size_t within = transport_len < len - 8 ? transport_len : len - 8;
	size_t rest = within > 2 ? within - 2 : 0;
	const char *name = family == AF_INET ? "sin" : family == AF_INET6 ? "sin6" : NULL;

	PUT(p, ", srx_service=");
	print_remarked(p, half_at(bytes + 2), &rxrpc_services);
	PUT(p, ", transport_type=");
	print_enum(p, half_at(bytes + 4), &socket_types);
	str_addf(p->out, ", transport_len=%u, transport={", transport_len);
	if (name)
		str_addf(p->out, "%s={%s_", name, name);
	PUT(p, "family=");
	print_enum(p, family, &socket_families);
	if (family == AF_INET && transport_len >= sizeof(struct sockaddr_in)) {
		print_inet_members(p, bytes + 8);
	} else if (family == AF_INET6 && transport_len >= sizeof(struct sockaddr_in6) - 4) {
		print_inet6_members(p, bytes + 8, within);
	} else if (rest) {
		PUT(p, ", ");
		print_quoted(p, bytes + 10, rest);
	}
	str_add(p->out, name ? "}}" : "}");
}

static void print_qrtr(struct printer *p, const uint8_t *bytes)
{
	PUT(p, ", sq_node=");
	print_enum(p, word_at(bytes + 4), &qrtr_nodes);
	PUT(p, ", sq_port=");
	print_enum(p, word_at(bytes + 8), &qrtr_ports);
}

static void print_mctp(struct printer *p, const uint8_t *bytes)
{
	if (half_at(bytes + 2))
		str_addf(p->out, ", __smctp_pad0=%#x", half_at(bytes + 2));
	PUT(p, ", smctp_network=");
	print_enum(p, word_at(bytes + 4), &mctp_networks);
	PUT(p, ", smctp_addr={s_addr=");
	print_enum(p, bytes[8], &mctp_addresses);
	PUT(p, "}, smctp_type=");
	str_addx(p->out, bytes[9]);
	PUT(p, ", smctp_tag=");
	str_addx(p->out, bytes[10]);
	if (bytes[11])
		str_addf(p->out, ", __smctp_pad1=%#x", bytes[11]);
}

/* -- Within a machine ------------------------------------------------------------------------ */

static void print_vsock(struct printer *p, const uint8_t *bytes)
{
	if (half_at(bytes + 2))
		str_addf(p->out, ", svm_reserved1=%#x", half_at(bytes + 2));
	PUT(p, ", svm_cid=");
	print_enum(p, word_at(bytes + 8), &vsock_cids);
	PUT(p, ", svm_port=");
	print_enum(p, word_at(bytes + 4), &vsock_ports);
	PUT(p, ", svm_flags=");
	show_flags(p, bytes[12], &vsock_flags);
	if (bytes[13] || bytes[14] || bytes[15]) {
		PUT(p, ", svm_zero=");
		print_hex_bytes(p, bytes + 13, 3);
	}
}

static void print_xdp(struct printer *p, const uint8_t *bytes)
{
	uint16_t flags = half_at(bytes + 2);
	uint32_t fd = word_at(bytes + 12);

	PUT(p, ", sxdp_flags=");
	show_flags(p, flags, &xdp_flags);
	PUT(p, ", sxdp_ifindex=");
	print_interface(p, word_at(bytes + 4));
	str_addf(p->out, ", sxdp_queue_id=%u", word_at(bytes + 8));
	if (flags & 1) { /* XDP_SHARED_UMEM */
		PUT(p, ", sxdp_shared_umem_fd=");
		show_fd(p, fd, NULL);
	} else if (fd) {
		str_addf(p->out, ", sxdp_shared_umem_fd=%#x", fd);
	}
}

static void print_algorithm_flags(struct printer *p, uint32_t flags)
{
	str_addx(p->out, flags);
	if (!flags)
		return;
	PUT(p, " /* ");
	if (!print_flags_of(p, flags, &algorithm_flags))
		str_add(p->out, algorithm_flags.unknown);
	PUT(p, " */");
}

static void print_algorithm(struct printer *p, const uint8_t *bytes, size_t len)
{
	PUT(p, ", salg_type=");
	print_char_array(p, bytes + 2, 14);
	PUT(p, ", salg_feat=");
	print_algorithm_flags(p, word_at(bytes + 16));
	PUT(p, ", salg_mask=");
	print_algorithm_flags(p, word_at(bytes + 20));
	PUT(p, ", salg_name=");
	print_char_array(p, bytes + 24, len - 24);
}

static void print_x25(struct printer *p, const uint8_t *bytes)
{
	PUT(p, ", sx25_addr={x25_addr=");
	print_char_array(p, bytes + 2, 16);
	PUT(p, "}");
}

bool print_rare_sockaddr(struct printer *p, unsigned family, const uint8_t *bytes, size_t len)
{
	static const struct {
		uint8_t family, bytes;
		void (*print)(struct printer *p, const uint8_t *bytes);
		void (*print_upto)(struct printer *p, const uint8_t *bytes, size_t len);
	} rare[] = {
		{ AF_AX25, 16, NULL, print_ax25 },
		{ AF_IPX, 16, print_ipx, NULL },
		{ AF_X25, 18, print_x25, NULL },
		{ AF_TIPC, 16, print_tipc, NULL },
		{ AF_RXRPC, 36, NULL, print_rxrpc },
		{ AF_IEEE802154, 20, print_ieee802154, NULL },
		{ AF_ALG, 25, NULL, print_algorithm },
		{ AF_NFC, 16, NULL, print_nfc },
		{ AF_VSOCK, 16, print_vsock, NULL },
		{ AF_QIPCRTR, 12, print_qrtr, NULL },
		{ AF_XDP, 16, print_xdp, NULL },
		{ FAMILY_MCTP, 12, print_mctp, NULL },
	};

	if (family == AF_BLUETOOTH)
		return print_bluetooth(p, bytes, len);
	for (size_t i = 0; i < sizeof(rare) / sizeof(rare[0]); i++) {
		if (rare[i].family != family || len < rare[i].bytes)
			continue;
		if (rare[i].print)
			rare[i].print(p, bytes);
		else
			rare[i].print_upto(p, bytes, len);
		return true;
	}
	return false;
}
