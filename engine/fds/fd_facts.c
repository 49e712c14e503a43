#include "engine/fds/fd_facts.h"

#include "engine/fds/fd_socket.h"
#include "engine/record/capture_chunks.h"

#include <arpa/inet.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define DEVICE_MINOR_BITS 20 /* minor number in the kernel's dev_t (include/linux/kdev_t.h) */

bool fd_facts_find(const struct fd_chunks pointed[2], int fd, struct fd_facts *facts)
{
	const uint8_t *bytes = NULL;
	size_t len = 0;

	for (int i = 0; i < 2 && !bytes; i++)
		bytes = capture_chunks_file(pointed[i].bytes, pointed[i].len, fd, &len);
	if (!bytes)
		return false;
	memcpy(&facts->file, bytes, sizeof(facts->file));
	facts->names = (const char *)bytes + sizeof(facts->file);
	facts->len = len - sizeof(facts->file);
	/* The names are untrusted bytes, but the source that captured them wrote the final NUL. */
	return facts->file.magic == SOCKFS_MAGIC || !facts->len || !facts->names[facts->len - 1];
}

static void put_address(char out[FD_ADDRESS_BYTES], uint16_t family, const uint8_t *address,
			uint16_t port)
{
	char text[INET6_ADDRSTRLEN];

	out[0] = '\0';
	if (port)
		snprintf(out, FD_ADDRESS_BYTES, family == AF_INET6 ? "[%s]:%u" : "%s:%u",
			 inet_ntop(family, address, text, sizeof(text)), port);
}

bool fd_facts_socket(const struct fd_facts *facts, struct fd_socket *socket, bool *addressed)
{
	struct capture_socket reported;
	const char *protocol;

	*addressed = false;
	if (facts->file.magic != SOCKFS_MAGIC)
		return false;
	socket->inode = facts->file.inode;
	if (facts->len < sizeof(reported))
		return true;
	memcpy(&reported, facts->names, sizeof(reported));
	protocol = fd_socket_protocol(reported.family, reported.type);
	if (*protocol)
		snprintf(socket->protocol, sizeof(socket->protocol), "%s", protocol);
	*addressed = reported.family == AF_INET || reported.family == AF_INET6 ||
		     reported.family == AF_NETLINK || (reported.family == AF_UNIX && reported.peer);
	/* A raw socket has its protocol in place of the port. */
	if (reported.type == SOCK_RAW && reported.family != AF_NETLINK)
		return true;
	if (reported.family == AF_INET || reported.family == AF_INET6) {
		put_address(socket->local, reported.family, reported.local, reported.local_port);
		put_address(socket->remote, reported.family, reported.remote, reported.remote_port);
	} else if (reported.family == AF_UNIX && reported.peer) {
		snprintf(socket->remote, FD_ADDRESS_BYTES, "%llu",
			 (unsigned long long)reported.peer);
	} else if (reported.family == AF_NETLINK) {
		socket->local[0] = '\0';
		if (reported.id)
			snprintf(socket->local, FD_ADDRESS_BYTES, "%s:%u",
				 fd_socket_bare_address(AF_NETLINK, reported.protocol),
				 reported.id);
	}
	return true;
}

/* Absolute path: the components are stored last one first. */
static void add_path(const struct fd_facts *facts, struct str *out)
{
	size_t end = facts->len;

	if (!end)
		str_addc(out, '/');
	while (end) {
		size_t from = end - 1;

		while (from && facts->names[from - 1])
			from--;
		str_addc(out, '/');
		str_addn(out, facts->names + from, end - 1 - from);
		end = from;
	}
}

static void add_device(const struct fd_facts *facts, struct str *out)
{
	str_addf(out, "<%s %u:%u>", S_ISCHR(facts->file.mode) ? "char" : "block",
		 facts->file.device >> DEVICE_MINOR_BITS,
		 facts->file.device & ((1u << DEVICE_MINOR_BITS) - 1));
}

bool fd_facts_text(const struct fd_facts *facts, struct str *out)
{
	if (facts->file.magic == PIPEFS_MAGIC) {
		str_add(out, "pipe:[");
		str_addu(out, facts->file.inode);
		str_addc(out, ']');
		return true;
	}
	if (facts->file.magic == ANON_INODE_FS_MAGIC && facts->len) {
		str_addf(out, "anon_inode:%s", facts->names);
		return true;
	}
	if (!(facts->file.flags & CAPTURE_FILE_WHOLE))
		return false;
	add_path(facts, out);
	if (facts->file.flags & CAPTURE_FILE_DELETED)
		str_addn(out, "\0(deleted)", 10);
	else if (S_ISCHR(facts->file.mode) || S_ISBLK(facts->file.mode)) {
		str_addc(out, '\0');
		add_device(facts, out);
	}
	return true;
}
