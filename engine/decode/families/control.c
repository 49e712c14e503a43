#include "engine/decode/families/control.h"

#include "engine/decode/shapes.h"
#include "engine/decode/struct_layout.h"
#include "engine/decode/tables.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define CONTROL_BYTES 4096 /* maximum number of bytes to read */

typedef void control_fn(struct printer *p, const uint8_t *data, size_t len);

static void print_descriptors(struct printer *p, const uint8_t *data, size_t len)
{
	PUT(p, "[");
	for (size_t i = 0; i < len / 4; i++) {
		int32_t fd;

		if (i)
			PUT(p, ", ");
		if (i == printer_items(p)) {
			PUT(p, "...");
			break;
		}
		memcpy(&fd, data + i * 4, 4);
		show_fd(p, (uint32_t)fd, NULL);
	}
	PUT(p, "]");
}

static void print_credentials(struct printer *p, const uint8_t *data, size_t len)
{
	uint32_t ids[3];

	(void)len;
	memcpy(ids, data, sizeof(ids));
	str_addf(p->out, "{pid=%u, uid=", ids[0]);
	show_id(p, ids[1], NULL);
	PUT(p, ", gid=");
	show_id(p, ids[2], NULL);
	PUT(p, "}");
}

static void print_text(struct printer *p, const uint8_t *data, size_t len)
{
	print_quoted(p, data, len);
}

/* Print `count` timevals or timespecs; print "???" if there are too few bytes. */
static void print_times(struct printer *p, const uint8_t *data, size_t len, unsigned count,
			const struct layout *layout)
{
	int64_t pair[2];

	if (len < count * sizeof(pair)) {
		PUT(p, "???");
		return;
	}
	if (count > 1)
		PUT(p, "[");
	for (unsigned i = 0; i < count; i++) {
		memcpy(pair, data + i * sizeof(pair), sizeof(pair));
		if (i)
			PUT(p, ", ");
		element_struct(p, pair, layout);
	}
	if (count > 1)
		PUT(p, "]");
}

static void print_timeval(struct printer *p, const uint8_t *data, size_t len)
{
	print_times(p, data, len, 1, &timeval_layout);
}

static void print_timespec(struct printer *p, const uint8_t *data, size_t len)
{
	print_times(p, data, len, 1, &timespec_layout);
}

static void print_timestamps(struct printer *p, const uint8_t *data, size_t len)
{
	print_times(p, data, len, 3, &timespec_layout);
}

static void print_packet_info(struct printer *p, const uint8_t *data, size_t len)
{
	struct in_pktinfo info;

	(void)len;
	memcpy(&info, data, sizeof(info));
	PUT(p, "{ipi_ifindex=");
	print_interface(p, (uint32_t)info.ipi_ifindex);
	PUT(p, ", ipi_spec_dst=");
	print_inet_address(p, &info.ipi_spec_dst);
	PUT(p, ", ipi_addr=");
	print_inet_address(p, &info.ipi_addr);
	PUT(p, "}");
}

static void print_numbers(struct printer *p, const uint8_t *data, size_t len)
{
	PUT(p, "[");
	for (size_t i = 0; i < len / 4; i++) {
		uint32_t number;

		if (i)
			PUT(p, ", ");
		if (i == printer_items(p)) {
			PUT(p, "...");
			break;
		}
		memcpy(&number, data + i * 4, 4);
		str_addu(p->out, number);
	}
	PUT(p, "]");
}

static void print_bytes(struct printer *p, const uint8_t *data, size_t len)
{
	PUT(p, "[");
	for (size_t i = 0; i < len; i++) {
		if (i)
			PUT(p, ", ");
		if (i == printer_items(p)) {
			PUT(p, "...");
			break;
		}
		str_addx(p->out, data[i]);
	}
	PUT(p, "]");
}

/* Print struct sock_extended_err and the address of the offender. */
static void print_extended_error(struct printer *p, const uint8_t *data, size_t len)
{
	uint32_t error, info, more;

	(void)len;
	memcpy(&error, data, 4);
	memcpy(&info, data + 8, 4);
	memcpy(&more, data + 12, 4);
	str_addf(p->out,
		 "{ee_errno=%u, ee_origin=%u, ee_type=%u, ee_code=%u, ee_info=%u, "
		 "ee_data=%u, offender=",
		 error, data[4], data[5], data[6], info, more);
	print_sockaddr_bytes(p, data + 16, sizeof(struct sockaddr_in));
	PUT(p, "}");
}

static void print_address(struct printer *p, const uint8_t *data, size_t len)
{
	print_sockaddr_bytes(p, data, len);
}

/* As in asm/socket.h of x86-64 and aarch64; other machines number old time stamps differently. */
static const struct {
	int level;
	uint32_t type, bytes;
	control_fn *print;
} kinds[] = {
	{ SOL_SOCKET, 1, 4, print_descriptors }, /* SCM_RIGHTS */
	{ SOL_SOCKET, 2, 12, print_credentials }, /* SCM_CREDENTIALS */
	{ SOL_SOCKET, 3, 1, print_text }, /* SCM_SECURITY */
	{ SOL_SOCKET, 4, 4, print_descriptors }, /* SCM_PIDFD */
	{ SOL_SOCKET, 29, 1, print_timeval }, /* SO_TIMESTAMP_OLD */
	{ SOL_SOCKET, 35, 1, print_timespec }, /* SO_TIMESTAMPNS_OLD */
	{ SOL_SOCKET, 37, 1, print_timestamps }, /* SO_TIMESTAMPING_OLD */
	{ SOL_SOCKET, 63, 1, print_timeval }, /* SO_TIMESTAMP_NEW */
	{ SOL_SOCKET, 64, 1, print_timespec }, /* SO_TIMESTAMPNS_NEW */
	{ SOL_SOCKET, 65, 1, print_timestamps }, /* SO_TIMESTAMPING_NEW */
	{ IPPROTO_IP, IP_TOS, 1, print_bytes },
	{ IPPROTO_IP, IP_TTL, 4, print_numbers },
	{ IPPROTO_IP, 3, 1, print_text }, /* SCM_SECURITY */
	{ IPPROTO_IP, IP_RECVOPTS, 1, print_bytes },
	{ IPPROTO_IP, IP_RETOPTS, 1, print_bytes },
	{ IPPROTO_IP, IP_PKTINFO, sizeof(struct in_pktinfo), print_packet_info },
	{ IPPROTO_IP, IP_RECVERR, 16 + sizeof(struct sockaddr_in), print_extended_error },
	{ IPPROTO_IP, IP_ORIGDSTADDR, sizeof(struct sockaddr_in), print_address },
	{ IPPROTO_IP, 23, 4, print_numbers }, /* IP_CHECKSUM */
};

/* Print nothing for an unknown kind, or for a known kind whose data is too short. */
static void print_data(struct printer *p, int level, uint32_t type, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].level != level || kinds[i].type != type || len < kinds[i].bytes)
			continue;
		PUT(p, ", cmsg_data=");
		kinds[i].print(p, data, len);
		return;
	}
}

/* Print the first message in the `len` remaining bytes. */
static void print_one(struct printer *p, const uint8_t *bytes, uint64_t len)
{
	struct cmsghdr header;
	uint64_t end;

	memcpy(&header, bytes, sizeof(header));
	PUT(p, "{cmsg_len=");
	str_addu(p->out, header.cmsg_len);
	PUT(p, ", cmsg_level=");
	print_enum(p, (uint32_t)header.cmsg_level, &socket_levels);
	PUT(p, ", cmsg_type=");
	if (header.cmsg_level == SOL_SOCKET)
		print_enum(p, (uint32_t)header.cmsg_type, &control_messages);
	else if (header.cmsg_level == IPPROTO_IP)
		print_enum(p, (uint32_t)header.cmsg_type, &ip_control_messages);
	else
		str_addx(p->out, (uint32_t)header.cmsg_type);
	end = header.cmsg_len < len ? header.cmsg_len : len;
	if (end > sizeof(header))
		print_data(p, header.cmsg_level, (uint32_t)header.cmsg_type, bytes + sizeof(header),
			   end - sizeof(header));
	PUT(p, "}");
}

void print_control(struct printer *p, uint64_t address, uint64_t len)
{
	uint64_t words[CONTROL_BYTES / 8];
	const uint8_t *bytes = (const uint8_t *)words;
	uint64_t known = len < sizeof(words) ? len : sizeof(words);
	uint64_t at = 0;

	if (known < sizeof(struct cmsghdr) || !printer_read(p, address, words, known)) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "[");
	while (known - at >= sizeof(struct cmsghdr)) {
		uint64_t cmsg_len;

		memcpy(&cmsg_len, bytes + at, sizeof(cmsg_len));
		if (at)
			PUT(p, ", ");
		print_one(p, bytes + at, known - at);
		if (cmsg_len < sizeof(struct cmsghdr)) {
			at += sizeof(struct cmsghdr);
			break;
		}
		if (cmsg_len >= known - at || ((cmsg_len + 7) & ~(uint64_t)7) >= known - at) {
			at = known;
			break;
		}
		at += (cmsg_len + 7) & ~(uint64_t)7;
	}
	if (at < known) {
		PUT(p, ", ... /* ");
		str_addx(p->out, address + at);
		PUT(p, " */");
	} else if (known < len) {
		PUT(p, ", ...");
	}
	PUT(p, "]");
}
