/*
 * args_sockets - addresses of every family in every length, options of every level with values,
 * and control messages of every kind, on invalid descriptors. Calls fail or pretend to succeed.
 */
#include "pretend.h"

#include <linux/icmp.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define FAMILIES 46
#define ROOM 4096

static unsigned char *bytes;

static void fill(void)
{
	memset(bytes, 0, ROOM);
	for (size_t i = 0; i < 256; i += 8)
		bytes[i] = (unsigned char)(1 + i / 8);
}

static void addresses(void)
{
	static const unsigned char lengths[] = { 0,  1,  2,  3,  4,  6,  8,  10, 12,  14, 16,
						 18, 20, 24, 28, 36, 64, 88, 96, 110, 128 };

	for (unsigned short family = 0; family < FAMILIES; family++) {
		for (size_t i = 0; i < sizeof(lengths); i++) {
			int *len = (int *)(bytes + 1024);

			fill();
			memcpy(bytes, &family, sizeof(family));
			connect(-1, (struct sockaddr *)bytes, lengths[i]);
			*len = lengths[i];
			pretend(SYS_getsockname, -1, bytes, len, 0, 0);
		}
	}
}

static void options(void)
{
	static const short levels[] = { 0,   1,   6,   17,  40,  41,  101, 132, 255, 256,
					257, 263, 266, 268, 269, 270, 271, 272, 273, 274,
					275, 276, 277, 278, 279, 280, 281, 282, 283 };
	static const unsigned char lengths[] = { 2, 4, 8, 16, 136 };

	for (size_t level = 0; level < sizeof(levels) / sizeof(levels[0]); level++) {
		for (int option = 0; option < 74; option++) {
			int *len = (int *)(bytes + 1024);
			size_t kinds = levels[level] == 1 || levels[level] == 263 ||
						       levels[level] == 255
					       ? sizeof(lengths)
					       : 2;

			for (size_t i = 0; i < kinds; i++) {
				fill();
				syscall(SYS_setsockopt, -1, levels[level], option, bytes,
					lengths[i]);
				*len = lengths[i];
				pretend(SYS_getsockopt, -1, levels[level], option, bytes, len);
			}
		}
	}
	/* Group membership, and the filters of raw sockets. */
	fill();
	for (int option = 20; option < 46; option++) {
		setsockopt(-1, IPPROTO_IP, option, bytes, 136);
		setsockopt(-1, IPPROTO_IPV6, option, bytes, 136);
	}
	for (int bit = 0; bit < 32; bit++) {
		unsigned filter = ~(1u << bit);

		setsockopt(-1, IPPROTO_RAW, ICMP_FILTER, &filter, sizeof(filter));
	}
}

static void controls(void)
{
	static const short levels[] = { SOL_SOCKET, IPPROTO_IP, IPPROTO_IPV6 };
	static const unsigned char lengths[] = { 0, 1, 4, 12, 16, 32, 48 };

	for (size_t level = 0; level < 3; level++) {
		for (int type = 0; type < 68; type++) {
			for (size_t i = 0; i < sizeof(lengths); i++) {
				struct msghdr message = { .msg_control = bytes,
							  .msg_controllen = 16u + lengths[i] };
				struct cmsghdr *control = (struct cmsghdr *)bytes;

				fill();
				control->cmsg_len = 16u + lengths[i];
				control->cmsg_level = levels[level];
				control->cmsg_type = type;
				sendmsg(-1, &message, 0);
				pretend(SYS_recvmsg, -1, &message, 0, 0, 0);
			}
		}
	}
}

int main(void)
{
	bytes = pretend_memory();
	pretend_from_now();
	addresses();
	options();
	controls();
	return 0;
}
